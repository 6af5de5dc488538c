"""Inner kernels: compiled only as parts of the kernels that call them.

Numba optimizes each function together with its callees and emits machine code for it, even if only other kernels call
it: a kernel at the bottom of six others is optimized six times. `InnerCompiler` lowers a kernel to LLVM's intermediate
representation and stops there. The kernel is optimized when Numba links it into a kernel with an entry point.

This uses `pipeline_class`, a public extension point, and five names of Numba's code library that are not public.
"""

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder


class InnerLibrary(JITCodeLibrary):  # type: ignore[misc]  # numba ships no types
    """A function and its callees, neither optimized nor in memory."""

    @property
    def codegen(self) -> Any:
        """Return the object that stores environments: this one, which has no memory to store them in."""
        return self

    def set_env(self, env_name: str, env: Any) -> None:
        """Do nothing: the library with the entry point stores the environment."""

    def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002  the signature is Numba's
        """Return the null pointer, because there is no machine code."""
        self._ensure_finalized()
        return 0

    def _optimize_final_module(self) -> None:
        """Do nothing: the library with the entry point is optimized as a whole."""

    def _finalize_final_module(self) -> None:
        """Finish without adding the module to the code in memory."""
        self._finalize_dynamic_globals()
        self._finalized = True


class InnerCompiler(CompilerBase):  # type: ignore[misc]
    """Numba's compiler, with the result in an `InnerLibrary`."""

    def define_pipelines(self) -> list[Any]:
        """Return Numba's usual passes."""
        state = self.state
        state.library = InnerLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        return [DefaultPassBuilder.define_nopython_pipeline(state)]
