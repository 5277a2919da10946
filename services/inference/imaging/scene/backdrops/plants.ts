import { addGlow, blurCanvas, fillBox, fillDisc, shadePixels } from "../canvas/canvas.ts";
import type { LinearRgb } from "../canvas/color.ts";
import { fromHsl, luminance, mix, multiply, saturate, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import { paintFirs } from "./firs.ts";
import { isMistyWood, paintMistyWood } from "./misty-wood.ts";
import type { BackdropInput } from "./painter.ts";
import { paintSkyGradient } from "./sky.ts";

const autumnTints: readonly LinearRgb[] = [
  fromHsl(47, 0.86, 0.5),
  fromHsl(38, 0.88, 0.47),
  fromHsl(28, 0.86, 0.43),
  fromHsl(17, 0.78, 0.38),
  fromHsl(8, 0.66, 0.32),
  fromHsl(62, 0.5, 0.36),
  fromHsl(25, 0.6, 0.18),
];

export function paintFoliage(input: BackdropInput): void {
  if (isMistyWood(input.plan)) paintMistyWood(input);
  else paintLeaves(input);
}

/** Leaves far behind the focus: dark ones first, then lit ones, then gaps to the sky as bright discs. */
function paintLeaves(input: BackdropInput): void {
  const { canvas, plan, noise, random, lampSide } = input;
  const { key, ambient, horizon } = plan.lighting;
  const isAutumn = plan.decor === "autumn";
  const strength = (0.55 * luminance(key) + 0.6 * luminance(ambient)) * (isAutumn ? 1.35 : 1);
  const leaf = plan.backdropColor;
  const sunX = 0.5 + 0.42 * lampSide;
  const isLow = plan.lightKind === "golden" || plan.lightKind === "sunset";
  // A low sun shines through the leaves from behind.
  const sunlit = mix(saturate(leaf, 1.2), key, isLow ? 0.55 : 0.3);
  shadePixels(canvas, (x, y, out) => {
    const depth = noise.fractal(x * 2.4 * input.aspect, y * 2.4, 4, 0.01);
    const near = Math.exp(-((x - sunX) ** 2) * 5 - (y - 0.25) ** 2 * 4);
    const share = smoothstep(0.35, 0.7, depth) * 0.6 + near * 0.5;
    for (let c = 0; c < 3; c++)
      out[c] = strength * (leaf[c]! * (0.16 + 0.5 * depth) * (1 - share) + sunlit[c]! * share * 0.9);
  });
  paintTrunks(input, strength);
  const tints: readonly LinearRgb[] = isAutumn
    ? autumnTints
    : [
        scale(leaf, 0.35),
        scale(saturate(leaf, 1.15), 0.7),
        mix(leaf, [0.7, 0.75, 0.25], 0.25),
        mix(leaf, plan.accent, 0.12),
        scale(saturate(leaf, 0.8), 0.5),
      ];
  for (let i = 0; i < 230; i++) {
    const x = random.next();
    const y = random.next();
    const near = Math.exp(-((x - sunX) ** 2) * 6 - (y - 0.2) ** 2 * 4);
    const tint = scale(tints[random.integer(0, tints.length - 1)]!, strength * (0.7 + 1.3 * near));
    fillDisc(canvas, x, y, random.between(0.02, 0.085), tint, random.between(0.15, 0.5));
  }
  blurCanvas(canvas, 0.014);
  const gap = scale(mix(horizon, key, 0.4), 0.55 * strength + 0.12);
  // Gaps form clusters at about the same distance: discs of nearly equal size, few of them bright.
  for (let i = 0; i < 520; i++) {
    const x = random.next();
    const y = random.next() ** 1.3 * 0.92;
    const cluster = smoothstep(0.46, 0.66, noise.fractal(x * 3.4 * input.aspect + 50, y * 3.4, 3, 0.01));
    const near = 0.3 + Math.exp(-((x - sunX) ** 2) * 5 - (y - 0.15) ** 2 * 5);
    const bright = cluster * near * (0.06 + 0.7 * random.next() ** 4);
    const color = mix(gap, scale(sunlit, 1.8 * strength), 0.25 + 0.75 * random.next());
    if (bright > 0.01) fillDisc(canvas, x, y, random.between(0.022, 0.046), scale(color, bright), 1, true, 0.3);
  }
  addGlow(canvas, sunX, 0.08, 0.5, scale(key, 0.4 * strength));
  if (!isLow) return;
  const sunY = plan.lightKind === "sunset" ? 0.5 : 0.34;
  addGlow(canvas, sunX, sunY, 0.6, scale(multiply(key, [1, 0.82, 0.5]), 0.3));
  addGlow(canvas, sunX, sunY, 0.2, scale(multiply(key, [1, 0.88, 0.62]), 0.75));
}

function paintTrunks({ canvas, plan, random }: BackdropInput, strength: number): void {
  const count = random.integer(2, 5);
  for (let i = 0; i < count; i++) {
    const x = random.next();
    const wide = random.between(0.012, 0.045);
    const bark: LinearRgb = scale(
      mix([0.09, 0.065, 0.045], plan.backdropColor, 0.3),
      strength * random.between(0.7, 1.4),
    );
    fillBox(canvas, x, 0, x + wide, 1, bark, 0.8);
    fillBox(canvas, x, 0, x + wide * 0.3, 1, scale(bark, 2.2), 0.4);
  }
}

/** Firs in fog over snow. */
export function paintSnowfield(input: BackdropInput): void {
  paintSkyGradient(input, 0.9);
  paintFirs(input, 3, 1, 1.5);
  blurCanvas(input.canvas, 0.009);
}
