"""The directory: what it knows of applications, samples and forecasts of the site, and that it discloses no job."""

from scheduler_core.coscheduling.directory import Directory, Monitor
from tests.scheduler_core.coscheduling.share_cases import asks


def ran(directory: Directory, *works: int, of: int = 1) -> None:
    """Let jobs of an application run and leave, one after another."""
    for work in works:
        job = asks(20, of=of)
        directory.register(job)
        directory.record_run(job, work)


def test_run_time_is_predicted_by_the_estimate_until_the_application_was_measured() -> None:
    directory = Directory(learns=True)
    job, other = asks(20, of=1, estimate=100), asks(20, of=2, estimate=100)
    directory.register(job)
    directory.register(other)
    assert directory.run_time(job) == 100
    ran(directory, 30, 41)
    assert directory.run_time(job) == 35
    assert directory.run_time(other) == 100


def test_run_time_is_the_mean_of_the_last_ten_and_at_most_the_estimate() -> None:
    directory = Directory(learns=True)
    ran(directory, 10_000, *[20] * 10)
    job, short = asks(20, of=1, estimate=100), asks(20, of=1, estimate=15)
    directory.register(job)
    directory.register(short)
    assert (directory.run_time(job), directory.run_time(short)) == (20, 15)


def test_job_that_takes_longer_than_predicted_has_left_what_its_estimate_says() -> None:
    directory = Directory(learns=True)
    ran(directory, 20)
    job = asks(20, of=1, estimate=100)
    directory.register(job)
    assert [directory.work_left(job, done) for done in (0, 19, 20, 60)] == [20, 1, 80, 40]


def test_nothing_is_learned_of_jobs_without_application_and_where_the_policy_does_not_learn() -> None:
    for learns, of in ((True, 0), (False, 1)):
        directory = Directory(learns)
        ran(directory, 20, of=of)
        job = asks(20, of=of, estimate=100)
        directory.register(job)
        assert directory.run_time(job) == 100


def test_slowdown_is_the_mean_of_what_was_measured_in_this_order() -> None:
    directory = Directory(learns=True)
    assert directory.measured_slowdown(1, 2) is None
    directory.record_slowdown(1, 2, 1_000_000)
    directory.record_slowdown(1, 2, 1_400_000)
    assert directory.measured_slowdown(1, 2) == 1_200_000
    assert directory.measured_slowdown(2, 1) is None


def test_the_available_share_is_sampled_at_the_multiples_of_the_period_as_it_was_just_before() -> None:
    monitor = Monitor(10, 5, 0)
    monitor.observe(9)
    assert not monitor.samples
    monitor.observe(10)
    monitor.available = 400
    monitor.observe(39)
    assert list(monitor.samples) == [0, 400, 400]
    assert monitor.error == (400 + 200) // 2


def test_forecast_is_the_mean_of_the_last_ten_samples_and_its_error_is_counted() -> None:
    monitor = Monitor(1, 0, 0)
    monitor.observe(20)
    monitor.available = 1000
    monitor.observe(22)
    assert (monitor.compared, monitor.distance) == (21, 1000 + 900)
    monitor.observe(1_000_000)
    assert (monitor.compared, monitor.distance) == (999_999, 100 * sum(range(1, 11)))


def test_a_monitor_holds_sums_over_jobs_and_no_job() -> None:
    monitor = Monitor(10, 0, 0)
    monitor.observe(100)
    held = vars(monitor)
    assert all(isinstance(number, int) for number in [*held.pop("samples"), *held.values()])
