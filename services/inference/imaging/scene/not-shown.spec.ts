/**
 * What the report calls not shown is not in the picture, and the rest is: for all things, at eye level and in flat lays.
 *
 * @module-tag long
 */

import { describe, expect, it } from "vitest";
import { estimatePose } from "../shadow/pose.ts";
import { type Camera, fitCamera } from "./canvas/camera.ts";
import { drawThings } from "./motifs/draw-thing.ts";
import { notShown, propsIn, thingsIn } from "./not-shown.ts";
import { planScene, type ScenePlan } from "./plan/scene-plan.ts";
import { renderScene } from "./render-scene.ts";
import { splashAround } from "./splash.ts";
import { standThings } from "./standing-things/stand-things.ts";
import { colors, propKinds, props } from "./words/lexicon.ts";
import { namedThings } from "./words/named-things.ts";
import { parseTheme } from "./words/theme.ts";

const width = 96;
const height = 72;
const alpha = new Uint8Array(width * height);
for (let y = 24; y < 56; y++) alpha.fill(255, y * width + 38, y * width + 58);
const lying = estimatePose(alpha, width, height, { pose: "lying", camera: "above" });
const standing = estimatePose(alpha, width, height, { pose: "standing", camera: "level" });
const views = ["level", "above"] as const;
const cameras: Readonly<Record<Camera["view"], Camera>> = {
  level: fitCamera(standing, width, height, 1, 0.29),
  above: fitCamera(lying, width, height, 1, 0.29),
};

async function paint(plan: ScenePlan, view: Camera["view"], named: Pick<ScenePlan, "things" | "props">) {
  const camera = cameras[view];
  const pose = view === "above" ? lying : standing;
  const own = { ...plan, ...named };
  const things = await drawThings(thingsIn(own, view));
  const scene = renderScene(own, camera, pose, null, things);
  if (view === "level") {
    standThings(scene, own, camera, pose, things);
    splashAround(scene.light, own, camera, pose);
  }
  return { light: scene.light.slice(), laid: scene.laid };
}

/** Whether so many values differ that it is seen. */
function differs(a: Float32Array, b: Float32Array): boolean {
  let count = 0;
  for (let i = 0; i < a.length; i++) if (Math.abs(a[i]! - b[i]!) > 0.01) count++;
  return count > 6;
}

/** A word for each drawing that means nothing else. */
const words = [...Map.groupBy(namedThings.keys(), (word) => namedThings.get(word)!.name).values()].flatMap(
  (all) => all.find((word) => !colors.has(word) && !props.has(word)) ?? [],
);

const wordsOfPart = 60;
const parts = Array.from({ length: Math.ceil(words.length / wordsOfPart) }, (_, i) => {
  const some = words.slice(i * wordsOfPart, (i + 1) * wordsOfPart);
  return { from: some[0], some };
});

/** Pictures of places without what a word adds. */
const bare = new Map<string, ReturnType<typeof paint>>();
function paintBare(plan: ScenePlan, view: Camera["view"]): ReturnType<typeof paint> {
  const named = { things: plan.things.filter((thing) => thing.words.length === 0), props: plan.props };
  const key = JSON.stringify([view, { ...plan, ...named }]);
  if (!bare.has(key)) bare.set(key, paint(plan, view, named));
  return bare.get(key)!;
}

describe.each(views)("at the view %s", (view) => {
  it.each(parts)("a drawn thing is in the picture, or is said to be missing: $from …", async ({ some }) => {
    const wrong: string[] = [];
    for (const word of some) {
      const theme = parseTheme(word);
      const plan = planScene(theme, "one text", 7);
      const painted = await paint(plan, view, plan);
      const isMissing = notShown(theme, plan, view, painted.laid).includes(word);
      const isNew = plan.things.some((thing) => thing.words.includes(word));
      // A room has its window on its own.
      if (!isNew && view === "level") continue;
      // So does a gym its dumbbells.
      const own = new Set(thingsIn({ ...plan, things: [] }, view).map(({ name }) => name));
      const isOwn = thingsIn(plan, view).some(({ name, words: named }) => named.includes(word) && own.has(name));
      const isSeen = isOwn || differs(painted.light, (await paintBare(plan, view)).light);
      if (isMissing === isSeen) wrong.push(`${word}: ${isMissing ? "there" : "missing"}`);
    }
    expect(wrong).toEqual([]);
  });

  it.each(["gray wall, oak", "beach", "living room", "kitchen", "meadow"])("a prop is, too: %s", async (place) => {
    const wrong: string[] = [];
    const plan = planScene(parseTheme(place), "one text", 7);
    const without = await paint(plan, view, { things: [], props: [] });
    for (const prop of propKinds) {
      // Drops of it lie on a ground that is seen from above.
      if (prop === "splash" && view === "above") continue;
      const gradientColor = prop === "gradient" ? ([0.1, 0.1, 0.1] as const) : null;
      const own = { ...plan, gradientColor };
      const painted = await paint(own, view, { things: [], props: [prop] });
      const isThere = propsIn({ ...own, props: [prop] }, view, painted.laid).includes(prop);
      if (isThere !== differs(painted.light, without.light)) wrong.push(`${prop}: ${isThere ? "missing" : "there"}`);
    }
    expect(wrong).toEqual([]);
  });
});

it.each([
  ["tropical beach with turquoise sea", "above", ["sea"]],
  ["zimowy las", "level", []],
  ["sofa with mustard cushions", "level", []],
  ["sofa with mustard cushions", "above", ["sofa", "cushions"]],
  ["zimowy las", "above", ["las"]],
  ["industrial loft with brick wall", "level", []],
] as const)("a place is told as it is seen: %s, %s", async (text, view, missing) => {
  const theme = parseTheme(text);
  const plan = planScene(theme, text, 7);
  const { laid } = await paint(plan, view, plan);
  expect(notShown(theme, plan, view, laid)).toEqual(missing);
});
