"""Executors that spread data sets over more than one machine."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")


class RayExecutor(Executor):
    """Runs tasks on the workers of Ray, as the executors of `concurrent.futures` do on threads and processes.

    Ray is started on this machine unless it was before; ``ray.init(address="auto")`` joins a cluster. Workers need
    the package `pliant`, and the folder of a data set under the same path.

    Args:
        options: What ``ray.remote`` takes: ``num_cpus=2``, ``max_retries=0``, ``runtime_env={...}``.

    Raises:
        ImportError: Ray is not installed.
    """

    def __init__(self, **options: Any) -> None:
        import ray

        if not ray.is_initialized():
            ray.init()
        remote = ray.remote(**options) if options else ray.remote
        self._call = remote(_called)
        self._futures: list[Future[Any]] = []

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Runs a function on a worker; it and what it takes and returns are pickled."""
        future: Future[_T] = self._call.remote(fn, args, kwargs).future()
        self._futures = [other for other in self._futures if not other.done()] + [future]
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Waits for what was submitted. Ray goes on: ``ray.shutdown()`` ends it."""
        for future in self._futures if wait else []:
            future.exception()


def _called(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return fn(*args, **kwargs)
