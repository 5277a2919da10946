/** Things that lie on level ground beside each other, as one motif: each is seen from above and flattened by the camera's low view. */

import type { Motif } from "./motifs.ts";

/** Lengths are those of the group's square, which is from −1 to 1. */
export interface LyingThing {
  readonly motif: Motif;
  readonly x: number;
  /** Its lowest point. */
  readonly foot: number;
  /** Half its length. */
  readonly reach: number;
  /** Its height as the camera sees it, as a share of its length. */
  readonly squash: number;
  /** Cosine and sine of how far it is turned on the ground. */
  readonly cos: number;
  readonly sin: number;
}

/** Motifs leave a margin in their square: they begin this far from its middle. */
const rim = 0.85;

/** The farther behind the nearer. */
export function lyingTogether(things: readonly LyingThing[]): Motif {
  const farthestFirst = things.toSorted((a, b) => b.foot - a.foot);
  const inner = { x: 0, y: 0, soft: 0, lampX: 0, lampY: 0 };
  const own = new Float32Array(4);
  return ({ x, y, soft, lampX, lampY }, out) => {
    out.fill(0);
    for (const { x: cx, foot, reach, squash, cos, sin, motif } of farthestFirst) {
      const px = (x - cx) / reach;
      const py = (y - foot) / reach / squash - rim;
      if (Math.abs(px) > 1.15 || Math.abs(py) > 1.15) continue;
      inner.x = px * cos + py * sin;
      inner.y = -px * sin + py * cos;
      inner.soft = soft / reach;
      inner.lampX = lampX * cos + lampY * sin;
      inner.lampY = -lampX * sin + lampY * cos;
      motif(inner, own);
      const share = own[3]!;
      if (share <= 0) continue;
      const under = out[3]! * (1 - share);
      const all = share + under;
      for (let c = 0; c < 3; c++) out[c] = (own[c]! * share + out[c]! * under) / all;
      out[3] = all;
    }
  };
}
