"""Functions written in LLVM's language: pointers, prefetching, and the layers of a 35-20-3 network.

**Pointers**: a compiled kernel can call kernels that it was not compiled with.

- `function_at(signature)` returns a function that calls the kernel at an address. Its types are fixed.
- `@hook(signature)` compiles such a kernel at the first `address_of` and caches it on disk.
- `structure_at(template)` returns a function that reads a named tuple of arrays and numbers at an address.
- `pack` writes the words of such a named tuple.

Calls use Numba's calling convention, so exceptions propagate to the caller. With NUMBA_DISABLE_JIT=1 there are no
addresses: functions and structures are passed as objects.

**Prefetching**: `prefetch` asks the processor for memory that a kernel will read soon, without waiting for it. Large
tables and populations lie outside the processor's caches, where an access takes as long as some hundred operations. A
prefetch reads nothing and changes nothing, so results are the same without it. Uncompiled it does nothing.

**Layers**: `hidden_layer` and `output_sums` compute a network's layers in vector instructions, bit for bit the same as
a loop over nodes and inputs. The compiler cannot prove that the scratch of the hidden sums does not overlap the
weights. So it would store and load every sum again for each four inputs, check for overlaps, and handle the rest of
twenty nodes apart. Here the sums stay in two registers, of 16 and 4 nodes, until all inputs are added, and the
activation follows. The three sums of the output layer are in one register. No operation is contracted or reordered.
Callers use these two only if they are compiled.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any, TypeVar

import numba
import numpy as np
import numpy.typing as npt
from llvmlite import ir
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


CACHE_LINE = 64  # bytes that are fetched together

if COMPILED:
    from numba.core import cgutils

    @intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
    def prefetch(typing: Any, array: Any, index: Any) -> Any:  # noqa: ARG001  the signature is Numba's
        """Prefetch the cache line of an element of a one-dimensional array; the index must not be negative."""

        def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            number, address = ir.IntType(32), ir.PointerType(ir.IntType(8))
            data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
            pointer = builder.bitcast(builder.gep(data, [arguments[1]]), address)
            kind = ir.FunctionType(ir.VoidType(), [address, number, number, number])
            call = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
            # To read, into all caches, data.
            builder.call(call, [pointer, *(ir.Constant(number, value) for value in (0, 3, 1))])
            return context.get_dummy_value()

        return types.void(array, types.int64), write
else:

    def prefetch(array: Any, index: int) -> None:
        """Prefetch the cache line of an element of a one-dimensional array; the index must not be negative."""


NODES, PARTS, ROWS = 20, (16, 4), 36
PASS = 4  # inputs added at once, as in its loops
OUTPUTS = 3

_FLOAT, _INT, _WORD = ir.FloatType(), ir.IntType(32), ir.IntType(64)


def _vector(width: int) -> Any:
    return ir.VectorType(_FLOAT, width)


def _data(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    """Return the address of an array's first number."""
    return context.make_array(kind)(context, builder, array).data


def _at(builder: Any, base: Any, index: int) -> Any:
    return builder.gep(base, [ir.Constant(_WORD, index)])


def _vector_at(builder: Any, address: Any, width: int) -> Any:
    """Return the address of numbers as that of a vector."""
    return builder.bitcast(address, ir.PointerType(_vector(width)))


def _load(builder: Any, address: Any, width: int) -> Any:
    """Load numbers from an address that need not be a multiple of the vector's size."""
    return builder.load(_vector_at(builder, address, width), align=4)


def _repeated(builder: Any, number: Any, width: int) -> Any:
    """Return a vector whose elements all equal a number."""
    empty = ir.Constant(_vector(width), ir.Undefined)
    single = builder.insert_element(empty, number, ir.Constant(_INT, 0))
    return builder.shuffle_vector(single, empty, ir.Constant(ir.VectorType(_INT, width), [0] * width))


def _constant(number: float, width: int) -> Any:
    return ir.Constant(_vector(width), [float(number)] * width)


def _polynomial(builder: Any, x: Any, coefficients: Sequence[float], width: int) -> Any:
    """Return c0 + x (c1 + x (c2 + ...))."""
    total = _constant(coefficients[-1], width)
    for coefficient in reversed(coefficients[:-1]):
        total = builder.fadd(_constant(coefficient, width), builder.fmul(x, total))
    return total


def _soft_tanh(builder: Any, x: Any, width: int, end: float, top: Sequence[float], below: Sequence[float]) -> Any:
    """Return the approximation of tanh of a vector: a ratio of polynomials on -end to end."""
    low, high = _constant(-end, width), _constant(end, width)
    x = builder.select(builder.fcmp_ordered("<", x, low), low, x)
    x = builder.select(builder.fcmp_ordered(">", x, high), high, x)
    y = builder.fmul(x, x)
    numerator = builder.fmul(x, _polynomial(builder, y, top, width))
    return builder.fdiv(numerator, _polynomial(builder, y, (1.0, *below), width))


def hidden_layer(end: float, top: Sequence[float], below: Sequence[float]) -> Any:
    """Return a function (weights, start, inputs (36,), hidden (20,)) that fills in the hidden nodes' activations.

    The activation approximates tanh by x times a ratio of two polynomials in x squared, on -end to end.

    Args:
        end: x is clipped to -end and end.
        top: the numerator's coefficients, ascending.
        below: the denominator's coefficients after a constant 1, ascending.

    """

    @intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
    def fill(typing: Any, weights: Any, start: Any, inputs: Any, hidden: Any) -> Any:  # noqa: ARG001
        def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kinds = signature.args
            row = builder.gep(_data(context, builder, kinds[0], arguments[0]), [arguments[1]])
            source = _data(context, builder, kinds[2], arguments[2])
            out = _data(context, builder, kinds[3], arguments[3])
            sums = [_constant(0.0, width) for width in PARTS]
            for first in range(0, ROWS, PASS):
                values = [builder.load(_at(builder, source, first + k)) for k in range(PASS)]
                node = 0
                for part, width in enumerate(PARTS):
                    a, b, c, d = (
                        builder.fmul(
                            _repeated(builder, value, width),
                            _load(builder, _at(builder, row, (first + k) * NODES + node), width),
                        )
                        for k, value in enumerate(values)
                    )
                    added = builder.fadd(builder.fadd(a, b), builder.fadd(c, d))
                    sums[part] = builder.fadd(sums[part], added)
                    node += width
            node = 0
            for total, width in zip(sums, PARTS, strict=True):
                active = _soft_tanh(builder, total, width, end, top, below)
                builder.store(active, _vector_at(builder, _at(builder, out, node), width), align=4)
                node += width
            return context.get_dummy_value()

        return types.void(weights, types.uint64, inputs, hidden), write

    return fill


@intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
def output_sums(typing: Any, weights: Any, start: Any, hidden: Any) -> Any:  # noqa: ARG001
    """Return the three sums of the output layer that begins at `start`, from hidden (20,), as a tuple."""

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        row = builder.gep(_data(context, builder, signature.args[0], arguments[0]), [arguments[1]])
        nodes = _data(context, builder, signature.args[2], arguments[2])
        total = ir.Constant(_vector(4), ir.Undefined)
        for output in range(OUTPUTS):
            bias = builder.load(_at(builder, row, NODES * OUTPUTS + output))
            total = builder.insert_element(total, bias, ir.Constant(_INT, output))
        for node in range(NODES):
            value = _repeated(builder, builder.load(_at(builder, nodes, node)), 4)
            # The fourth number belongs to the next node, or to the biases; its sum is not used.
            total = builder.fadd(total, builder.fmul(value, _load(builder, _at(builder, row, node * OUTPUTS), 4)))
        sums = [builder.extract_element(total, ir.Constant(_INT, output)) for output in range(OUTPUTS)]
        return context.make_tuple(builder, signature.return_type, sums)

    return types.UniTuple(types.float32, OUTPUTS)(weights, types.uint64, hidden), write
