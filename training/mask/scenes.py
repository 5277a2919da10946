"""Backgrounds on which a network that only knows studios fails: marked roads, checkered floors, furnished rooms, cloth in
folds, darkness, tables with things on them seen from above. Each is [S, S, 3] floats in 0..1, as in backgrounds.py.
"""

import math
import string

import cv2
import numpy as np
from numpy.random import Generator

from surfaces import FLOORS, PatternBank, axes, clouds, color, pale

FINE = 2  # markings are drawn at twice the size, so that their edges are smooth


def _tone(g: Generator) -> np.ndarray:
    return color(g).astype(np.float32)


def _field(bank: PatternBank, g: Generator, side: int, kinds: tuple[str, ...]) -> np.ndarray:
    return cv2.resize(np.ascontiguousarray(bank.field(g, kinds)), (side, side), interpolation=cv2.INTER_LINEAR)


def _asphalt(g: Generator, bank: PatternBank, side: int) -> np.ndarray:
    """Asphalt, concrete, a court's ground, coarse carpet: one color, fine grain, wide stains."""
    tone = np.full(3, g.uniform(0.12, 0.5)) + g.normal(0, 0.02, 3) if g.random() < 0.6 else _tone(g)
    grain = cv2.GaussianBlur(g.random((side, side)).astype(np.float32), (0, 0), g.uniform(0.4, 1.4))
    grain = (grain - 0.5) * g.uniform(0.1, 1.4)
    stains = _field(bank, g, side, ("clouds", "grain", "marble")) - 0.5
    return np.clip(tone * (1 + grain + stains * g.uniform(0.05, 0.5))[..., None], 0, 1).astype(np.float32)


def _bars(g: Generator, side: int) -> np.ndarray:
    """Parallel bars at an angle: crossings, hatched areas, parking bays."""
    x, y = axes(side)
    angle = g.choice([0, math.pi / 2, math.pi / 4, -math.pi / 4, g.uniform(0, math.pi)])
    way = (x * math.cos(angle) + y * math.sin(angle)) * g.uniform(1.5, 9) + g.random()
    return ((way % 1) < g.uniform(0.12, 0.6)).astype(np.float32)


def _checker(g: Generator, side: int) -> np.ndarray:
    x, y = axes(side)
    across, down = g.uniform(2, 12, 2) if g.random() < 0.3 else np.full(2, g.uniform(2, 12))
    angle = g.choice([0, 0, math.pi / 4, g.uniform(0, math.pi)])
    u = (x * math.cos(angle) + y * math.sin(angle)) * across
    v = (y * math.cos(angle) - x * math.sin(angle)) * down
    return ((np.floor(u) + np.floor(v)) % 2).astype(np.float32)


def _lines(g: Generator, side: int) -> np.ndarray:
    """Some lines, arcs, arrows and letters."""
    paint = np.zeros((side, side), np.uint8)
    for _ in range(int(g.integers(1, 6))):
        thick = int(g.uniform(0.01, 0.09) * side) + 1
        kind = g.random()
        if kind < 0.55:
            a, b = g.uniform(-0.3, 1.3, (2, 2)) * side
            cv2.line(paint, np.int32(a).tolist(), np.int32(b).tolist(), 255, thick, cv2.LINE_AA)
        elif kind < 0.75:
            center = np.int32(g.uniform(-0.3, 1.3, 2) * side).tolist()
            cv2.circle(paint, center, int(g.uniform(0.15, 0.8) * side), 255, thick, cv2.LINE_AA)
        elif kind < 0.9:
            letters = "".join(g.choice(list(string.ascii_uppercase + string.digits), int(g.integers(1, 5))))
            at = np.int32(g.uniform([-0.1, 0.3], [0.5, 1.1]) * side).tolist()
            cv2.putText(paint, letters, at, int(g.integers(0, 4)), g.uniform(0.004, 0.02) * side, 255, thick, cv2.LINE_AA)
        else:
            low, high = np.sort(np.int32(g.uniform(-0.2, 1.2, (2, 2)) * side), 0)
            cv2.rectangle(paint, low.tolist(), high.tolist(), 255, -1 if g.random() < 0.5 else thick)
    return paint.astype(np.float32) / 255


def laid(g: Generator, ground: np.ndarray, side: int) -> np.ndarray:
    """The ground from above, or in perspective up to the horizon or to the image's upper edge."""
    if g.random() < 0.45:
        return cv2.resize(ground, (side, side), interpolation=cv2.INTER_AREA)
    n = ground.shape[0]
    horizon = g.uniform(-0.8, 0.0) * side
    spread = g.uniform(0.2, 1.2) * side * (1 + abs(horizon) / side)
    source = np.float32([[0, 0], [n, 0], [n, n], [0, n]])
    target = np.float32([[0, horizon], [side, horizon], [side + spread, side], [-spread, side]])
    matrix = cv2.getPerspectiveTransform(source, target)
    return cv2.warpPerspective(ground, matrix, (side, side), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT)


def _falling_light(g: Generator, picture: np.ndarray) -> np.ndarray:
    x, y = axes(picture.shape[0])
    center = g.uniform(0, 1, 2)
    fall = (x - center[0]) ** 2 * g.uniform(0.3, 1.3) + (y - center[1]) ** 2
    return picture * (1 - g.uniform(0, 0.6) * fall[..., None])


def markings(g: Generator, bank: PatternBank, side: int) -> np.ndarray:
    """A road, a court, a gym's floor: painted marks on a coarse ground."""
    fine = side * FINE
    ground = _asphalt(g, bank, fine)
    for _ in range(1 if g.random() < 0.8 else 2):
        paint = _bars(g, fine) if g.random() < 0.55 else _lines(g, fine)
        worn = np.clip((_field(bank, g, fine, ("grain", "clouds", "veins")) - g.uniform(0, 0.35)) * g.uniform(3, 12), 0, 1)
        worn = 1 - (1 - worn) * g.uniform(0, 0.9)
        ink = np.clip(np.full(3, g.uniform(0.6, 1)) + g.normal(0, 0.02, 3), 0, 1) if g.random() < 0.6 else _tone(g)
        shown = (paint * worn)[..., None]
        grain = ground / max(float(ground.mean()), 0.02)
        ground = ground * (1 - shown) + np.clip(ink * (0.75 + 0.25 * grain), 0, 1) * shown
    return np.clip(_falling_light(g, laid(g, ground.astype(np.float32), side)), 0, 1).astype(np.float32)


def checkered(g: Generator, bank: PatternBank, side: int) -> np.ndarray:
    """Tiles, rugs and cloths in bold checks or stripes."""
    fine = side * FINE
    mark = (_checker(g, fine) if g.random() < 0.55 else _bars(g, fine))[..., None]
    first = _asphalt(g, bank, fine) if g.random() < 0.5 else bank.texture(g, FLOORS, contrast=0.4)
    second = _asphalt(g, bank, fine) if g.random() < 0.5 else bank.texture(g, FLOORS, contrast=0.4)
    first, second = (cv2.resize(np.ascontiguousarray(t), (fine, fine)) for t in (first, second))
    ground = first * (1 - mark) + second * mark
    if g.random() < 0.25:  # tartan
        cross = _bars(g, fine)[..., None] * g.uniform(0.2, 0.6)
        ground = ground * (1 - cross) + _tone(g) * cross
    return np.clip(_falling_light(g, laid(g, ground.astype(np.float32), side)), 0, 1).astype(np.float32)


def _box(picture: np.ndarray, left: float, top: float, right: float, bottom: float, tone) -> None:
    side = picture.shape[0]
    corner = (int(round(left * side)), int(round(top * side)))
    other = (int(round(right * side)) - 1, int(round(bottom * side)) - 1)
    if other[0] >= corner[0] and other[1] >= corner[1]:
        cv2.rectangle(picture, corner, other, [float(c) for c in tone], -1)


def shelf(g: Generator, picture: np.ndarray, left: float, top: float, wide: float, high: float) -> None:
    """Boards with books and boxes on them, closed behind or open to the wall."""
    board = _tone(g)
    thick = g.uniform(0.008, 0.025)
    if g.random() < 0.7:
        _box(picture, left, top, left + wide, top + high, board * g.uniform(0.3, 0.9))
    levels = np.linspace(top, top + high, int(g.integers(2, 6)) + 1)
    for ceiling, level in zip(levels, levels[1:]):
        at = left + thick
        fill = g.uniform(0.3, 1)
        while at < left + wide * fill:
            broad = g.uniform(0.01, 0.03) if g.random() < 0.75 else g.uniform(0.04, 0.12)
            tall = (level - ceiling) * g.uniform(0.4, 0.92)
            if g.random() < 0.85:
                _box(picture, at, level - tall, min(at + broad, left + wide), level, _tone(g))
            at += broad
        _box(picture, left, level - thick / 2, left + wide, level + thick / 2, board)
    for edge in (left, left + wide - thick) if g.random() < 0.7 else ():
        _box(picture, edge, top, edge + thick, top + high, board)


def frame(g: Generator, bank: PatternBank, picture: np.ndarray, left: float, top: float, wide: float, high: float) -> None:
    """A picture, a mirror, a screen, a board."""
    side = picture.shape[0]
    edge = g.uniform(0.005, 0.03)
    _box(picture, left, top, left + wide, top + high, _tone(g))
    if g.random() < 0.5:
        _box(picture, left + edge, top + edge, left + wide - edge, top + high - edge, np.full(3, g.uniform(0.8, 1)))
        edge *= g.uniform(1.5, 4)
    a, b = np.clip(np.int32(np.array([top + edge, top + high - edge]) * side), 0, side)
    c, d = np.clip(np.int32(np.array([left + edge, left + wide - edge]) * side), 0, side)
    if b > a and d > c:
        picture[a:b, c:d] = cv2.resize(bank.texture(g), (d - c, b - a), interpolation=cv2.INTER_AREA)


def window(g: Generator, picture: np.ndarray, left: float, top: float, wide: float, high: float) -> None:
    _box(picture, left, top, left + wide, top + high, np.full(3, g.uniform(0.7, 1)) * [1, 1, g.uniform(0.9, 1.1)])
    bar, tone = g.uniform(0.008, 0.025), _tone(g)
    for x in np.linspace(left, left + wide, int(g.integers(2, 5))):
        _box(picture, x - bar / 2, top, x + bar / 2, top + high, tone)
    for y in np.linspace(top, top + high, int(g.integers(2, 5))):
        _box(picture, left, y - bar / 2, left + wide, y + bar / 2, tone)


def curtain(g: Generator, picture: np.ndarray, left: float, wide: float, bottom: float) -> None:
    side = picture.shape[0]
    a, b = np.clip(np.int32(np.array([left, left + wide]) * side), 0, side)
    if b - a < 2:
        return
    t = np.linspace(0, g.uniform(2, 9) * 2 * math.pi, b - a)
    folds = 0.75 + 0.25 * np.sin(t + g.uniform(0, 2) * np.sin(t * 0.37)) * g.uniform(0.3, 1)
    picture[: int(bottom * side), a:b] = np.clip(_tone(g) * folds[None, :, None], 0, 1)


def seat(g: Generator, picture: np.ndarray, left: float, floor: float, wide: float) -> None:
    """A sofa, a bed, a cupboard, a table from the front: soft blocks, darker below."""
    side, tone = picture.shape[0], _tone(g)
    high = wide * g.uniform(0.25, 0.8)
    for low, tall, inset, light in ((0.25, 0.75, 0.0, 0.85), (0.1, 0.4, 0.02, 1.0), (0.0, 0.3, 0.08, 0.6)):
        corner = np.int32([(left + inset * wide) * side, (floor - (low + tall) * high) * side])
        other = np.int32([(left + (1 - inset) * wide) * side, (floor - low * high) * side])
        shade = [float(c) for c in np.clip(tone * light * g.uniform(0.8, 1.1), 0, 1)]
        round_off = max(1, int(0.04 * wide * side))
        cv2.rectangle(picture, (corner + round_off).tolist(), (other - round_off).tolist(), shade, round_off * 2, cv2.LINE_AA)
        cv2.rectangle(picture, (corner + round_off).tolist(), (other - round_off).tolist(), shade, -1)
    for x in (0.06, 0.92):
        _box(picture, left + x * wide, floor - 0.1 * high, left + (x + 0.02) * wide, floor + 0.05 * high, tone * 0.3)


def furnished(g: Generator, bank: PatternBank, side: int) -> np.ndarray:
    """A room with shelves, pictures, a window, curtains and furniture, sharp or a little out of focus."""
    x, y = axes(side)
    wall = np.clip(np.full(3, g.uniform(0.5, 0.95)) + g.normal(0, 0.04, 3), 0, 1) if g.random() < 0.55 else _tone(g)
    picture = np.array(wall * (1 + g.uniform(-0.3, 0.3) * (x - 0.5) + g.uniform(-0.3, 0.3) * (y - 0.5))[..., None], np.float32)
    if g.random() < 0.2:
        picture = picture * (0.6 + 0.8 * _field(bank, g, side, ("stripes", "tiles", "weave", "marble", "dots"))[..., None])
        picture = np.ascontiguousarray(picture, np.float32)
    horizon = g.uniform(0.4, 0.9)
    for _ in range(int(g.integers(1, 6))):
        kind, wide, high = g.random(), g.uniform(0.1, 0.5), g.uniform(0.1, 0.55)
        left, top = g.uniform(-0.25, 1.0), g.uniform(-0.2, horizon - 0.1)
        if kind < 0.35:
            shelf(g, picture, left, top, wide, max(high, horizon - top) if g.random() < 0.6 else high)
        elif kind < 0.65:
            frame(g, bank, picture, left, top, wide, high)
        elif kind < 0.8:
            window(g, picture, left, top, wide, high)
        else:
            curtain(g, picture, left, wide, horizon if g.random() < 0.7 else 1)
    _floor(g, bank, picture, int(horizon * side))
    for _ in range(int(g.integers(0, 3))):
        wide = g.uniform(0.25, 0.9)
        seat(g, picture, g.uniform(-0.5, 1.2 - wide / 2), horizon + g.uniform(0.0, 0.12), wide)
    if g.random() < 0.55:
        picture = cv2.GaussianBlur(picture, (0, 0), math.exp(g.uniform(-0.7, 1.6)) * side / 256)
    return np.clip(_falling_light(g, picture), 0, 1).astype(np.float32)


def _floor(g: Generator, bank: PatternBank, picture: np.ndarray, horizon: int) -> None:
    side = picture.shape[0]
    texture = np.clip(bank.texture(g, ("wood", "wood", "wood", "tiles", "weave", "checks", "grain"), contrast=g.uniform(0.2, 0.7)), 0, 1)
    n = texture.shape[0]
    spread = g.uniform(0.2, 2.5) * side
    source = np.float32([[0, 0], [n, 0], [n, n], [0, n]])
    target = np.float32([[0, horizon], [side, horizon], [side + spread, side], [-spread, side]])
    matrix = cv2.getPerspectiveTransform(source, target)
    ground = cv2.warpPerspective(texture, matrix, (side, side), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT)
    if g.random() < 0.4:  # a rug
        rug = cv2.resize(bank.texture(g), (n, n))
        corners = np.float32([[-0.1, 0.1], [1.1, 0.1], [1.4, 0.9], [-0.4, 0.9]]) * g.uniform(0.4, 1.2) + g.uniform(-0.3, 0.5, 2)
        corners = np.float32(corners * [side, side - horizon] + [0, horizon])
        matrix = cv2.getPerspectiveTransform(source, corners)
        shown = cv2.warpPerspective(np.ones((n, n), np.float32), matrix, (side, side))[..., None]
        ground = ground * (1 - shown) + cv2.warpPerspective(rug, matrix, (side, side)) * shown
    picture[horizon:] = ground[horizon:]
    if g.random() < 0.6 and horizon < side:  # the skirting board
        high = max(1, int(g.uniform(0.01, 0.05) * side))
        picture[max(0, horizon - high) : horizon] = _tone(g) if g.random() < 0.3 else np.full(3, g.uniform(0.6, 1))


def _folds(g: Generator, side: int) -> np.ndarray:
    """How bright cloth in folds is, [S, S], about 1 where it lies flat."""
    x, y = axes(side)
    warp = cv2.resize(clouds(g, 3, int(g.integers(1, 4))), (side, side)) - 0.5
    height = np.zeros((side, side), np.float32)
    for _ in range(int(g.integers(1, 4))):
        angle = g.uniform(0, math.pi)
        way = (x * math.cos(angle) + y * math.sin(angle) + warp * g.uniform(0.05, 0.5)) * g.uniform(0.7, 5)
        fold = np.abs((way + g.random()) % 1 - 0.5) * 2
        height += math.exp(g.uniform(-6, -3)) * (fold ** g.uniform(1, 3) if g.random() < 0.6 else np.sin(fold * math.pi))
    height = cv2.GaussianBlur(height + g.uniform(0, 0.05) * warp, (0, 0), g.uniform(0.8, 4) * side / 256) * side
    across, down = cv2.Sobel(height, cv2.CV_32F, 1, 0, scale=0.125), cv2.Sobel(height, cv2.CV_32F, 0, 1, scale=0.125)
    angle, lean = g.uniform(0, 2 * math.pi), g.uniform(0.2, 0.9)
    return (1 - lean * (across * math.cos(angle) + down * math.sin(angle))) / np.sqrt(1 + across**2 + down**2)


def draped(g: Generator, bank: PatternBank, side: int) -> np.ndarray:
    """Cloth, a sofa, a bed: folds, seams, a weave, sharp in a band and blurred beyond it."""
    _, y = axes(side)
    shade = _folds(g, side)
    cloth = bank.texture(g, ("weave", "weave", "grain", "clouds", "stripes", "checks", "dots"), contrast=g.uniform(0.05, 0.5))
    cloth = cv2.resize(np.tile(cloth, (2, 2, 1)) if g.random() < 0.5 else cloth, (side, side), interpolation=cv2.INTER_AREA)
    picture = np.clip(cloth * np.clip(shade, 0.2, 1.5)[..., None], 0, 1).astype(np.float32)
    if g.random() < 0.6:  # out of focus behind, and before
        soft = cv2.GaussianBlur(picture, (0, 0), math.exp(g.uniform(0.5, 2.2)) * side / 256)
        away = np.clip((np.abs(y - g.uniform(0.4, 0.9)) - g.uniform(0.05, 0.3)) * g.uniform(3, 8), 0, 1)[..., None]
        picture = picture * (1 - away) + soft * away
    return np.clip(_falling_light(g, picture), 0, 1).astype(np.float32)


def lay(g: Generator, bank: PatternBank, side: int) -> np.ndarray:
    """A table from above, on which boards, slabs, sheets and cloths lie that the image's edge cuts, and small things at the sides."""
    picture = _sheet(g, bank, side)
    throw = g.normal(0, 0.02, 2) * side
    for _ in range(int(g.integers(0, 4))):
        picture = _laid_on(g, picture, _sheet(g, bank, side), _cover(g, side), throw)
    for _ in range(int(g.integers(1, 9)) if g.random() < 0.35 else 0):  # leaves, coins, cutlery, plates
        turn, far = g.uniform(0, 2 * math.pi), g.uniform(0.42, 0.75)
        at = (0.5 + far * np.array([math.cos(turn), math.sin(turn)])) * side
        size = g.uniform(0.02, 0.25) * side * np.array([1, g.uniform(0.15, 1)])
        mask = np.zeros((side, side), np.uint8)
        cv2.ellipse(mask, (at.tolist(), size.tolist(), float(g.uniform(0, 180))), 255, -1, cv2.LINE_AA)
        picture = _laid_on(g, picture, _sheet(g, bank, side), mask.astype(np.float32) / 255, throw / 2)
    return np.clip(_falling_light(g, picture) * g.uniform(0.8, 1.1), 0, 1).astype(np.float32)


def _sheet(g: Generator, bank: PatternBank, side: int) -> np.ndarray:
    """One surface: plain, pale planks, or any floor's texture."""
    kind = g.random()
    if kind < 0.3:
        tone = pale(g) if g.random() < 0.6 else _tone(g)
        return np.clip(tone * (1 + (_field(bank, g, side, ("clouds", "grain", "marble")) - 0.5) * g.uniform(0, 0.2))[..., None], 0, 1)
    if kind < 0.5:
        planks = _field(bank, g, side, ("wood", "stripes", "tiles", "veins"))
        return np.clip(pale(g) * (1 - planks * g.uniform(0.03, 0.3))[..., None], 0, 1)
    return from_above(g, bank, side)


def from_above(g: Generator, bank: PatternBank, side: int) -> np.ndarray:
    """A floor's or a table's texture, seen from above."""
    cut = int(g.uniform(0.3, 1) * 255)
    texture = bank.texture(g, FLOORS, contrast=g.uniform(0.1, 0.8))[:cut, :cut]
    return cv2.resize(np.ascontiguousarray(texture), (side, side), interpolation=cv2.INTER_AREA)


def _cover(g: Generator, side: int) -> np.ndarray:
    """What a sheet covers: all beyond a straight edge, a strip, or a rectangle around a place near the image's edge."""
    x, y = axes(side)
    angle = g.choice([0, math.pi / 2, g.uniform(0, math.pi), g.uniform(0, math.pi)])
    along, across = (x - 0.5) * math.cos(angle) + (y - 0.5) * math.sin(angle), (y - 0.5) * math.cos(angle) - (x - 0.5) * math.sin(angle)
    kind = g.random()
    if kind < 0.5:
        inside = along - g.uniform(-0.45, 0.45)
    elif kind < 0.65:
        inside = g.uniform(0.03, 0.3) - np.abs(along - g.uniform(-0.5, 0.5))
    else:
        center = g.choice([-1, 1], 2) * g.uniform(0.25, 0.6, 2)
        half = g.uniform(0.15, 0.6, 2)
        corner = g.choice([0, g.uniform(0, 0.1)])  # a radius
        beyond = np.abs(np.stack([along - center[0], across - center[1]])) - half[:, None, None] + corner
        inside = corner - np.hypot(*np.maximum(beyond, 0)) - np.minimum(beyond.max(0), 0)
    return np.clip(inside * side + 0.5, 0, 1).astype(np.float32)


def _laid_on(g: Generator, ground: np.ndarray, sheet: np.ndarray, mask: np.ndarray, throw: np.ndarray) -> np.ndarray:
    """The sheet where the mask is, over the ground with its shadow."""
    side = ground.shape[0]
    shift = np.float32([[1, 0, throw[0]], [0, 1, throw[1]]])
    shade = cv2.GaussianBlur(cv2.warpAffine(mask, shift, (side, side), borderMode=cv2.BORDER_REPLICATE), (0, 0), g.uniform(0.5, 6) * side / 256)
    ground = ground * (1 - shade[..., None] * g.uniform(0.05, 0.6))
    return ground * (1 - mask[..., None]) + sheet * mask[..., None]


def _black_cloth(g: Generator, side: int) -> np.ndarray:
    """The sheen of black cloth in folds, lying or hanging, where some light falls on it; [S, S, 3]."""
    x, y = axes(side)
    sheen = np.clip((_folds(g, side) - g.uniform(0.7, 1.0)) * g.uniform(0.8, 3), 0, 1) ** g.uniform(0.7, 1.6)
    ends = 1 / (1 + np.exp(-(y - g.uniform(0.3, 0.9)) * g.choice([-1, 1, 1]) * g.uniform(15, 200)))
    lit = np.zeros((side, side), np.float32) + g.uniform(0, 0.3)
    for _ in range(int(g.integers(1, 4))):
        center, reach = g.uniform(0, 1, 2), g.uniform(0.12, 0.6, 2)
        lit = lit + np.exp(-(((x - center[0]) / reach[0]) ** 2) - ((y - center[1]) / reach[1]) ** 2)
    seen = sheen * np.clip(lit, 0, 1) * (ends if g.random() < 0.7 else 1) * math.exp(g.uniform(-3.5, -1))
    return seen[..., None] * np.clip(1 + g.normal(0, 0.15, 3), 0.4, 1.6)


def night(g: Generator, bank: PatternBank, side: int) -> np.ndarray:
    """Nearly black: a black sheet, a black table, faint light, dim things in the dark."""
    x, y = axes(side)
    tint = np.clip(1 + g.normal(0, 0.12, 3), 0.5, 1.5)
    level = g.uniform(0.0, 0.14)
    picture = np.full((side, side, 3), level, np.float32) * tint
    if g.random() < 0.6:  # a table or floor meets the wall
        horizon = g.uniform(0.35, 0.9)
        mix = 1 / (1 + np.exp(-(y - horizon) * g.uniform(10, 60)))
        picture = picture + (mix * g.uniform(-0.6, 0.9) * level)[..., None]
    for _ in range(int(g.integers(0, 4))):
        center, reach = g.uniform(0, 1, 2), g.uniform(0.1, 0.6, 2)
        glow = np.exp(-(((x - center[0]) / reach[0]) ** 2) - ((y - center[1]) / reach[1]) ** 2)
        picture = picture + (glow * g.uniform(0, 0.18))[..., None] * tint
    if g.random() < 0.3:
        shown = np.clip(cv2.resize(bank.texture(g), (side, side)), 0, 1) * g.uniform(0.02, 0.15)
        picture = picture + cv2.GaussianBlur(shown, (0, 0), math.exp(g.uniform(0, 2)) * side / 256)
    if g.random() < 0.6:
        picture = picture + _black_cloth(g, side)
    if g.random() < 0.5:  # the darkest parts are lost: what is dim ends in patches
        picture = picture - g.uniform(0, 0.12)
    return np.clip(picture, 0, 1).astype(np.float32)
