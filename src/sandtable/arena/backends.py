"""Where games are played: in this process, in several on this machine, or on many machines through Ray."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Protocol

from sandtable.arena.match import GameResult, Job, play
from sandtable.errors import SandtableError


class Backend(Protocol):
    def run(self, jobs: Sequence[Job]) -> Iterator[GameResult]:
        """Play all games, giving each result as it comes."""
        ...


class Here:
    """One after the other, in this process."""

    def run(self, jobs: Sequence[Job]) -> Iterator[GameResult]:
        return (play(job) for job in jobs)


class Processes:
    """Several at a time. Processes are spawned, so that nothing of this one leaks into them."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def run(self, jobs: Sequence[Job]) -> Iterator[GameResult]:
        with ProcessPoolExecutor(self.workers, mp_context=get_context("spawn")) as pool:
            futures = [pool.submit(play, job) for job in jobs]
            for future in as_completed(futures):
                yield future.result()


class Ray:
    """On a Ray cluster, or on this machine when there is none."""

    def __init__(self, workers: int) -> None:
        try:
            import ray  # type: ignore[import-not-found,import-untyped,unused-ignore]
        except ImportError:
            raise SandtableError("Playing on several machines needs Ray: pip install 'sandtable[ray]'.") from None
        self._ray = ray
        self.workers = workers

    def run(self, jobs: Sequence[Job]) -> Iterator[GameResult]:
        ray = self._ray
        if not ray.is_initialized():
            ray.init(num_cpus=self.workers or None, log_to_driver=False)
        task = ray.remote(play)
        waiting = [task.remote(job) for job in jobs]
        while waiting:
            done, waiting = ray.wait(waiting, num_returns=1)
            yield from ray.get(done)


def backend(name: str, workers: int) -> Backend:
    """The backend of this name. Raises SandtableError."""
    if workers < 1:
        raise SandtableError(f"At least one worker has to play, not {workers}.")
    if name == "process":
        return Here() if workers == 1 else Processes(workers)
    if name == "ray":
        return Ray(workers)
    raise SandtableError(f"There is no backend {name!r}; there are process and ray.")
