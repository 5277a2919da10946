/** What is seen through a window: the sea, a town, mountains, trees. */

import { fromHex, type LinearRgb, mix, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import { isLampLit } from "../plan/lighting.ts";
import { isView, type ViewKind } from "../words/lexicon.ts";
import type { BackdropInput } from "./painter.ts";

/** A box of the canvas, in shares of its sides. */
interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly foot: number;
}

/** One of the silhouettes before the sky, the farthest first. */
interface Layer {
  readonly color: string;
  /** Its upper edge at a place along the view, as a share of the window's height from its top. */
  readonly edge: (x: number) => number;
  /** How far the air hides it, 0–1. */
  readonly haze: number;
  /** Some of its windows are lit at night. */
  readonly isBuilt?: boolean;
  /** Its crowns catch the light. */
  readonly isLeafy?: boolean;
}

type Layers = (input: BackdropInput) => readonly Layer[];

const level = (y: number) => () => y;

const views: Readonly<Record<ViewKind, Layers>> = {
  sea: () => [
    { color: "#2f7f9c", edge: level(0.5), haze: 0.15 },
    { color: "#3f93a8", edge: level(0.72), haze: 0 },
  ],
  mountains: ({ noise }) => [
    { color: "#8b9bb0", edge: (x) => 0.62 - 0.42 * noise.fractal(x * 2.3 + 4, 3, 4, 0.01), haze: 0.45 },
    { color: "#5d7263", edge: (x) => 0.78 - 0.28 * noise.fractal(x * 3.1 + 31, 8, 4, 0.01), haze: 0.15 },
  ],
  snowfield: ({ noise }) => [
    { color: "#b9c6d2", edge: (x) => 0.66 - 0.2 * noise.fractal(x * 2 + 7, 5, 3, 0.01), haze: 0.4 },
    { color: "#47584f", edge: (x) => 0.72 - 0.34 * spikes(x * 7 + noise.at(x * 3, 2)), haze: 0.3 },
    { color: "#e9eef3", edge: (x) => 0.76 + 0.05 * noise.at(x * 3, 9), haze: 0 },
  ],
  skyline: ({ noise }) => [
    { color: "#8793a2", edge: (x) => 0.62 - 0.34 * noise.cell(Math.floor(x * 11), 3), haze: 0.4, isBuilt: true },
    { color: "#5f6a78", edge: (x) => 0.84 - 0.4 * noise.cell(Math.floor(x * 6.4), 8), haze: 0.1, isBuilt: true },
  ],
  hills: ({ noise }) => [
    { color: "#93a983", edge: (x) => 0.62 - 0.16 * noise.fractal(x * 1.6 + 2, 3, 2, 0.01), haze: 0.35 },
    { color: "#7f9a55", edge: (x) => 0.76 - 0.14 * noise.fractal(x * 1.9 + 15, 6, 2, 0.01), haze: 0 },
  ],
  foliage: ({ noise }) => [
    { color: "#88a06e", edge: (x) => 0.5 - 0.3 * noise.fractal(x * 6, 3, 3, 0.01), haze: 0.35, isLeafy: true },
    { color: "#5f8444", edge: (x) => 0.78 - 0.3 * noise.fractal(x * 8 + 20, 6, 3, 0.01), haze: 0.1, isLeafy: true },
  ],
  dunes: ({ noise }) => [
    { color: "#d9b382", edge: (x) => 0.66 - 0.14 * noise.fractal(x * 1.4 + 5, 3, 2, 0.01), haze: 0.25 },
    { color: "#cf9f66", edge: (x) => 0.8 - 0.14 * noise.fractal(x * 1.7 + 12, 3, 2, 0.01), haze: 0 },
  ],
  sky: () => [],
};

/** Firs side by side. */
function spikes(x: number): number {
  return Math.abs((x - Math.floor(x)) * 2 - 1) * 0.6 + 0.4 * Math.abs(Math.sin(x * 1.7));
}

/** Half the width of a silhouette's edge, in heights of the window. */
const edgeSoft = 0.012;
/** Crowns are so much lighter and darker than their mean. */
const crownRelief = 0.9;
/** Trees in autumn keep this share of their green, each row of them another. */
const greenInAutumn = [0.1, 0.3] as const;
const litWindow: LinearRgb = [0.85, 0.58, 0.28];

/** Fills a window with what the plan's view is; no view: nothing is painted. */
export function paintView(input: BackdropInput, { left, right, top, foot }: Box): void {
  const { canvas, plan, noise, aspect } = input;
  if (plan.view === null || !isView(plan.view.backdrop)) return;
  const layers = views[plan.view.backdrop](input);
  const isEvening = isLampLit(plan.lightKind);
  const bright = isEvening ? 0.16 : 1.25;
  const low = isEvening ? fromHex("#34406b") : mix(plan.lighting.horizon, [1, 1, 1], 0.3);
  const high = isEvening ? fromHex("#0e1530") : mix(plan.lighting.zenith, [0.85, 0.92, 1], 0.35);
  const own: LinearRgb | null = plan.view.decor === "autumn" ? fromHex("#c4803a") : null;
  const { width, height, planes } = canvas;
  const firstRow = Math.max(0, Math.floor(top * height));
  const lastRow = Math.min(height, Math.ceil(foot * height));
  const downs = Array.from({ length: Math.max(0, lastRow - firstRow) }, (_, i) => {
    const y = ((firstRow + i) / height - top) / (foot - top);
    return { y, sky: scale(mix(high, low, smoothstep(0, 0.7, y)), isEvening ? 1 : 1.15) };
  });
  const colors = layers.map(({ color, haze }, i) => {
    const green = fromHex(color);
    return scale(mix(own === null ? green : mix(own, green, greenInAutumn[i % 2]!), low, haze), bright);
  });
  for (let column = Math.max(0, Math.floor(left * width)); column < Math.min(width, right * width); column++) {
    const x = ((column + 0.5) / width) * aspect;
    const edges = layers.map(({ edge }) => edge(x));
    let at = firstRow * width + column;
    for (const { y, sky } of downs) {
      for (let c = 0; c < 3; c++) planes[c]![at] = sky[c]!;
      for (let i = 0; i < layers.length; i++) {
        const share = Math.min(1, 0.5 + (y - edges[i]!) / (2 * edgeSoft));
        if (share <= 0) continue;
        const { isBuilt, isLeafy } = layers[i]!;
        const isLit = isBuilt && isEvening && noise.cell(Math.floor(x * 60), Math.floor(y * 34)) > 0.83;
        const color = isLit ? litWindow : colors[i]!;
        const crown = isLeafy ? 1 + crownRelief * (noise.fractal(x * 15 + 40 * i, y * 13, 3, 0.01) - 0.5) : 1;
        for (let c = 0; c < 3; c++) planes[c]![at]! += (color[c]! * crown - planes[c]![at]!) * share;
      }
      at += width;
    }
  }
}
