"""Matrix products in small portions.

Above a certain size the libraries below numpy wake a pool of threads for a product. For matrices as small as ours that
costs more than it brings, many times more on a busy machine, so products are kept below that size.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

PORTION = 250_000  # multiplications of a matrix product
LONGEST = 96  # length of a vector that is multiplied with a matrix


def product(left: Floats, right: Floats) -> Floats:
    """`left @ right`."""
    rows, inner = left.shape
    columns = right.shape[1]
    if rows == 1:
        return vector(left[0], right)[None, :]
    most = PORTION if columns > 1 else LONGEST**2
    if rows * inner * columns <= most:
        return left @ right
    portion = max(1, most // max(1, inner * columns))
    result = np.empty((rows, columns))
    for begin in range(0, rows, portion):
        np.matmul(left[begin : begin + portion], right, out=result[begin : begin + portion])
    return result


def vector(left: Floats, right: Floats) -> Floats:
    """`left @ right` for one vector."""
    if right.size <= LONGEST**2:
        return left @ right
    result: Floats = np.einsum("i,ij->j", left, right)
    return result


def through(flow: Floats, kernels: list[Floats]) -> Floats:
    """A vector multiplied with one matrix after the other."""
    for kernel in kernels:
        flow = vector(flow, kernel)
    return flow
