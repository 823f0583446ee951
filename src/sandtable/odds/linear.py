"""Matrix products in small portions.

Above a certain size the libraries below numpy wake a pool of threads for a product. For matrices as small as ours that
costs more than it brings, many times more on a busy machine, so products are kept below that size.
"""

from __future__ import annotations

import numpy as np

from sandtable.odds.hits import Floats

PORTION = 250_000  # multiplications of a matrix product
LONGEST = 96  # length of a vector that is multiplied with a matrix


def product(left: Floats, right: Floats) -> Floats:
    """`left @ right`."""
    rows, inner = left.shape
    columns = right.shape[1]
    if rows == 1:
        return vector(left[0], right)[None, :]
    if rows * inner * columns <= PORTION:
        return left @ right
    portion = max(1, PORTION // max(1, inner * columns))
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
    """Rows of flow, each multiplied with its own matrix of every stack in turn."""
    for kernel in kernels:
        if flow.shape[1] <= LONGEST:
            flow = (flow[:, None, :] @ kernel)[:, 0, :]
        else:
            flow = np.einsum("bi,bij->bj", flow, kernel)
    return flow
