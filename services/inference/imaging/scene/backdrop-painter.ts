import type { Random } from "@packshot/domain/random.ts";
import type { Canvas } from "./canvas.ts";
import type { GoboLight } from "./gobo.ts";
import type { Noise } from "./noise.ts";
import type { ScenePlan } from "./scene-plan.ts";

/** What a backdrop's painter is given; the canvas reaches from the picture's top to a little below the ground's edge. */
export interface BackdropInput {
  readonly canvas: Canvas;
  readonly plan: ScenePlan;
  readonly noise: Noise;
  readonly random: Random;
  readonly gobo: GoboLight;
  /** Where the true horizon lies on the canvas, 0–1. */
  readonly horizonY: number;
  /** Width over height of the canvas. */
  readonly aspect: number;
  /** Where the lamp stands, −1 left … 1 right. */
  readonly lampSide: number;
}

export type BackdropPainter = (input: BackdropInput) => void;
