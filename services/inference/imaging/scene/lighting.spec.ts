import { createRandom } from "@packshot/domain/random.ts";
import { expect, it } from "vitest";
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
