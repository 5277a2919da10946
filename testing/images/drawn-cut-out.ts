import type { CutOut } from "../../services/inference/imaging/pixels/cut-out.ts";

/** A cut-out drawn for tests: `inside` says where the product is; its colors tell its pixels apart. */
export function drawnCutOut(width: number, height: number, inside: (x: number, y: number) => boolean): CutOut {
  const rgb = new Uint8Array(width * height * 3);
  const alpha = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      rgb[at * 3] = (x * 7) & 255;
      rgb[at * 3 + 1] = (y * 5) & 255;
      rgb[at * 3 + 2] = (x + y) & 255;
      if (!inside(x, y)) continue;
      // A soft edge of one pixel, as a matte has it.
      const isEdge = !(inside(x - 1, y) && inside(x + 1, y) && inside(x, y - 1) && inside(x, y + 1));
      alpha[at] = isEdge ? 150 : 255;
    }
  }
  return { width, height, rgb, alpha };
}

export const box =
  (left: number, top: number, right: number, bottom: number) =>
  (x: number, y: number): boolean =>
    x >= left && x < right && y >= top && y < bottom;
