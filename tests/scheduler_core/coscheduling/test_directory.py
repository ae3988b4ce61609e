"""The directory: what it knows of applications, statistics and forecasts of the site, and that it discloses no job."""

from dataclasses import fields

from scheduler_core.coscheduling.directory import Directory, Monitor, SiteStatistics


def test_slowdown_is_the_mean_of_what_was_measured_in_this_order() -> None:
    directory = Directory(learns=True)
    assert directory.measured_slowdown(1, 2) is None
    directory.record_slowdown(1, 2, 1_000_000)
    directory.record_slowdown(1, 2, 1_400_000)
    assert directory.measured_slowdown(1, 2) == 1_200_000
    assert directory.measured_slowdown(2, 1) is None


def statistics(share: int) -> SiteStatistics:
    """Return statistics with so much of the processors' time available."""
    return SiteStatistics(share, 1000, 1, 0)


def test_statistics_are_sampled_at_the_multiples_of_the_period_as_they_were_just_before() -> None:
    monitor = Monitor(10, 5, statistics(0))
    monitor.observe(9)
    assert not monitor.samples
    monitor.observe(10)
    monitor.current = statistics(400)
    monitor.observe(39)
    assert [sample.available_share_ppm for sample in monitor.samples] == [0, 400, 400]
    assert monitor.statistics() == (statistics(400), statistics(266))


def test_forecast_is_the_mean_of_the_last_ten_samples_and_its_error_is_counted() -> None:
    monitor = Monitor(1, 0, statistics(0))
    monitor.observe(20)
    monitor.current = statistics(1000)
    monitor.observe(22)
    assert monitor.forecast() == statistics(200)
    assert (monitor.compared, monitor.distance) == (21, 1000 + 900)
    monitor.observe(1_000_000)
    assert monitor.forecast() == statistics(1000)
    assert (monitor.compared, monitor.distance) == (999_999, 100 * sum(range(1, 11)))


def test_who_asks_gets_sums_over_jobs_and_no_job() -> None:
    """The answer is four numbers, and a monitor holds nothing else: no job could be read from it."""
    assert [entry.type for entry in fields(SiteStatistics)] == ["int"] * 4
    monitor = Monitor(10, 0, statistics(0))
    monitor.observe(100)
    held = {name: value for name, value in vars(monitor).items() if not isinstance(value, int)}
    assert set(held) == {"current", "samples"}
    assert all(isinstance(sample, SiteStatistics) for sample in [held["current"], *held["samples"]])
