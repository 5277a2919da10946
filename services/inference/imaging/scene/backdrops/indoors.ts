import { addGlow, blurCanvas, fillBox, fillDisc, fillPanel, shadeAround, shadePixels } from "../canvas/canvas.ts";
import type { LinearRgb } from "../canvas/color.ts";
import { fromHsl, luminance, mix, multiply, saturate, scale } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import { isDarkMarble } from "../materials/create-material.ts";
import { isLampLit } from "../plan/lighting.ts";
import type { ScenePlan } from "../plan/scene-plan.ts";
import { settings } from "../words/lexicon.ts";
import { paintPlant, paintPottedPlant } from "./house-plants.ts";
import type { BackdropInput } from "./painter.ts";
import { paintView } from "./views.ts";
import { paintPicture } from "./wall-picture.ts";
import { keyAndAmbient, paintBokeh, paintBricks, paintWall, wallIrradiance } from "./walls.ts";

export function paintTiledWall(input: BackdropInput): void {
  const { canvas, plan, noise, random, aspect } = input;
  const rows = random.between(5, 7);
  // A marble counter in a pink bathroom leaves the walls their tiles.
  const isMarble = plan.surface === "marble" && (!isTinted(plan.backdropColor) || isTinted(plan.surfaceColor));
  const wall = isMarble ? polished(plan.backdropColor) : plan.backdropColor;
  const pale = mix(wall, [0.72, 0.7, 0.66], luminance(wall) < 0.3 ? 0.6 : -0.5);
  const glaze = 0.2 * luminance(wall) ** 1.5;
  shadePixels(canvas, (x, y, out) => {
    const row = Math.floor(y * rows);
    const u = (x * aspect * rows) / 2 + (row % 2) * 0.5;
    const column = Math.floor(u);
    const edge = Math.min((u - column) * 2, (1 - u + column) * 2, y * rows - row, 1 - y * rows + row);
    const joint = 1 - smoothstep(0.02, 0.07, edge);
    const tone = 1 + 0.14 * (noise.cell(column * 3, row * 5) - 0.5);
    const shine = glaze * smoothstep(0.45, 0.8, noise.at(u * 1.7, y * rows * 1.3));
    const light = keyAndAmbient(input, 0.72 * wallIrradiance(input, x, y) * input.gobo.wall(x, y));
    // Veins of a slab end at its joints.
    const vein = isMarble ? noise.fractal(u * 1.1 + 7 * column, y * rows + 5 * row + u, 4, 0.02) : 0;
    const veined = isMarble ? 0.75 * (1 - smoothstep(0.006, 0.05, Math.abs(vein - 0.5))) : 0;
    for (let c = 0; c < 3; c++) {
      const stone = wall[c]! + (pale[c]! - wall[c]!) * veined;
      out[c] = (stone * tone * (1 - 0.3 * joint) + shine) * light[c]!;
    }
  });
  blurCanvas(canvas, 0.007);
}

const isTinted = (color: LinearRgb) => Math.max(...color) > 1.6 * Math.min(...color);

function polished(color: LinearRgb): LinearRgb {
  return isDarkMarble(color) ? scale(color, Math.min(1, 0.13 / luminance(color))) : color;
}

export function paintBrickWall(input: BackdropInput): void {
  paintBricks(input, input.plan.backdropColor);
  blurCanvas(input.canvas, 0.007);
}

/** Objects on shelves, so far behind the focus that only their shapes show. */
export function paintShelves(input: BackdropInput): void {
  paintWall(input);
  const { canvas, plan, random, aspect } = input;
  const room = keyAndAmbient(input, 0.55);
  const boardColor = multiply(mix(plan.backdropColor, [0.42, 0.27, 0.15], 0.55), room);
  const boards = random.pick([[0.34, 0.72], [0.5], [0.26, 0.58, 0.9]]);
  for (const y of boards) {
    let x = random.between(-0.02, 0.1);
    while (x < 1) {
      const tall = random.between(0.07, 0.2);
      const wide = (tall * random.between(0.35, 0.9)) / aspect;
      const color = multiply(objectColor(input), room);
      if (random.chance(0.78)) {
        if (random.chance(0.35)) fillDisc(canvas, x + wide / 2, y - tall * 0.4, tall * 0.42, color, 0.95);
        else fillBox(canvas, x, y - tall, x + wide, y, color);
        fillBox(
          canvas,
          x + wide * 0.12,
          y - tall * 0.85,
          x + wide * 0.3,
          y - tall * 0.2,
          mix(color, [0.9, 0.9, 0.85], 0.5),
          0.4,
        );
        if (random.chance(0.25)) paintPlant(input, x + wide / 2, y - tall, tall);
      }
      x += wide + random.between(0.012, 0.09);
    }
    fillBox(canvas, 0, y, 1, y + 0.03, boardColor);
    fillBox(canvas, 0, y + 0.03, 1, y + 0.075, scale(boardColor, 0.45), 0.3);
  }
  paintLampGlow(input);
  blurCanvas(canvas, 0.016);
  if (isLampLit(plan.lightKind) && plan.lightKind !== "dramatic") paintBokeh(input, 24);
}

export function paintInterior(input: BackdropInput): void {
  paintWall(input);
  const { canvas, plan, random, lampSide, aspect } = input;
  const room = keyAndAmbient(input, 0.5);
  const evening = isLampLit(plan.lightKind);
  if (!plan.without.has("windows") && !hangsOnBothSides(plan)) paintWindow(input, evening);
  const far = lampSide > 0 ? 0 : 0.5;
  const pieces = plan.without.has("furniture") ? 0 : random.integer(2, 4);
  for (let i = 0; i < pieces; i++) {
    const x = far + random.next() * 0.4;
    const top = random.between(0.5, 0.78);
    const box = [x, top, x + random.between(0.12, 0.3), 1] as const;
    const color = multiply(objectColor(input), room);
    shadeAround(canvas, box, 0.1);
    fillPanel(canvas, box, color, lampSide);
    fillBox(canvas, x - 0.008 / aspect, top, box[2] + 0.008 / aspect, top + 0.022, scale(color, 1.3));
  }
  if (!plan.without.has("pictures")) {
    paintPicture(input, far + random.between(0.12, 0.34), 0.12, 0.13, 0.43);
  }
  paintPottedPlant(input, far + random.between(0.12, 0.4), random.between(0.96, 1), random.between(0.34, 0.44));
  paintLampGlow(input);
  blurCanvas(canvas, 0.028);
  if (evening) paintBokeh(input, plan.lightKind === "lamps" ? 10 : 26);
}

/** The second thing on a wall hangs where the window would be; one with a view stays. */
function hangsOnBothSides({ things, view }: ScenePlan): boolean {
  const hanging = things.filter(({ place }) => place === "wall").reduce((sum, { count }) => sum + count, 0);
  return hanging > 1 && view === null;
}

/** Trees and sky, seen where a theme says nothing of what is outside. */
const garden = settings.get("garden")!;

/** A window with glazing bars and a sill, by day so bright that it veils the trees outside and the wall around it. */
export function paintWindow(input: BackdropInput, evening: boolean): void {
  const { canvas, plan, random, lampSide, aspect } = input;
  const wide = random.between(0.2, 0.3) * (plan.view === null ? 1 : 1.5);
  const left = lampSide > 0 ? Math.min(random.between(0.66, 0.78), 1.02 - wide) : random.between(0.02, 0.12);
  const right = left + wide;
  const edge = 0.024 / aspect;
  const frame = multiply(mix(plan.backdropColor, [0.86, 0.85, 0.82], 0.75), keyAndAmbient(input, evening ? 0.4 : 0.75));
  shadeAround(canvas, [left - edge, 0.03, right + edge, 0.87], 0.07, 0.3);
  fillBox(canvas, left - edge, 0.03, right + edge, 0.86, frame);
  fillBox(
    canvas,
    left,
    0.06,
    right,
    0.84,
    evening ? [0.05, 0.08, 0.17] : mix(plan.lighting.horizon, [1.5, 1.5, 1.5], 0.6),
  );
  const view = plan.view ?? (evening ? null : garden);
  paintView({ ...input, plan: { ...plan, view } }, { left, right, top: 0.06, foot: 0.84 });
  if (plan.view === null && !evening) fillBox(canvas, left, 0.06, right, 0.84, [1.3, 1.3, 1.24], 0.42);
  const middle = left + wide / 2;
  fillBox(canvas, middle - edge / 2, 0.06, middle + edge / 2, 0.84, frame);
  fillBox(canvas, left, 0.4, right, 0.42, frame);
  fillBox(canvas, left - 2 * edge, 0.84, right + 2 * edge, 0.87, scale(frame, 1.1));
  fillBox(canvas, left - 2 * edge, 0.87, right + 2 * edge, 0.885, scale(frame, 0.5));
  if (!evening) addGlow(canvas, middle, 0.45, 0.3, scale(plan.lighting.horizon, 0.16));
}

function objectColor({ plan, random }: BackdropInput): LinearRgb {
  const kind = random.next();
  if (kind < 0.3) return mix(saturate(plan.backdropColor, 1.2), [0.9, 0.87, 0.8], random.between(0.1, 0.7));
  if (kind < 0.5) return scale(plan.backdropColor, random.between(0.25, 0.6));
  if (kind < 0.66) return mix(plan.accent, [0.6, 0.55, 0.5], 0.4);
  if (kind < 0.86) return fromHsl(random.between(18, 42), random.between(0.2, 0.5), random.between(0.25, 0.6));
  return fromHsl(random.between(80, 200), random.between(0.08, 0.25), random.between(0.25, 0.6));
}

function paintLampGlow({ canvas, plan, random, lampSide }: BackdropInput): void {
  const warm =
    plan.lightKind === "candle" ||
    plan.lightKind === "lamps" ||
    plan.lightKind === "night" ||
    plan.lightKind === "blue-hour" ||
    plan.lightKind === "sunset";
  if (!warm || plan.without.has("lights")) return;
  const x = 0.5 + lampSide * random.between(0.2, 0.4);
  addGlow(canvas, x, random.between(0.15, 0.4), 0.5, [0.5, 0.28, 0.1]);
}
