export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Box extends Size {
  readonly left: number;
  readonly top: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Which sides of the photo cut the product off. */
export type CutSides = Readonly<Record<"left" | "top" | "right" | "bottom", boolean>>;

/** The largest size of the same aspect whose longer side is at most `longSideMax`; never larger than `size`. */
export function fitWithin(size: Size, longSideMax: number): Size {
  const scale = Math.min(1, longSideMax / Math.max(size.width, size.height));
  return {
    width: Math.max(1, Math.round(size.width * scale)),
    height: Math.max(1, Math.round(size.height * scale)),
  };
}

/** The smallest box that holds both. */
export function boxAround(a: Box, b: Box): Box {
  const left = Math.min(a.left, b.left);
  const top = Math.min(a.top, b.top);
  const right = Math.max(a.left + a.width, b.left + b.width);
  const bottom = Math.max(a.top + a.height, b.top + b.height);
  return { left, top, width: right - left, height: bottom - top };
}
