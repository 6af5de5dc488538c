"""Kernels and structures at addresses, so that one compiled kernel can call others that it was not compiled with.

- `function_at(signature)` returns a function that calls a kernel at an address with fixed types.
- `@hook(signature)` compiles such a kernel, when its address is first asked for (`address_of`), and keeps it on disk.
- `structure_at(template)` returns a function that reads a named tuple of arrays and numbers at an address;
  `pack` lays it out there.

Calls use Numba's own calling convention, so an exception that a kernel raises reaches whoever called the caller. With
the compiler off there are no addresses: functions and structures stand for themselves.
"""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numba
import numpy as np
import numpy.typing as npt
from numba import types
from numba.extending import intrinsic

from cardwin.core.kernel import COMPILED, compile_hook

F = TypeVar("F", bound=Callable[..., Any])

NOTHING = 0 if COMPILED else None  # in place of a function or a structure

# Types of signatures: a number, rows of numbers, a table of random streams, nothing and two numbers as results.
INT, VOID, PAIR = types.int64, types.void, types.UniTuple(types.int64, 2)
INTS, FLOATS, STREAMS = types.Array(INT, 1, "C"), types.Array(types.float64, 1, "C"), types.Array(INT, 2, "C")
READ_ONLY_WORDS = types.Array(types.int32, 1, "C", readonly=True)
record_type = numba.from_dtype

if COMPILED:
    from llvmlite import ir
    from numba.core import cgutils
    from numba.np.arrayobj import populate_array

    def function_at(signature: Any) -> Any:
        """Return a function (address, arguments as a tuple) that calls the kernel there."""

        @intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
        def call(typing: Any, address: Any, arguments: Any) -> Any:  # noqa: ARG001  the signature is Numba's
            def write(context: Any, builder: Any, found: Any, values: Any) -> Any:
                convention, wanted = context.call_conv, signature.args
                kind = convention.get_function_type(signature.return_type, wanted)
                pointer = builder.inttoptr(values[0], kind.as_pointer())
                unpacked = cgutils.unpack_tuple(builder, values[1], len(wanted))
                cast = [context.cast(builder, *each) for each in zip(unpacked, found.args[1], wanted, strict=True)]
                status, result = convention.call_function(builder, pointer, signature.return_type, wanted, cast)
                with cgutils.if_unlikely(builder, status.is_error):
                    convention.return_status_propagate(builder, status)
                return result

            return signature.return_type(types.int64, arguments), write

        return call

    def structure_at(template: Callable[[], Any]) -> Any:
        """Return a function that reads the structure at an address, of the same types as the template."""

        @intrinsic  # type: ignore[untyped-decorator]
        def read(typing: Any, address: Any) -> Any:  # noqa: ARG001
            kind = numba.typeof(template())

            def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
                word = ir.IntType(64)
                start = builder.inttoptr(arguments[0], word.as_pointer())
                places = iter(range(1 << 30))

                def words() -> Iterator[Any]:
                    for place in places:
                        yield builder.load(builder.gep(start, [ir.Constant(word, place)]))

                return _read(context, builder, kind, words())

            return kind(types.int64), write

        return read

    def _read(context: Any, builder: Any, kind: Any, words: Iterator[Any]) -> Any:
        """Return the value of a type from the next words."""
        if isinstance(kind, types.BaseTuple):
            return context.make_tuple(builder, kind, [_read(context, builder, part, words) for part in kind])
        if isinstance(kind, types.Array):
            array = context.make_array(kind)(context, builder)
            data = builder.inttoptr(next(words), array.data.type)
            shape = [next(words) for _ in range(kind.ndim)]
            size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
            strides = [size]
            for length in reversed(shape[1:]):
                strides.insert(0, builder.mul(strides[0], length))
            populate_array(array, data, shape, strides, size, None)
            return array._getvalue()
        value = next(words)
        if isinstance(kind, types.Boolean):
            return builder.trunc(value, ir.IntType(1))
        return builder.bitcast(value, context.get_value_type(kind)) if isinstance(kind, types.Float) else value

else:

    def function_at(signature: Any) -> Any:  # noqa: ARG001
        """Return a function that calls a function."""
        return lambda function, arguments: function(*arguments)

    def structure_at(template: Callable[[], Any]) -> Any:  # noqa: ARG001
        """Return a function that returns a structure."""
        return lambda structure: structure


def hook(signature: Any) -> Callable[[F], F]:
    """Compile a function with fixed types when its address is first asked for; it makes and returns no array."""

    def decorate(function: F) -> F:
        if not COMPILED:
            return function
        compiled: F = compile_hook(function)
        compiled.signature = signature  # type: ignore[attr-defined]
        return compiled

    return decorate


def address_of(compiled: Any) -> Any:
    """Return the address of a hook, which is compiled or read from disk if that has not been done."""
    if not COMPILED or compiled is None:
        return NOTHING if compiled is None else compiled
    if not compiled.overloads:
        compiled.compile(compiled.signature)
    result = compiled.overloads[compiled.signature.args]
    return result.library.get_pointer_to_function(result.fndesc.llvm_func_name)


def pack(structure: Any, template: Any) -> npt.NDArray[np.int64]:
    """Return the words that `structure_at` reads: addresses and shapes of arrays, and numbers.

    Raises:
        TypeError: the structure has other types than the template, so that kernels would misread it.

    """
    return np.array(list(_words(structure, template)), np.int64)


def _words(value: Any, template: Any) -> Iterator[int]:
    if isinstance(template, tuple):
        for each, part in zip(value, template, strict=True):
            yield from _words(each, part)
    elif isinstance(template, np.ndarray):
        if not isinstance(value, np.ndarray) or (value.dtype, value.ndim) != (template.dtype, template.ndim):
            raise TypeError(f"expected an array of {template.ndim} dimensions of {template.dtype}, got {value!r}")
        if not value.flags.c_contiguous:
            raise TypeError(f"expected a contiguous array, got strides {value.strides}")
        yield value.ctypes.data
        yield from value.shape
    elif isinstance(template, float):
        yield int(np.float64(value).view(np.int64))
    else:
        yield int(value)


class _Owner:
    """Memory that keeps what its addresses point at alive."""

    def __init__(self, words: npt.NDArray[np.int64], owned: Any) -> None:
        self.words, self.owned = words, owned
        self.__array_interface__ = words.__array_interface__


def table_of(entries: Any, owned: Any, shape: tuple[int, ...]) -> npt.NDArray[Any]:
    """Return addresses as an array that keeps `owned` alive; with the compiler off, an array of the objects."""
    if COMPILED:
        return np.asarray(_Owner(np.array(entries, np.int64).reshape(shape), owned))
    table = np.empty(shape, object)
    for index, entry in zip(np.ndindex(shape), entries, strict=True):
        table[index] = entry
    return table
