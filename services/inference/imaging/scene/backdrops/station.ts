/** A station's hall: a vault of glass on ribs of steel, a platform with its yellow line, and tracks beside it. */

import { blurCanvas, lensBlur } from "../canvas/canvas.ts";
import { fromHex, type LinearRgb, mix, multiply, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import type { BackdropInput } from "./painter.ts";
import { arriving } from "./props.ts";

/** Half the width of the vault where it is nearest, and the height of the eye above the platform, in heights of the canvas. */
const vaultHalf = 0.95;
const eyeHigh = 0.5;
const ribApart = 0.42;
/** Meridians of the vault, in radians. */
const purlinApart = 0.22;
/** From the middle of the platform to its edge, in heights of the eye. */
const platformHalf = 1.5;
const rails = [2.1, 2.9, 4.4, 5.2] as const;

export function paintStation(input: BackdropInput): void {
  const { canvas, aspect, lampSide, plan } = input;
  const vanishX = 0.5 + 0.1 * lampSide;
  const vanishY = Math.min(0.66, input.horizonY);
  const lit = arriving(input, 0.55);
  const glass = mix(scale(plan.lighting.horizon, 0.85), plan.lighting.zenith, 0.25);
  const colors = {
    steel: multiply(fromHex("#4c5457"), lit),
    slab: multiply(fromHex("#a8a298"), lit),
    line: multiply(fromHex("#d9b23c"), lit),
    bed: multiply(fromHex("#57504a"), lit),
    rail: multiply(fromHex("#b9bcbc"), lit),
  };
  for (let row = 0, at = 0; row < canvas.height; row++) {
    const down = (row + 0.5) / canvas.height - vanishY;
    for (let column = 0; column < canvas.width; column++, at++) {
      const across = ((column + 0.5) / canvas.width - vanishX) * aspect;
      const color = down < 0 ? vaultAt(across, -down, glass, colors.steel) : floorAt(across / down, down, colors);
      for (let c = 0; c < 3; c++) canvas.planes[c]![at] = color[c]!;
    }
  }
  lensBlur(canvas, 0.011);
  blurCanvas(canvas, 0.003);
}

function vaultAt(across: number, up: number, glass: LinearRgb, steel: LinearRgb): LinearRgb {
  const radius = Math.hypot(across, up);
  const depth = vaultHalf / Math.max(0.02, radius);
  const turn = Math.atan2(up, across) / purlinApart;
  const fromRib = Math.abs(depth / ribApart - Math.round(depth / ribApart)) * ribApart;
  const fromPurlin = Math.abs(turn - Math.round(turn)) * purlinApart;
  // Walls carry the vault up to a third of its height.
  const isWall = up < 0.34 * radius;
  const bars = Math.max(1 - smoothstep(0.03, 0.06, fromRib), 0.7 * (1 - smoothstep(0.008, 0.02, fromPurlin)));
  const far = smoothstep(2.5, 7, depth);
  const pane = isWall ? mix(steel, glass, 0.35) : scale(glass, 0.8 + 0.25 * (up / radius));
  return mix(mix(pane, steel, bars * (1 - 0.7 * far)), glass, 0.75 * far);
}

/** @param side to the right of the platform's middle, in heights of the eye */
function floorAt(
  side: number,
  down: number,
  colors: Readonly<Record<"slab" | "line" | "bed" | "rail" | "steel", LinearRgb>>,
): LinearRgb {
  const away = eyeHigh / Math.max(0.02, down);
  const beyond = Math.abs(side) - platformHalf;
  if (beyond < 0) {
    const joint = Math.abs(away * 1.6 - Math.round(away * 1.6)) < 0.04 ? 0.86 : 1;
    return Math.abs(beyond + 0.32) < 0.1 ? colors.line : scale(colors.slab, joint * (0.9 + 0.1 / away));
  }
  if (beyond < 0.16) return scale(colors.steel, 0.7);
  return rails.some((rail) => Math.abs(Math.abs(side) - rail) < 0.06) ? colors.rail : colors.bed;
}
