/** The motifs of printed paper, woven cloth and laid tiles: how much of each ink is at a point of the print. */

import type { Noise } from "../canvas/noise.ts";
import { smoothstep } from "../canvas/noise.ts";
import type { Print } from "../words/lexicon-patterns.ts";

/** Shares of up to three inks at a point; each covers those before it. */
export type Inks = [number, number, number];

/**
 * Writes the inks at a point.
 *
 * @param u to the right and `v` up or away, in repeats of the print
 * @param soft half a pixel, in the same unit
 */
export type Motif = (u: number, v: number, soft: number, noise: Noise, inks: Inks) => void;

/** 1 inside, where `away` is below 0. */
const within = (away: number, soft: number) => 1 - smoothstep(-soft, soft, away);

/** The place in a repeat, −0.5 … 0.5. */
const local = (t: number) => t - Math.floor(t) - 0.5;

/** How far a point is outside an ellipse that is turned; roughly, in units of the print. */
function outsideEllipse(x: number, y: number, wide: number, tall: number, turn: number): number {
  const cos = Math.cos(turn);
  const sin = Math.sin(turn);
  const a = (x * cos + y * sin) / wide;
  const b = (y * cos - x * sin) / tall;
  return (Math.hypot(a, b) - 1) * Math.min(wide, tall);
}

/** Calls `draw` with the place beside each motif of a grid whose rows are shifted: three by three of them may reach the point. */
function strewn(
  u: number,
  v: number,
  noise: Noise,
  draw: (x: number, y: number, own: number, other: number) => void,
): void {
  const row = Math.floor(v);
  for (let j = row - 1; j <= row + 1; j++) {
    const shift = j & 1 ? 0.5 : 0;
    const column = Math.floor(u - shift);
    for (let i = column - 1; i <= column + 1; i++) {
      const own = noise.cell(i * 7 + 3, j * 5 + 1);
      const other = noise.cell(i * 3 + 60, j * 11 + 17);
      draw(u - shift - i - 0.5 - 0.2 * (other - 0.5), v - j - 0.5 - 0.2 * (own - 0.5), own, other);
    }
  }
}

const isOdd = (index: number) => (index & 1) === 1;

/** Fans that overlap as scales do, with rays and a double rim. */
const artDeco: Motif = (u, v, soft, _noise, inks) => {
  const rise = 0.34;
  const radius = 0.5;
  for (let row = Math.ceil((v - radius) / rise - 1e-9); ; row++) {
    const shift = isOdd(row) ? 0.5 : 0;
    const x = local(u + shift);
    const y = v - row * rise;
    if (y < 0) return;
    const away = Math.hypot(x, y) / radius;
    if (away > 1) continue;
    const turn = Math.atan2(x, y);
    const ray = Math.abs(local(turn / 0.262)) * 0.262 * away * radius;
    const rays = within(ray - 0.006, soft) * within(0.24 - away, soft * 2) * within(away - 0.7, soft * 2);
    const ring = (at: number, half: number) => within((Math.abs(away - at) - half) * radius, soft);
    inks[0] = Math.min(1, rays + ring(0.965, 0.035) + ring(0.8, 0.018) + ring(0.72, 0.012) + ring(0.24, 0.02));
    inks[1] = within((away - 0.15) * radius, soft);
    return;
  }
};

/** A weave's stripes in both directions: broad ones, and thin ones of two other colors. */
const tartan: Motif = (u, v, soft, _noise, inks) => {
  const band = (t: number) => within(Math.abs(local(t)) - 0.17, soft);
  const dark = (t: number) => within(Math.abs(Math.abs(local(t)) - 0.3) - 0.05, soft);
  const line = (t: number) => within(Math.abs(local(t + 0.5)) - 0.014, soft);
  const fine = (t: number) => within(Math.abs(local(t)) - 0.012, soft);
  const twill = 0.5 + 0.3 * (within(Math.abs(local((u + v) * 26)) - 0.25, soft * 26) - 0.5);
  inks[0] = Math.min(1, (band(u) + dark(u)) * twill + (band(v) + dark(v)) * (1 - twill));
  inks[1] = 0.85 * Math.max(line(u), line(v));
  inks[2] = 0.8 * Math.max(fine(u), fine(v));
};

/** Broken checks: four dark and four pale threads in a twill. */
const houndstooth: Motif = (u, v, soft, _noise, inks) => {
  const threads = 8;
  let sum = 0;
  const threadAt = (x: number, y: number) => {
    const i = Math.floor(x * threads);
    const j = Math.floor(y * threads);
    const isWarp = (((i + j) % 4) + 4) % 4 < 2;
    return (((isWarp ? i : j) % 8) + 8) % 8 < 4 ? 1 : 0;
  };
  for (const du of [-0.6, 0, 0.6]) for (const dv of [-0.6, 0, 0.6]) sum += threadAt(u + du * soft, v + dv * soft);
  inks[0] = sum / 9 + (0.5 - sum / 9) * smoothstep(0.1, 0.4, soft);
};

const argyle: Motif = (u, v, soft, _noise, inks) => {
  const x = u;
  const y = v * 0.62;
  const column = Math.floor(x);
  const away = Math.abs(local(x)) + Math.abs(local(y)) - 0.5;
  const shifted = Math.abs(local(x + 0.5)) + Math.abs(local(y + 0.5)) - 0.5;
  inks[0] = within(away, soft);
  inks[1] = isOdd(column) ? 0.85 * within(away, soft) : 0;
  const line = Math.min(Math.abs(away), Math.abs(shifted));
  const cross = Math.abs(Math.abs(local(x)) - Math.abs(local(y)));
  inks[2] = within(Math.min(line + 1, cross) - 0.008, soft);
};

/** A palmette between curved leaves in a lattice. */
const damask: Motif = (u, v, soft, _noise, inks) => {
  const y0 = v / 1.5;
  const column = Math.floor(u);
  const x = Math.abs(local(u));
  const y = local(y0 + (isOdd(column) ? 0.5 : 0)) * 1.5;
  const leaf = (px: number, py: number, wide: number, tall: number, turn: number) =>
    within(outsideEllipse(x - px, y - py, wide, tall, turn), soft);
  const vein = (px: number, py: number, wide: number, tall: number, turn: number) =>
    leaf(px, py, wide, tall, turn) - 0.9 * leaf(px, py, wide * 0.34, tall * 0.74, turn);
  const heart = vein(0, 0.13, 0.085, 0.2, 0);
  const petals =
    vein(0.13, 0.1, 0.055, 0.17, -0.55) + vein(0.2, -0.02, 0.05, 0.15, -1.05) + leaf(0.15, -0.17, 0.035, 0.12, -1.9);
  const foot = leaf(0, -0.2, 0.03, 0.13, 0) + vein(0.07, -0.3, 0.04, 0.12, -0.75) + leaf(0, -0.42, 0.05, 0.05, 0);
  const curl = within(Math.abs(Math.hypot(x - 0.29, y - 0.2) - 0.07) - 0.02, soft) * within(x - 0.36, soft);
  const tip = leaf(0, 0.42, 0.03, 0.08, 0) + leaf(0.08, 0.36, 0.026, 0.09, -0.7);
  const edge = 0.43 - 0.2 * Math.cos((y / 1.5) * 2 * Math.PI) - 0.04;
  const lattice = within(Math.abs(x - Math.abs(edge)) - 0.018, soft) * 0.9;
  const bead = within(Math.hypot(x - Math.abs(edge), local(y * 8) / 8) - 0.032, soft);
  inks[0] = Math.min(1, heart + petals + foot + curl + tip + lattice + bead);
};

/** Blossoms of two sizes with their leaves. */
const floral: Motif = (u, v, soft, noise, inks) => {
  strewn(u, v, noise, (x, y, own) => {
    const turn = own * 6.28;
    for (const side of [0.9, -0.8, 2.6]) {
      const at = turn + side;
      const leaf = outsideEllipse(x - 0.34 * Math.cos(at), y - 0.34 * Math.sin(at), 0.15, 0.055, at);
      inks[2] = Math.max(inks[2], within(leaf, soft) * (1 - 0.4 * within(Math.abs(leaf + 0.055) - 0.006, soft)));
    }
  });
  strewn(u, v, noise, (x, y, own, other) => {
    const size = 0.2 + 0.12 * other;
    const away = Math.hypot(x, y) / size;
    if (away > 1.3) return;
    const around = Math.atan2(y, x) + own * 6.28;
    const petals = 0.78 + 0.22 * Math.abs(Math.cos(2.5 * around)) ** 0.6;
    const blossom = within((away - petals) * size, soft);
    const fold = 0.3 * within(Math.abs(Math.cos(2.5 * around)) - 0.18, soft * 4) * within(away - 0.75, soft * 2);
    const share = blossom * (1 - fold);
    inks[0] = Math.max(inks[0] * (1 - blossom), share);
    inks[2] *= 1 - blossom;
    inks[1] = Math.max(inks[1] * (1 - blossom), within((away - 0.26) * size, soft));
  });
};

/** Branches with leaves and blossoms in one ink, drawn in lines. */
const toile: Motif = (u, v, soft, noise, inks) => {
  strewn(u * 0.8, v * 0.8, noise, (x, y, own) => {
    const s = soft * 0.8;
    const bend = x + 0.18 * Math.sin(y * 5 + own * 6);
    let share = within(Math.abs(bend) - 0.008, s) * within(Math.abs(y) - 0.42, s);
    for (const at of [-0.32, -0.16, 0, 0.16, 0.32]) {
      for (const side of [1, -1]) {
        const leaf = outsideEllipse(bend - side * 0.1, y - at - 0.05, 0.045, 0.1, -side * 0.95);
        const hatch = 0.5 + 0.5 * within(Math.abs(local((x + y) * 22)) - 0.22, s * 22);
        share = Math.max(share, within(leaf, s) * hatch, within(Math.abs(leaf) - 0.006, s));
      }
    }
    const away = Math.hypot(bend, y - 0.42);
    const petals = 0.115 + 0.025 * Math.cos(6 * Math.atan2(y - 0.42, bend));
    share = Math.max(share, within(Math.abs(away - petals) - 0.008, s), within(Math.abs(away - 0.05) - 0.012, s));
    inks[0] = Math.max(inks[0], share);
  });
};

/** Leaves of clover with three or four hearts. */
const clovers: Motif = (u, v, soft, noise, inks) => {
  strewn(u, v, noise, (x, y, own, other) => {
    const size = 0.27 + 0.1 * own;
    const turn = (other - 0.5) * 1.6;
    const parts = own > 0.7 ? 4 : 3;
    const around = Math.atan2(x, y) + turn;
    const away = Math.hypot(x, y) / size;
    const along = local((around * parts) / (2 * Math.PI) + 0.5) * ((2 * Math.PI) / parts);
    const px = Math.abs(away * Math.sin(along));
    const py = away * Math.cos(along);
    const lobe = Math.min(Math.hypot(px - 0.24, py - 0.68) - 0.29, Math.max(px - 0.62 * py, py - 0.78));
    const leaf = within(lobe * size, soft) * (away > 0.03 ? 1 : 0);
    const stem = within(Math.abs(x + 0.05 * Math.sin(y * 9)) - 0.014, soft) * within(y, soft) * within(-y - 0.36, soft);
    inks[0] = Math.max(inks[0], leaf, stem);
    const pale = within(Math.abs(py - 0.5 - 0.3 * px) - 0.035, soft / size) * leaf;
    inks[1] = Math.max(inks[1] * (1 - leaf), 0.75 * pale);
  });
};

const stars: Motif = (u, v, soft, noise, inks) => {
  strewn(u, v, noise, (x, y, own, other) => {
    const size = other > 0.45 ? 0.2 + 0.08 * own : 0.09;
    const turn = Math.atan2(x, y) + (own - 0.5) * 0.7;
    const along = Math.abs(local((turn * 5) / (2 * Math.PI) + 0.5)) * ((2 * Math.PI) / 5);
    const away = Math.hypot(x, y);
    // The straight side from a tip to the notch beside it.
    const side = away * (Math.cos(along) * 0.588 + Math.sin(along) * 0.809) - 0.588 * size * 0.62 - 0.1 * size;
    inks[0] = Math.max(inks[0], within(Math.max(side, away - size * 1.1), soft));
  });
};

const hearts: Motif = (u, v, soft, noise, inks) => {
  strewn(u, v, noise, (x0, y0, own, other) => {
    const size = 0.15 + 0.08 * own;
    const lean = (other - 0.5) * 0.7;
    const x = Math.abs((x0 * Math.cos(lean) - y0 * Math.sin(lean)) / size);
    const y = (y0 * Math.cos(lean) + x0 * Math.sin(lean)) / size;
    const lobe = Math.hypot(x - 0.5, y - 0.35) - 0.62;
    const point = Math.max(0.76 * x - 0.65 * y - 0.66, y - 0.4, x - 1.05);
    inks[other > 0.6 ? 1 : 0] = Math.max(inks[other > 0.6 ? 1 : 0], within(Math.min(lobe, point) * size, soft));
  });
};

/** Rosettes: broken dark rings around a spot of a darker ground. */
const leopard: Motif = (u, v, soft, noise, inks) => {
  strewn(u * 1.5, v * 1.5, noise, (x, y, own, other) => {
    const s = soft * 1.5;
    const bend = 0.13 * (noise.at(u * 6 + own * 9, v * 6) - 0.5);
    const around = Math.atan2(y, x);
    const away = Math.hypot(x * (0.85 + 0.3 * own), y) + bend;
    const size = 0.25 + 0.1 * other;
    const gap = smoothstep(-0.35, 0.1, Math.sin(2 * around + own * 6.3) + 0.5 * Math.sin(3 * around + other * 6));
    inks[0] = Math.max(inks[0], 0.8 * within(away - size, s));
    inks[1] = Math.max(inks[1], within(Math.abs(away - size) - 0.085 * gap - 0.01, s) * smoothstep(0.02, 0.3, gap));
  });
};

const zebra: Motif = (u, v, soft, noise, inks) => {
  const bend = noise.fractal(u * 1.1 + 3, v * 0.9 + 8, 2, 0.2) - 0.5;
  const wave = Math.sin((v * 3.2 + 3.2 * bend + 0.5 * Math.sin(u * 1.7)) * 2 * Math.PI);
  const width = 0.35 * (noise.at(u * 1.6 + 40, v * 1.6) - 0.5);
  inks[0] = smoothstep(-soft * 14, soft * 14, wave + width);
};

const cow: Motif = (u, v, soft, noise, inks) => {
  inks[0] = smoothstep(0.53 - soft * 0.7, 0.53 + soft * 0.7, noise.fractal(u * 0.9 + 20, v * 0.9, 3, soft * 2));
};

const camouflage: Motif = (u, v, soft, noise, inks) => {
  for (const [at, ink] of [0, 1, 2].entries()) {
    const field = noise.fractal(u * 0.8 + 31 * ink, v * 1.2 + 17 * ink, 3, soft);
    inks[at as 0 | 1 | 2] = smoothstep(0.55 - soft * 0.7, 0.55 + soft * 0.7, field);
  }
};

/** Rings of dye that ran from a knot. */
const tieDye: Motif = (u, v, _soft, noise, inks) => {
  const x = u * 0.42 + 0.3;
  const y = v * 0.42 - 0.2;
  const away = Math.hypot(x, y) + 0.2 * (noise.fractal(u * 1.4, v * 1.4, 4, 0.02) - 0.5);
  const turn = Math.atan2(y, x) / (2 * Math.PI);
  const ring = (shift: number) =>
    0.9 * smoothstep(-0.15, 0.75, Math.cos(2 * Math.PI * (away * 0.9 + turn * 2 + shift)));
  inks[0] = ring(0);
  inks[1] = ring(0.33);
  inks[2] = ring(0.67);
};

/** Circles, triangles, zigzags and bars, one in each repeat. */
const geometric: Motif = (u, v, soft, noise, inks) => {
  strewn(u, v, noise, (x0, y0, own, other) => {
    const turn = other * 6.28;
    const x = x0 * Math.cos(turn) - y0 * Math.sin(turn);
    const y = y0 * Math.cos(turn) + x0 * Math.sin(turn);
    const kind = Math.floor(own * 5);
    const zig = Math.max(Math.abs(y - 0.09 * (2 * Math.abs(local(x * 5)) - 0.5)) - 0.03, Math.abs(x) - 0.32);
    const triangle = Math.max(-y - 0.14, 0.87 * Math.abs(x) + 0.5 * y - 0.14);
    const half = Math.max(Math.hypot(x, y) - 0.23, -y);
    const ring = Math.abs(Math.hypot(x, y) - 0.17) - 0.035;
    const bar = Math.max(Math.abs(y) - 0.055, Math.abs(x) - 0.25);
    const away = [zig, triangle, half, ring, bar][kind] ?? ring;
    const ink = (Math.floor(other * 30) % 3) as 0 | 1 | 2;
    inks[ink] = Math.max(inks[ink], within(away, soft));
  });
};

/** Large leaves over each other: fans of a palm, and broad ones with notches. */
const leaves: Motif = (u, v, soft, noise, inks) => {
  for (const [ink, shift] of [
    [0, 0],
    [1, 0.37],
    [2, 0.71],
  ] as const) {
    strewn(u * 0.8 + shift, v * 0.8 + 1.7 * shift, noise, (x0, y0, own, other) => {
      const turn = (own + shift) * 6.28;
      const x = x0 * Math.cos(turn) - y0 * Math.sin(turn);
      const y = y0 * Math.cos(turn) + x0 * Math.sin(turn);
      const s = soft * 0.8;
      const wide = other > 0.45 ? 0.26 : 0.17;
      const body = outsideEllipse(x, y, wide, 0.52, 0);
      const notch = Math.abs(local(y * 6.5 - Math.abs(x) * 4.5)) / 6.5 - 0.02;
      const isNotched = other > 0.45 ? 1 : 0.6;
      const cut = within(notch, s) * smoothstep(0.1 * wide, 0.7 * wide, Math.abs(x)) * isNotched;
      const rib = within(Math.abs(x) - 0.012, s);
      const leaf = within(body, s) * (1 - cut);
      if (leaf <= 0) return;
      for (let c = 0; c < 3; c++) inks[c]! *= 1 - leaf;
      inks[ink] = Math.max(inks[ink], leaf * (1 - 0.45 * rib));
    });
  }
};

const zigzag: Motif = (u, v, soft, _noise, inks) => {
  const bent = v * 2 + 2 * Math.abs(local(u * 1.5)) * 0.9;
  inks[0] = within(Math.abs(local(bent)) - 0.25, soft * 2.2);
};

const stripes: Motif = (u, _v, soft, _noise, inks) => {
  inks[0] = within(Math.abs(local(u * 1.6)) - 0.25, soft * 1.6);
};

const dots: Motif = (u, v, soft, _noise, inks) => {
  const row = Math.floor(v * 2);
  const x = local(u * 2 + (isOdd(row) ? 0.5 : 0));
  inks[0] = within((Math.hypot(x, local(v * 2)) - 0.26) / 2, soft);
};

const checks: Motif = (u, v, soft, _noise, inks) => {
  const band = (t: number) => within(Math.abs(local(t * 1.6)) - 0.25, soft * 1.6);
  inks[0] = 0.5 * (band(u) + band(v));
};

/** Broad bands that swing, one color beside the next. */
const waves: Motif = (u, v, soft, _noise, inks) => {
  const t = v * 0.75 + 0.2 * Math.sin(u * 2.1) + 0.05 * Math.sin(u * 4.3 + 1);
  const place = t - Math.floor(t);
  const band = (from: number, to: number) => within(Math.max(from - place, place - to), soft);
  inks[0] = band(0.25, 0.52);
  inks[1] = band(0.5, 0.77);
  inks[2] = band(0.75, 1.01);
};

/** Stars of eight points and the crosses between them. */
const zellige: Motif = (u, v, soft, _noise, inks) => {
  const x = Math.abs(local(u));
  const y = Math.abs(local(v));
  const square = Math.max(x, y);
  const diamond = (x + y) / Math.SQRT2;
  const star = Math.min(square, diamond) - 0.31;
  const inner = Math.min(square, diamond) - 0.17;
  const corner = Math.min(Math.max(0.5 - x, 0.5 - y), (1 - x - y) / Math.SQRT2) - 0.1;
  inks[0] = within(star, soft);
  inks[1] = within(inner, soft) * (1 - within(Math.hypot(x, y) - 0.07, soft));
  inks[2] = within(corner, soft);
  const joint = 0.9 * within(Math.min(Math.abs(star), Math.abs(inner), Math.abs(corner)) - 0.008, soft);
  for (let c = 0; c < 3; c++) inks[c]! *= 1 - joint;
};

export const motifs: Readonly<Record<Print, Motif>> = {
  "art-deco": artDeco,
  tartan,
  houndstooth,
  argyle,
  damask,
  floral,
  toile,
  clovers,
  stars,
  hearts,
  leopard,
  zebra,
  cow,
  camouflage,
  "tie-dye": tieDye,
  geometric,
  leaves,
  zigzag,
  waves,
  zellige,
  stripes,
  dots,
  checks,
};
