import { createRandom } from "@packshot/domain/random.ts";
import { expect, it } from "vitest";
import { lightKinds } from "../words/lexicon.ts";
import { createLighting } from "./lighting.ts";

it.each(["window", "blinds", "morning", "golden", "sunset"] as const)(
  "comes from behind through a room's window: %s",
  (light) => {
    for (let seed = 0; seed < 60; seed++) {
      const { directionDeg } = createLighting(light, "interior", createRandom(seed)).lamp;
      // Beyond a right angle the shadow would fall toward the window that the room shows.
      expect(Math.cos((directionDeg * Math.PI) / 180)).toBeGreaterThan(0.35);
    }
  },
);

it("has a sun without a sky where hard light is asked for: the shadow is dark, and its edge sharp", () => {
  for (const backdrop of ["sea", "wall", "sweep"] as const) {
    const lampOf = (kind: (typeof lightKinds)[number]) => createLighting(kind, backdrop, createRandom(3)).lamp;
    const others = lightKinds.filter((kind) => kind !== "hard").map(lampOf);
    expect(lampOf("hard").softness).toBeLessThan(0.4 * Math.min(...others.map(({ softness }) => softness)));
    expect(lampOf("hard").keyShare).toBeGreaterThan(Math.max(...others.map(({ keyShare }) => keyShare)) + 0.15);
  }
});
