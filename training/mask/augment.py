"""What changes an image from one time it is trained on to the next: crops, mirrors, colors, softness."""

import cv2
import numpy as np

from backdrop import with_backdrop

CUT_SHARE, NEAR_SHARE, NEAR_SIDE_MIN = 0.2, 0.35, 48
MIRRORED_SHARE, UPSIDE_DOWN_SHARE, SWAPPED_SHARE, FADED_SHARE = 0.5, 0.08, 0.2, 0.15
DEVELOPED_SHARE, SOFTENED_SHARE = 0.35, 0.1
# Standard deviations in pixels.
SOFTNESS = (0.4, 1.3)
# What a product's box is enlarged by on each side, as a share of its length: mean and standard deviation.
MARGIN = (0.06, 0.05)


def augment(g: np.random.Generator, rendered: np.ndarray, side: int) -> tuple[np.ndarray, np.ndarray]:
    """Crops (each axis by itself, which also changes the aspect), mirrors and recolors; then adds the backdrop channel."""
    picture = rendered
    full = picture.shape[0]
    cut = g.random()
    if cut < CUT_SHARE:
        high, wide = (g.uniform(0.6, 1, 2) * full).astype(int)
        top, left = g.integers(0, full - high + 1), g.integers(0, full - wide + 1)
        picture = picture[top : top + high, left : left + wide]
    elif cut < CUT_SHARE + NEAR_SHARE:
        picture = _near(g, picture)
    if picture.shape[0] != side or picture.shape[1] != side:
        shrinking = picture.shape[0] >= side and picture.shape[1] >= side
        picture = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA if shrinking else cv2.INTER_LINEAR)
    if g.random() < MIRRORED_SHARE:
        picture = picture[:, ::-1]
    if g.random() < UPSIDE_DOWN_SHARE:
        picture = picture[::-1]
    rgb, truth = np.ascontiguousarray(picture[..., :3]), np.ascontiguousarray(picture[..., 3])
    if g.random() < SWAPPED_SHARE:
        rgb = np.ascontiguousarray(rgb[..., g.permutation(3)])
    if g.random() < FADED_SHARE:
        gray = rgb.mean(2, keepdims=True)
        rgb = np.clip(gray + (rgb - gray) * g.uniform(0, 1.3), 0, 255).astype(np.uint8)
    if g.random() < DEVELOPED_SHARE:
        rgb = _developed(g, rgb)
    if g.random() < SOFTENED_SHARE:
        rgb = cv2.GaussianBlur(rgb, (0, 0), g.uniform(*SOFTNESS))
    return with_backdrop(rgb), truth


def _developed(g: np.random.Generator, rgb: np.ndarray) -> np.ndarray:
    """Another contrast and white balance; black stays black, and white white."""
    gammas = np.exp(g.normal(0, 0.35) + g.normal(0, 0.05, 3))
    curves = 255 * (np.arange(256)[:, None] / 255) ** gammas
    return cv2.LUT(rgb, np.round(curves).astype(np.uint8)[:, None])


def _near(g: np.random.Generator, picture: np.ndarray) -> np.ndarray:
    """The region of interest of test-time augmentation: the product's box with a small margin, not always the exact one."""
    rows, columns = (np.flatnonzero((picture[..., 3] > 127).any(axis)) for axis in (1, 0))
    if len(rows) == 0:
        return picture
    (top, bottom), (left, right) = (
        np.clip([at[0] - before * len(at), at[-1] + 1 + after * len(at)], 0, picture.shape[0]).astype(int)
        for at, (before, after) in ((rows, g.normal(*MARGIN, 2)), (columns, g.normal(*MARGIN, 2)))
    )
    if min(bottom - top, right - left) < NEAR_SIDE_MIN:
        return picture
    return picture[top:bottom, left:right]
