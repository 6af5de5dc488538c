"""Prefetching: ask the processor for memory that a kernel will read soon, and go on without waiting for it.

Large tables and populations lie outside the processor's caches, where an access takes as long as some hundred
operations. A prefetch reads nothing and changes nothing: results are the same with and without it. Uncompiled it does
nothing.
"""

from typing import Any

from numba import types
from numba.extending import intrinsic

from cardwin.core.kernel import COMPILED

LINE = 64  # bytes that come together

if COMPILED:
    from llvmlite import ir
    from numba.core import cgutils

    @intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
    def prefetch(typing: Any, array: Any, index: Any) -> Any:  # noqa: ARG001  the signature is Numba's
        """Ask for the line with an element of a one-dimensional array; the index may not be negative."""

        def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            number, address = ir.IntType(32), ir.PointerType(ir.IntType(8))
            data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
            place = builder.bitcast(builder.gep(data, [arguments[1]]), address)
            kind = ir.FunctionType(ir.VoidType(), [address, number, number, number])
            call = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
            # To read, into all caches, data.
            builder.call(call, [place, *(ir.Constant(number, value) for value in (0, 3, 1))])
            return context.get_dummy_value()

        return types.void(array, types.int64), write
else:

    def prefetch(array: Any, index: int) -> None:
        """Nothing: uncompiled code does not wait for memory."""
