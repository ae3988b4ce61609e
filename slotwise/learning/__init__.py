"""Learning to schedule: a gymnasium environment that decides as a policy of your own does, and agents for it.

>>> import slotwise as sw
>>> from slotwise.learning import SchedulingEnvironment, play, shortest_first
>>> environment = SchedulingEnvironment(sw.read_log("SDSC-SP2"), jobs=256)
>>> play(environment, shortest_first, seed=1)  # the negative mean bounded slowdown of 256 jobs
"""

try:
    import gymnasium  # noqa: F401 - to say what is missing
except ModuleNotFoundError as error:
    if error.name != "gymnasium":
        raise
    raise ModuleNotFoundError(
        "slotwise.learning needs gymnasium, which is not installed: pip install 'slotwise[learning]', or pip install gymnasium",
        name="gymnasium",
    ) from None

from slotwise.learning.agents import agent, easy, play, random_agent, shortest_first
from slotwise.learning.environment import SchedulingEnvironment

__all__ = ["SchedulingEnvironment", "agent", "easy", "play", "random_agent", "shortest_first"]
