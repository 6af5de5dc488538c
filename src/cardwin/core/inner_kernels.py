"""Inner kernels: compiled only as parts of the kernels that call them.

Numba optimizes each function together with its callees and emits machine code for it, even if only other kernels call
it: a kernel at the bottom of six others is optimized six times. `InnerCompiler` lowers a kernel to LLVM's intermediate
representation and stops there. The kernel is optimized when Numba links it into a kernel with an entry point.
`InnerCache` stores it on disk as bitcode.

This uses Numba's extension points (`pipeline_class`, cache classes) and names of its code library that are not public.
"""

from types import SimpleNamespace
from typing import Any

from llvmlite import binding
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder


class InnerLibrary(JITCodeLibrary):  # type: ignore[misc]  # numba ships no types
    """A function and its callees, neither optimized nor in memory."""

    @property
    def codegen(self) -> Any:
        """The object that stores environments: this one, which has no memory to store them in."""
        return self

    def set_env(self, env_name: str, env: Any) -> None:
        """Do nothing: the library with the entry point stores the environment."""

    def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002  the signature is Numba's
        """Return the null pointer, because there is no machine code."""
        self._ensure_finalized()
        return 0

    def serialize_using_object_code(self) -> tuple[str, bytes]:
        """Return the name and the bitcode."""
        return self.name, bytes(self._get_module_for_linking().as_bitcode())

    @classmethod
    def from_bitcode(cls, codegen: Any, name: str, bitcode: bytes) -> "InnerLibrary":
        """Return a library from the cache."""
        library = cls(codegen, name)
        library._final_module = library._shared_module = binding.parse_bitcode(bitcode)
        library._finalized = True
        return library

    def _optimize_final_module(self) -> None:
        """Do nothing: the library with the entry point is optimized as a whole."""

    def _finalize_final_module(self) -> None:
        """Finish without adding the module to the code in memory."""
        self._finalize_dynamic_globals()
        self._finalized = True


class InnerCompiler(CompilerBase):  # type: ignore[misc]
    """Numba's compiler, with the result in an `InnerLibrary`."""

    def define_pipelines(self) -> list[Any]:
        """Return Numba's default passes."""
        state = self.state
        state.library = InnerLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        return [DefaultPassBuilder.define_nopython_pipeline(state)]


class _InnerCacheImpl(CompileResultCacheImpl):  # type: ignore[misc]
    def rebuild(self, target_context: Any, payload: Any) -> Any:
        """Return a compile result from the cache, with its library read by `InnerLibrary`."""
        codegen = target_context.codegen()
        reader = SimpleNamespace(unserialize_library=lambda state: InnerLibrary.from_bitcode(codegen, *state))
        return super().rebuild(target_context.subtarget(_internal_codegen=reader), payload)


class InnerCache(FunctionCache):  # type: ignore[misc]
    """The cache of an inner kernel."""

    _impl_class = _InnerCacheImpl
