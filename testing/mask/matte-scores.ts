/** IoU and boundary IoU of a matte against its truth, both cut at 50 %. */

export interface MatteScore {
  readonly iou: number;
  /** Cheng et al., CVPR 2021: IoU of the inner bands of both, 0.4 % of the diagonal wide. */
  readonly boundaryIou: number;
}

/** @param matte and truth u8, width × height */
export function scoreMatte(matte: Uint8Array, truth: Uint8Array, width: number, height: number): MatteScore {
  const a = matte.map((v) => (v >= 128 ? 1 : 0));
  const b = truth.map((v) => (v >= 128 ? 1 : 0));
  const band = Math.max(1, Math.floor(0.004 * Math.hypot(width, height)));
  return { iou: iouOf(a, b), boundaryIou: iouOf(innerBand(a, width, height, band), innerBand(b, width, height, band)) };
}

function iouOf(a: Uint8Array, b: Uint8Array): number {
  let both = 0;
  let either = 0;
  for (let i = 0; i < a.length; i++) {
    both += a[i]! & b[i]!;
    either += a[i]! | b[i]!;
  }
  return either === 0 ? 1 : both / either;
}

function innerBand(mask: Uint8Array, width: number, height: number, radius: number): Uint8Array {
  const core = erode(mask, width, height, radius);
  return mask.map((v, i) => v & (1 - core[i]!));
}

/** Erosion by a square of side 2 radius + 1; outside the image counts as background. */
function erode(mask: Uint8Array, width: number, height: number, radius: number): Uint8Array {
  const run = (length: number, lines: number, at: (line: number, i: number) => number, from: Uint8Array) => {
    const out = new Uint8Array(from.length);
    for (let line = 0; line < lines; line++) {
      let lastZero = -1;
      const zeroBefore = new Int32Array(length);
      for (let i = 0; i < length; i++) {
        if (from[at(line, i)] === 0) lastZero = i;
        zeroBefore[i] = lastZero;
      }
      let nextZero = length;
      for (let i = length - 1; i >= 0; i--) {
        if (from[at(line, i)] === 0) nextZero = i;
        if (i - zeroBefore[i]! > radius && nextZero - i > radius) out[at(line, i)] = 1;
      }
    }
    return out;
  };
  const across = run(width, height, (y, x) => y * width + x, mask);
  return run(height, width, (x, y) => y * width + x, across);
}
