"""Function pointers and struct pointers: a compiled kernel can call kernels that it was not compiled with.

- `function_at(signature)` returns a function that calls the kernel at an address. Its types are fixed.
- `@hook(signature)` compiles such a kernel at the first `address_of` and caches it on disk.
- `structure_at(template)` returns a function that reads a named tuple of arrays and numbers at an address.
- `pack` writes the words of such a named tuple.

Calls use Numba's calling convention, so exceptions propagate to the caller. With NUMBA_DISABLE_JIT=1 there are no
addresses: functions and structures are passed as objects.
"""

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, TypeVar

import numba
import numpy as np
import numpy.typing as npt
from numba import types
from numba.extending import intrinsic

from cardwin.core.kernel import COMPILED, compile_hook

F = TypeVar("F", bound=Callable[..., Any])

NULL = 0 if COMPILED else None  # the null pointer

# Types of signatures: an integer, arrays, a table of random streams, and the results nothing and two integers.
INT, VOID, PAIR = types.int64, types.void, types.UniTuple(types.int64, 2)
INTS, FLOATS, STREAMS = types.Array(INT, 1, "C"), types.Array(types.float64, 1, "C"), types.Array(INT, 2, "C")
READ_ONLY_WORDS = types.Array(types.int32, 1, "C", readonly=True)
record_type = numba.from_dtype

if COMPILED:
    from llvmlite import ir
    from numba.core import cgutils
    from numba.np.arrayobj import populate_array

    def function_at(signature: Any) -> Any:
        """Return a function of an address and a tuple of arguments that calls the kernel at the address."""

        @intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
        def call(typing: Any, address: Any, arguments: Any) -> Any:  # noqa: ARG001  the signature is Numba's
            def write(context: Any, builder: Any, call_signature: Any, values: Any) -> Any:
                convention, types_ = context.call_conv, signature.args
                function_type = convention.get_function_type(signature.return_type, types_)
                pointer = builder.inttoptr(values[0], function_type.as_pointer())
                unpacked = cgutils.unpack_tuple(builder, values[1], len(types_))
                triples = zip(unpacked, call_signature.args[1], types_, strict=True)
                cast = [context.cast(builder, *triple) for triple in triples]
                status, result = convention.call_function(builder, pointer, signature.return_type, types_, cast)
                with cgutils.if_unlikely(builder, status.is_error):
                    convention.return_status_propagate(builder, status)
                return result

            return signature.return_type(types.int64, arguments), write

        return call

    def structure_at(template: Callable[[], Any]) -> Any:
        """Return a function that reads a structure with the types of the template at an address."""

        @intrinsic  # type: ignore[untyped-decorator]
        def read(typing: Any, address: Any) -> Any:  # noqa: ARG001
            kind = numba.typeof(template())

            def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
                word = ir.IntType(64)
                start = builder.inttoptr(arguments[0], word.as_pointer())

                def words() -> Iterator[Any]:
                    for index in count():
                        yield builder.load(builder.gep(start, [ir.Constant(word, index)]))

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
    """Return a decorator that compiles a function with fixed types at the first `address_of`.

    The function must not create or return arrays.
    """

    def decorate(function: F) -> F:
        if not COMPILED:
            return function
        compiled: F = compile_hook(function)
        compiled.signature = signature  # type: ignore[attr-defined]
        return compiled

    return decorate


def address_of(compiled: Any) -> Any:
    """Return the address of a hook, compiled or read from disk if necessary, or the null pointer for None."""
    if not COMPILED or compiled is None:
        return NULL if compiled is None else compiled
    if not compiled.overloads:
        compiled.compile(compiled.signature)
    result = compiled.overloads[compiled.signature.args]
    return result.library.get_pointer_to_function(result.fndesc.llvm_func_name)


def pack(structure: Any, template: Any) -> npt.NDArray[np.int64]:
    """Return the 64-bit words that `structure_at` reads: addresses and shapes of arrays, and numbers.

    Args:
        structure: a named tuple of arrays, numbers and named tuples. Its arrays must outlive the words.
        template: a named tuple with the expected types.

    Raises:
        TypeError: the types differ from the template's; kernels would misread the structure.

    """
    return np.array(list(_words(structure, template)), np.int64)


def _words(value: Any, template: Any) -> Iterator[int]:
    if isinstance(template, tuple):
        for field, field_template in zip(value, template, strict=True):
            yield from _words(field, field_template)
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
    """Words of addresses, with references to the objects at the addresses."""

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
