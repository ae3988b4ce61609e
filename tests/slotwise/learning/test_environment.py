"""The gymnasium environment: its agents give the schedules of policies, and gymnasium finds nothing wrong with it."""

import numba
import numpy as np
import pytest

import slotwise as sw
from scheduler_core.common.errors import ContractError, ParameterError, PolicyError

pytest.importorskip("gymnasium", reason="gymnasium is missing: pip install gymnasium")

from gymnasium.utils.env_checker import check_env

from slotwise.learning import SchedulingEnvironment, agent, easy, play, random_agent, shortest_first

pytestmark = pytest.mark.filterwarnings("ignore:.*:UserWarning:gymnasium")


@pytest.fixture(scope="module")
def drawn():
    """Return the drawn log."""
    return sw.read_log("drawn")


@pytest.fixture
def environment(drawn):
    """Return an environment whose window shows every waiting job."""
    return SchedulingEnvironment(drawn, jobs=200, window=200)


def test_gymnasium_finds_nothing_wrong(drawn):
    check_env(SchedulingEnvironment(drawn, jobs=50))
    check_env(SchedulingEnvironment(drawn, jobs=50, window=1), skip_render_check=True)


@pytest.mark.parametrize("first", [0, 1000, 5000])
def test_easy_as_an_agent_gives_the_compiled_schedule_job_by_job(environment, first):
    play(environment, agent(easy), first=first)
    made, compiled = environment.schedule(), sw.simulate(environment.workload, "easy")
    assert made.jobs.equals(compiled.jobs)
    assert sw.check(environment.workload, made).legal


def test_shortest_first_is_list_scheduling_by_estimates(environment):
    play(environment, shortest_first, first=3000)
    compiled = sw.simulate(environment.workload, "sjf", when_blocked="skip")
    assert environment.schedule().jobs.equals(compiled.jobs)


def test_easy_of_the_agents_is_a_policy_too(drawn):
    few = drawn.first(1000)
    assert sw.simulate(few, easy).jobs.equals(sw.simulate(few, "easy").jobs)


def test_rewards_add_up_to_the_negative_mean_bounded_slowdown(environment):
    total = play(environment, agent(easy), seed=4)
    jobs = environment.schedule().jobs
    wait, run = (
        (jobs[end] - jobs[begin]).to_numpy() / 1e6
        for begin, end in (("submit_us", "start_us"), ("start_us", "finish_us"))
    )
    assert total == pytest.approx(-np.maximum((wait + run) / np.maximum(run, 10), 1).mean())


def test_random_episodes_are_legal_and_repeat_with_their_seed(drawn):
    environment = SchedulingEnvironment(drawn, jobs=100, window=8)
    totals = [play(environment, random_agent, seed=seed) for seed in (1, 2, 1)]
    assert totals[0] == totals[2] != totals[1]
    assert sw.check(environment.workload, environment.schedule()).legal


def test_impossible_actions_are_replaced(drawn):
    environment = SchedulingEnvironment(drawn, jobs=100, window=4)
    for action in range(5):
        _, info = environment.reset(seed=action)
        ended, replaced = False, 0
        while not ended:
            possible = bool(info["action_mask"][action])
            _, _, ended, _, info = environment.step(action)
            assert info["replaced"] != possible
            replaced += not possible
        assert replaced
        assert sw.check(environment.workload, environment.schedule()).legal


def test_observations_show_the_window_and_the_machine(drawn):
    environment = SchedulingEnvironment(drawn, jobs=100, window=3)
    seen, info = environment.reset(options={"first": 10})
    [job] = environment.waiting
    assert seen.tolist() == pytest.approx(
        [job.size / 128, job.estimate / (job.estimate + 3600), 0, 1, *[0] * 8, 1, 0, 1], rel=1e-6
    )
    assert info["action_mask"].tolist() == [1, 0, 0, 1]
    assert environment.action_masks().tolist() == [True, False, False, True]
    assert (environment.now, environment.free, len(environment.running)) == (job.submitted, 128, 0)


def test_observation_and_reward_may_be_the_users_own(drawn):
    environment = SchedulingEnvironment(
        drawn,
        jobs=60,
        observation=lambda world: np.array([world.free / world.processors], np.float32),
        reward=lambda job, wait_s, run_s: -wait_s,
    )
    assert environment.observation_space.shape == (1,)
    total = play(environment, shortest_first, first=100)
    jobs = environment.schedule().jobs
    assert total == pytest.approx(-(jobs["start_us"] - jobs["submit_us"]).mean() / 1e6)


@pytest.mark.parametrize("wrong", [{"jobs": 10**6}, {"jobs": 0}, {"window": 0}])
def test_wrong_numbers_are_told(drawn, wrong):
    with pytest.raises(ParameterError, match="expected jobs from 1 to"):
        SchedulingEnvironment(drawn, **wrong)


def test_numbers_of_numpy_are_numbers(drawn):
    environment = SchedulingEnvironment(drawn, jobs=np.int64(20), window=np.int32(8))
    assert (environment.count, environment.window) == (20, 8)


def test_an_agent_takes_the_answers_of_policies(drawn):
    environment = SchedulingEnvironment(drawn, jobs=100, window=100)

    def one_by_one(now, waiting, running, free):
        first = waiting[0]
        return None if first.size > free else first if first.number % 2 else first.number

    play(environment, agent(one_by_one), first=500)
    assert sw.check(environment.workload, environment.schedule()).legal
    with pytest.raises(PolicyError, match="an agent can only start jobs, wherever they fit; found CallAgain"):
        play(environment, agent(lambda now, *_: sw.CallAgain(now + 1)))


def test_an_agent_calls_a_compiled_function_in_python(environment):
    first = numba.njit(lambda now, waiting, running, free: [job for job in waiting[:1] if job.size <= free])
    assert play(environment, agent(first), first=0) == play(environment, agent(first.py_func), first=0)


def test_wrong_uses_are_told(drawn):
    environment = SchedulingEnvironment(drawn, jobs=100, window=1)
    with pytest.raises(ParameterError, match="first: expected a place from 0 to"):
        environment.reset(options={"first": -1})
    with pytest.raises(PolicyError, match="the episode has not ended"):
        environment.schedule()
    with pytest.raises(PolicyError, match="was chosen and waits behind the first 1; take a larger window"):
        any(play(environment, agent(easy), first=first) > 0 for first in range(0, 9000, 100))


def test_a_table_in_place_of_a_workload_is_told(drawn):
    with pytest.raises(ContractError, match=r"expected a workload, .*; found an object of type DataFrame"):
        SchedulingEnvironment(drawn.jobs)
    with pytest.raises(ContractError, match="expected a number of places of the window; found '5'"):
        SchedulingEnvironment(drawn, window="5")
    with pytest.raises(ContractError, match="expected a number of jobs; found '5'"):
        SchedulingEnvironment(drawn, jobs="5")


def test_an_episode_of_a_small_workload_has_all_its_jobs():
    small = sw.read_log("drawn").first(40)
    environment = SchedulingEnvironment(small)
    environment.reset(seed=1)
    assert environment.workload.jobs["job"].to_list() == small.jobs["job"].to_list()
