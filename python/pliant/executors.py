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
        self._pending: dict[Future[Any], Any] = {}
        self._is_shut_down = False

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Runs a function on a worker; it and what it takes and returns are pickled.

        Raises:
            RuntimeError: The executor was shut down.
        """
        if self._is_shut_down:
            raise RuntimeError("the executor was shut down")
        reference = self._call.remote(fn, args, kwargs)
        future: Future[_T] = reference.future()
        self._pending = {other: kept for other, kept in self._pending.items() if not other.done()}
        self._pending[future] = reference
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Takes nothing more, and waits for what was submitted. Ray goes on: ``ray.shutdown()`` ends it."""
        import ray

        self._is_shut_down = True
        for future, reference in self._pending.items():
            if cancel_futures and not future.done():
                ray.cancel(reference)
            if wait:
                future.exception()


def _called(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return fn(*args, **kwargs)
