"""The oracle of slices: discrepancy search over the waiting jobs in every pass."""

from tests.oracles.slices.pect import Run
from tests.oracles.slices.search import Order, Placings, Virtual, added, bound_of, first_difference, paths, total
from tests.oracles.slices.search_orders import jobs_in_order
from tests.oracles.slices.state import CLASS_NAMES, Job, Slice


class SearchRun(Run):
    """Search-based scheduling inside the slices of SCOJO-PECT."""

    def promising(self) -> bool:
        """Nothing is promised."""
        return False

    def start_own(self, piece: Slice) -> None:
        """Search for the best order of those that wait, reserve by it, start whose time is now."""
        queue = self.queue(piece.kind)
        if queue:
            for job in queue:
                job.reservation = None
            for placed in self.search(piece.kind, queue[: self.policy.queue_most], queue):
                placed.job.reservation = placed.begin
            for job in queue[self.policy.queue_most :]:
                self.reserve(job)
        self.start_reserved(piece)

    def search(self, kind: int, jobs: list[Job], queue: list[Job]) -> Placings:
        """Return the best schedule found."""
        self.count("searches")
        share: float = getattr(self.policy, f"share_{CLASS_NAMES[kind]}")
        now = (self.time, self.clock(kind))
        virtual = Virtual(self.processors, self.unreserved(kind), now, share, bound_of(self.policy))
        longest = max(self.time - job.submit for job in queue)

        def slowdown_now(job: Job) -> float:
            response = (self.time - job.submit) + job.estimate / share
            return max(response / max(job.estimate, virtual.bound), 1.0)

        def cost(placings: Placings) -> tuple[float, float]:
            waits = [placed.response - placed.job.estimate for placed in placings]
            return added([max(0.0, wait - longest) for wait in waits]), total(placings)

        heuristic = tuple(sorted(jobs, key=lambda job: (-slowdown_now(job), job.position)))
        tree_nodes = 0
        before: Order | None = None
        begun: list[Order] = []
        for digits in paths("dds", len(jobs)):
            if tree_nodes >= self.policy.tree_nodes:
                break
            order = tuple(jobs_in_order(digits, heuristic))
            tree_nodes += len(order) - (0 if before is None else first_difference(order, before))
            begun.append(order)
            before = order
        self.count("orders", len(begun))
        self.count("tree_nodes", tree_nodes)
        return min((virtual.schedule(order) for order in begun), key=cost)
