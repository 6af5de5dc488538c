"""Kernels in the two forms that other kernels use.

Numba optimises every function together with all that it calls and makes machine code of it, although most kernels are
never called from Python: a kernel at the bottom of six others is optimised six times. Here

- a **linked** kernel is lowered to LLVM's language and no more (`LinkedCompiler`, `LinkedLibrary`). It is optimised as
  a part of the kernel that Python calls. `LinkedCache` keeps it on disk as bitcode.
- a **called** kernel is made machine code once (`CalledCompiler`, `CalledLibrary`), and whoever calls it holds only its
  name: for large parts that many kernels share. Its name has no number of the process in it (`lasting_name`), so that
  a kernel from the cache finds it whichever process compiled either, and `Reload` loads it before such a kernel.

This stands on Numba's extension points (`pipeline_class`, cache classes) and on names of its code library that are not
public: constraints.txt pins the version, and the tests of kernels cover it.
"""

import hashlib
from importlib import import_module
from typing import Any, NamedTuple

from llvmlite import binding
from numba import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, CompileResult, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering


def lasting_name(record: types.Record) -> tuple[str, tuple[str]]:
    """What stands for a record in the names of functions: the digest of its fields.

    Numba puts the record's number there, in the order in which a process meets types. Of two processes that compile a
    called kernel at once, one's file is kept, and the callers that the other compiled would not find it.
    """
    return "Record", (hashlib.blake2b(record.name.encode(), digest_size=8).hexdigest(),)


types.Record.mangling_args = property(lasting_name)


class _NoEnvironments:
    """A code generator for functions that are not in memory: there is nowhere to write an environment's address."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def set_env(self, env_name: str, env: Any) -> None:
        """Nothing to do."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)


class LinkedLibrary(JITCodeLibrary):  # type: ignore[misc]  # numba ships no types
    """A function and all that it calls, neither optimised nor in memory."""

    @property
    def codegen(self) -> Any:
        """The code generator."""
        return _NoEnvironments(self._codegen)

    def finalize(self) -> None:
        """Link what is called."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002  the signature is Numba's
        """There is no machine code."""
        self._ensure_finalized()
        return 0

    def serialize_using_object_code(self) -> bytes:
        """The library for the cache."""
        return bytes(self._get_module_for_linking().as_bitcode())

    @classmethod
    def from_bitcode(cls, codegen: Any, name: str, bitcode: bytes) -> "LinkedLibrary":
        """A library from the cache."""
        library = cls(codegen, name)
        library._final_module = library._shared_module = binding.parse_bitcode(bitcode)
        library._finalized = True
        return library


@register_pass(mutates_CFG=True, analysis_only=False)
class LinkedLowering(NativeLowering):  # type: ignore[misc]
    """Numba's lowering, into a linked library."""

    _name = "linked_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower the function."""
        state.library = LinkedLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        return bool(super().run_pass(state))


class Reload(NamedTuple):
    """Loads or compiles a called kernel, by its module, name and argument types."""

    module: str
    name: str
    arguments: tuple[Any, ...]

    def __call__(self) -> None:
        """Have it in memory."""
        getattr(import_module(self.module), self.name).called.compile(self.arguments)


class CalledLibrary(JITCodeLibrary):  # type: ignore[misc]
    """A function in machine code, of which others link nothing but the name."""

    def _get_module_for_linking(self) -> Any:
        self._ensure_finalized()
        return binding.parse_assembly("")

    @classmethod
    def of(cls, state: Any) -> "CalledLibrary":
        """The library of a function that is about to be lowered."""
        library = cls(state.targetctx.codegen(), state.func_id.func_qualname)
        library.enable_object_caching()
        library._reload_init.add(Reload(state.func_id.modname, state.func_id.func_name, tuple(state.args)))
        return library

    def serialize_using_object_code(self) -> bytes:
        """The library for the cache."""
        self._ensure_finalized()
        return bytes(self._get_compiled_object())

    @classmethod
    def from_object(cls, codegen: Any, name: str, compiled: bytes) -> "CalledLibrary":
        """A library from the cache."""
        library = cls(codegen, name)
        library.enable_object_caching()
        library._set_compiled_object(compiled)
        library._finalize_final_module()
        return library


@register_pass(mutates_CFG=True, analysis_only=False)
class CalledLowering(NativeLowering):  # type: ignore[misc]
    """Numba's lowering, into a called library."""

    _name = "called_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower the function."""
        state.func_id.unique_id = 0
        state.library = CalledLibrary.of(state)
        return bool(super().run_pass(state))


def _with_lowering(state: Any, lowering: type[NativeLowering]) -> list[Any]:
    """Numba's usual pipeline with another lowering."""
    manager = DefaultPassBuilder.define_nopython_pipeline(state)
    manager.passes = [(lowering, about) if made is NativeLowering else (made, about) for made, about in manager.passes]
    manager._finalized = False
    manager.finalize()
    return [manager]


class LinkedCompiler(CompilerBase):  # type: ignore[misc]
    """Compiles linked kernels."""

    def define_pipelines(self) -> list[Any]:
        """The passes."""
        return _with_lowering(self.state, LinkedLowering)


class CalledCompiler(CompilerBase):  # type: ignore[misc]
    """Compiles called kernels."""

    def define_pipelines(self) -> list[Any]:
        """The passes."""
        return _with_lowering(self.state, CalledLowering)


class _LinkedCacheImpl(CompileResultCacheImpl):  # type: ignore[misc]
    """How a compiled function is read from the cache into a library of ours."""

    read: Any = LinkedLibrary.from_bitcode

    def rebuild(self, target_context: Any, payload: Any) -> CompileResult:
        """As Numba does it, but for the library."""
        stored, fndesc, env, signature, objectmode, lifted, annotation, reload_init, environments = payload
        itself = (fndesc.modname, fndesc.qualname)
        for again in reload_init:
            if not isinstance(again, Reload) or (again.module, again.name) != itself:
                again()
        library = type(self).read(target_context.codegen(), fndesc.qualname, stored)
        library._reload_init.update(reload_init)
        return CompileResult(
            target_context=target_context, typing_context=target_context.typing_context, library=library,
            environment=env, entry_point=target_context.get_executable(library, fndesc, env), fndesc=fndesc,
            type_annotation=annotation, signature=signature, objectmode=objectmode, lifted=lifted, typing_error=None,
            call_helper=None, metadata=None, reload_init=reload_init, referenced_envs=environments,
        )  # fmt: skip


class LinkedCache(FunctionCache):  # type: ignore[misc]
    """Kept versions of a linked kernel."""

    _impl_class = _LinkedCacheImpl


class _CalledCacheImpl(_LinkedCacheImpl):
    read = CalledLibrary.from_object


class CalledCache(FunctionCache):  # type: ignore[misc]
    """Kept versions of a called kernel."""

    _impl_class = _CalledCacheImpl
