"""The backdrop distance: the network's fourth input channel.

A smooth surface is fitted to the colors along the image's edge, and the channel is each pixel's color distance from it.
On a studio sweep the channel is nearly the matte; in a busy scene it is only a hint.

The product computes the same channel in TypeScript (`services/inference/imaging/matting/evidence/backdrop.ts`). The definition, which
both must follow:

1. The image is S x S x 3 u8 sRGB (resized without keeping its aspect).
2. sRGB to CIE Lab, D65 (white 0.95047, 1, 1.08883), floating point: L 0..100. Exact to 0.01; OpenCV's own float
   conversion is off by up to 0.3, too much for white on white.
3. Ring: pixels within k = round(S / 40) of an edge.
4. Features per pixel: [1, x, y, xy, x^2, y^2], x = (column + 0.5) / S, y = (row + 0.5) / S.
5. Weights w = 1 on the ring, then 8 rounds of: weighted least squares for L, a and b with one shared w;
   r = Euclidean Lab residual; s = max(1, 1.5 * median(r)); w = 1 / (1 + (r / s)^2)^2.
6. D = |Lab - fit|; channel = min(255, round(6 D)). Fit residual = median of r over the ring after the last round.
"""

from functools import lru_cache

import numpy as np

ROUNDS = 8
RESIDUAL_SCALE_MIN = 1.0
RESIDUAL_SCALE_GAIN = 1.5
LEVELS_PER_LAB_UNIT = 6.0

_u = np.arange(256) / 255
_LINEAR = np.where(_u <= 0.04045, _u / 12.92, ((_u + 0.055) / 1.055) ** 2.4).astype(np.float32)
_XYZ_OF_RGB = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
# Shares of the white's X, Y and Z.
TO_WHITE_XYZ = _XYZ_OF_RGB / np.array([[0.95047], [1.0], [1.08883]])
_STEPS = 65_536
_TO_STEPS = (TO_WHITE_XYZ * _STEPS).T.astype(np.float32)
_t = np.arange(_STEPS + 64) / _STEPS
_CURVE = np.where(_t > 216 / 24389, np.cbrt(_t), (24389 / 27 * _t + 16) / 116).astype(np.float32)


def lab_of(rgb: np.ndarray) -> np.ndarray:
    """CIE Lab [N, 3] f32 of sRGB [..., 3] u8."""
    f = _CURVE[(_LINEAR[rgb.reshape(-1, 3)] @ _TO_STEPS + 0.5).astype(np.int32)]
    return np.stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])], 1)


@lru_cache(maxsize=8)
def plane(side: int) -> tuple[np.ndarray, np.ndarray]:
    """Features [side*side, 6] and the flat positions of the ring's pixels."""
    axis = (np.arange(side) + 0.5) / side
    y, x = np.meshgrid(axis, axis, indexing="ij")
    features = np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], -1).reshape(-1, 6)
    inside = np.zeros((side, side), bool)
    k = round(side / 40)
    inside[k : side - k, k : side - k] = True
    return features, np.flatnonzero(~inside)


def _lengths(rows: np.ndarray) -> np.ndarray:
    # A third of the time of a sum along the short axis.
    return np.sqrt(np.einsum("ij,ij->i", rows, rows))


def backdrop_distance(rgb: np.ndarray) -> tuple[np.ndarray, float]:
    """Backdrop channel [S, S] u8 and the fit's residual in Lab units, for an image [S, S, 3] u8 RGB."""
    side = rgb.shape[0]
    if rgb.shape != (side, side, 3) or rgb.dtype != np.uint8:
        raise ValueError(f"a square u8 RGB picture is needed, got {rgb.dtype} {rgb.shape}")
    lab = lab_of(rgb)
    features, ring = plane(side)
    seen, wanted = features[ring], lab[ring].astype(np.float64)
    weight = np.ones(len(ring))
    for _ in range(ROUNDS):
        weighted = seen * weight[:, None]
        surface = np.linalg.solve(weighted.T @ seen, weighted.T @ wanted)
        residual = _lengths(wanted - seen @ surface)
        scale = max(RESIDUAL_SCALE_MIN, RESIDUAL_SCALE_GAIN * float(np.median(residual)))
        weight = 1 / (1 + (residual / scale) ** 2) ** 2
    distance = _lengths(lab - (features @ surface).astype(np.float32))
    channel = np.minimum(255, np.rint(distance * LEVELS_PER_LAB_UNIT)).astype(np.uint8)
    return channel.reshape(side, side), float(np.median(residual))


def with_backdrop(rgb: np.ndarray) -> np.ndarray:
    """[S, S, 3] u8 RGB to the network's [S, S, 4] u8."""
    seen = np.empty((*rgb.shape[:2], 4), np.uint8)
    seen[..., :3], seen[..., 3] = rgb, backdrop_distance(rgb)[0]
    return seen
