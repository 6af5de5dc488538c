"""Functions written in LLVM's language: prefetching, and the layers of a 35-20-3 network.

`prefetch` asks the processor for memory that a kernel will read soon, without waiting for it. Large tables and
populations lie outside the processor's caches, where an access takes as long as some hundred operations. A prefetch
reads nothing and changes nothing, so results are the same without it. Uncompiled it does nothing.

`hidden_layer` and `output_sums` compute a network's layers in vector instructions, bit for bit the same as a loop over
nodes and inputs. The compiler cannot prove that the scratch of the hidden sums does not overlap the weights. So it
would store and load every sum again for each four inputs, check for overlaps, and handle the rest of twenty nodes
apart. Here the sums stay in two registers, of 16 and 4 nodes, until all inputs are added, and the activation follows.
The three sums of the output layer are in one register. No operation is contracted or reordered. Callers use these two
only if they are compiled.
"""

from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from cardwin.core.kernel import COMPILED

CACHE_LINE = 64  # bytes that are fetched together

if COMPILED:
    from llvmlite import ir
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
