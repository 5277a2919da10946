/** Small things on the ground and in the air: petals, confetti, glitter, drops of water, falling snow and rain. */

import type { Random } from "@packshot/domain/random.ts";
import type { Camera } from "../canvas/camera.ts";
import { fromHex, luminance, mix } from "../canvas/color.ts";
import { smoothstep } from "../canvas/noise.ts";
import { hasPuddles, type ScenePlan } from "../plan/scene-plan.ts";
import type { PropKind, SurfaceKind } from "../words/lexicon.ts";
import { outdoorBackdrops } from "../words/lexicon.ts";
import { drawAutumnLeaves } from "./fallen-leaves.ts";
import { eachGroundPixel, type GroundSpot } from "./ground-spot.ts";
import { drawPetals } from "./petals.ts";

const drops = 460;
const flakes = 260;
const streaks = 420;
const snippets = 150;
const grains = 900;

/** The props of a scene that are scattered over its ground or fall. */
export function scatteredProps(plan: ScenePlan, view: Camera["view"]): ReadonlySet<PropKind> {
  const isWet = !loose.has(plan.floor);
  const isRaining = view === "level" && outdoorBackdrops.has(plan.backdrop);
  const shows: Readonly<Partial<Record<PropKind, boolean>>> = {
    petals: true,
    confetti: true,
    glitter: true,
    snowfall: true,
    drops: isWet,
    puddles: isWet || hasPuddles(plan),
    rain: isRaining,
  };
  return new Set(plan.props.filter((prop) => shows[prop]));
}

/** @param camera whose ground is the one that the things lie on. */
export function scatterProps(light: Float32Array, plan: ScenePlan, camera: Camera, random: Random): void {
  const scattered = scatteredProps(plan, camera.view);
  if (scattered.has("petals")) drawPetals(light, plan, camera, random);
  // From above they lie below what was laid down.
  if (camera.view === "level") drawAutumnLeaves(light, plan, camera, random);
  if (scattered.has("confetti")) drawConfetti(light, plan, camera, random);
  if (scattered.has("glitter")) drawGlitter(light, plan, camera, random);
  const isSplashed = plan.props.includes("splash") && plan.propColor === null && !loose.has(plan.floor);
  const hasDrops = isSplashed || scattered.has("drops") || (scattered.has("puddles") && !hasPuddles(plan));
  if (hasDrops) for (let i = 0; i < drops * widthOf(plan, camera); i++) drawDrop(light, plan, camera, random);
  if (scattered.has("snowfall")) drawSnow(light, plan, camera, random);
  if (scattered.has("rain")) drawRain(light, plan, camera, random);
}

/** They soak up water. */
const loose: ReadonlySet<SurfaceKind> = new Set<SurfaceKind>(["sand", "soil", "grass", "snow", "pebble"]);

const snippetColors = ["#e3b13f", "#d9607a", "#5f9fc9", "#7fb98a", "#efe6d6", "#b58ac9", "#e58a4f"] as const;

/** How many times as wide a ground from above is as most products' is. */
const widthOf = ({ productLong }: ScenePlan, { view }: Camera) => (view === "above" ? Math.max(1, productLong) : 1);

/** Round snippets and strips of paper that lie on the ground. */
function drawConfetti(light: Float32Array, plan: ScenePlan, camera: Camera, random: Random): void {
  const { key, ambient } = plan.lighting;
  const own = plan.propColor;
  const wide = widthOf(plan, camera);
  for (let n = 0; n < snippets * wide; n++) {
    const isStrip = random.chance(0.4);
    const spot: GroundSpot = {
      u: wide * random.between(-2, 2),
      v: camera.view === "above" ? wide * random.between(-1.5, 1.5) : 3.2 * random.next() ** 1.6 - 0.6,
      radius: random.between(0.028, 0.045),
    };
    const paper = own !== null && random.chance(0.7) ? own : fromHex(random.pick(snippetColors));
    const tone = random.between(0.75, 1.2);
    const turn = random.between(0, Math.PI);
    const cos = Math.cos(turn);
    const sin = Math.sin(turn);
    const across = (du: number, dv: number) => (isStrip ? Math.abs(dv * cos - du * sin) / 0.34 : 0);
    eachGroundPixel(camera, { ...spot, v: spot.v - 0.02 }, (i, du, dv, share) => {
      if (across(du, dv) < 1) for (let c = 0; c < 3; c++) light[i + c]! *= 1 - 0.4 * share;
    });
    eachGroundPixel(camera, spot, (i, du, dv, share) => {
      const keep = share * (1 - smoothstep(0.8, 1, across(du, dv)));
      for (let c = 0; c < 3; c++)
        light[i + c]! += (paper[c]! * (ambient[c]! + 0.85 * key[c]!) * tone - light[i + c]!) * keep;
    });
  }
}

/** Fine grains of metal: most lie in drifts, and some of them face the lamp. */
function drawGlitter(light: Float32Array, plan: ScenePlan, camera: Camera, random: Random): void {
  const { key, ambient } = plan.lighting;
  const metal = plan.propColor ?? fromHex("#d1a548");
  // On a pale ground only what gleams is seen.
  const dull = luminance(plan.surfaceColor) > 0.3 ? 1.15 : 0.35;
  const wide = widthOf(plan, camera);
  const drift = () => ({ u: wide * random.between(-1.7, 1.7), v: wide * random.between(-0.8, 1.4) });
  const drifts = [drift(), drift(), drift(), drift(), drift()] as const;
  for (let n = 0; n < grains * wide; n++) {
    const { u, v } = random.pick(drifts);
    const spread = 1.2 * wide * random.next() ** 2;
    const turn = random.between(0, 2 * Math.PI);
    const spot: GroundSpot = {
      u: u + spread * Math.cos(turn),
      v: v + 0.6 * spread * Math.sin(turn),
      radius: 0.006 + 0.011 * random.next() ** 3,
    };
    const gleam = random.chance(0.16) ? 2.6 : random.between(dull, dull + 0.75);
    eachGroundPixel(camera, spot, (i, _du, _dv, share) => {
      for (let c = 0; c < 3; c++)
        light[i + c]! += (metal[c]! * (0.4 * ambient[c]! + key[c]!) * gleam - light[i + c]!) * share;
    });
  }
}

/** A bead of water: dark at the lamp's side, where the ground's light is bent away, bright where it gathers. */
function drawDrop(light: Float32Array, plan: ScenePlan, camera: Camera, random: Random): void {
  const wide = widthOf(plan, camera);
  const spot: GroundSpot = {
    u: wide * random.between(-1.6, 1.6),
    v: camera.view === "above" ? wide * random.between(-1.2, 1.2) : random.between(-0.85, 0.9),
    radius: 0.014 + 0.055 * random.next() ** 3,
  };
  const angle = (plan.lighting.lamp.directionDeg * Math.PI) / 180;
  const lu = Math.sin(angle);
  const lv = Math.cos(angle);
  const { key } = plan.lighting;
  eachGroundPixel(camera, spot, (i, du, dv, share) => {
    const toward = du * lu + dv * lv;
    const rim = du * du + dv * dv;
    const body =
      0.98 - 0.3 * Math.max(0, toward) * rim - 0.16 * rim * rim + 0.42 * Math.max(0, -toward - 0.1) * (1 - rim * 0.5);
    const gleam = 0.85 * Math.exp(-(((du - 0.4 * lu) ** 2 + (dv - 0.4 * lv) ** 2) * 60));
    // On a dark ground the bright side of a drop is the sky's light, gathered.
    const gathered = 0.11 * Math.max(0, -toward) * rim;
    for (let c = 0; c < 3; c++) {
      light[i + c]! += (light[i + c]! * (body - 1) + (gleam * 0.7 + gathered) * key[c]!) * share;
    }
  });
}

/** Streaks that fall a little toward the lamp's side, the nearer the longer and the fainter. */
function drawRain(light: Float32Array, plan: ScenePlan, { width, height }: Camera, random: Random): void {
  const { horizon, lamp } = plan.lighting;
  const slant = 0.09 * Math.sign(Math.sin((lamp.directionDeg * Math.PI) / 180));
  for (let i = 0; i < streaks; i++) {
    const near = random.next() ** 2;
    const long = (0.02 + 0.07 * near) * height;
    const half = (0.0006 + 0.0016 * near) * height;
    const share = 0.34 - 0.2 * near;
    const x0 = random.next() * width;
    const y0 = random.next() * height - long;
    for (let y = Math.max(0, Math.floor(y0)); y < Math.min(height, y0 + long); y++) {
      const middle = x0 + (y - y0) * slant;
      const fade = Math.sin((Math.PI * (y - y0)) / long);
      for (let x = Math.max(0, Math.floor(middle - half)); x <= Math.min(width - 1, middle + half); x++) {
        const keep = share * Math.max(0, fade) * Math.min(1, half + 0.5 - Math.abs(x + 0.5 - middle));
        const at = (y * width + x) * 3;
        for (let c = 0; c < 3; c++) light[at + c]! += (horizon[c]! * 1.1 - light[at + c]!) * Math.max(0, keep);
      }
    }
  }
}

function drawSnow(light: Float32Array, plan: ScenePlan, { width, height }: Camera, random: Random): void {
  const white = mix(plan.lighting.horizon, [1, 1, 1], 0.6);
  for (let i = 0; i < flakes; i++) {
    const size = random.next() ** 3;
    const radius = Math.max(1, (0.0022 + 0.012 * size) * height);
    const share = 0.75 - 0.5 * size;
    const cx = random.next() * width;
    const cy = random.next() * height;
    for (let y = Math.max(0, Math.floor(cy - radius)); y < Math.min(height, cy + radius); y++) {
      for (let x = Math.max(0, Math.floor(cx - radius)); x < Math.min(width, cx + radius); x++) {
        const distance = Math.hypot(x + 0.5 - cx, y + 0.5 - cy) / radius;
        if (distance >= 1) continue;
        const keep = share * (1 - smoothstep(0.35, 1, distance));
        const at = (y * width + x) * 3;
        for (let c = 0; c < 3; c++) light[at + c]! += (white[c]! * 1.05 - light[at + c]!) * keep;
      }
    }
  }
}
