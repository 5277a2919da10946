import type { Random } from "@packshot/domain/random.ts";
import type { Canvas } from "../canvas/canvas.ts";
import type { Sight } from "../canvas/in-sight.ts";
import type { Noise } from "../canvas/noise.ts";
import type { GoboLight } from "../ground/gobo.ts";
import type { ScenePlan } from "../plan/scene-plan.ts";

/** Input of a backdrop painter. The canvas extends from the image's top to a little below the ground's edge. */
export interface BackdropInput {
  readonly canvas: Canvas;
  readonly plan: ScenePlan;
  readonly noise: Noise;
  readonly random: Random;
  readonly gobo: GoboLight;
  /** The true horizon's position on the canvas, 0–1. */
  readonly horizonY: number;
  /** Half the product's width, as a share of the canvas's: what stands beside it is farther out. */
  readonly productHalf: number;
  /** The product's longer side as a share of the canvas's width, where the product is. */
  readonly unit: number;
  /** Where things are seen beside the product. */
  readonly sight: Sight;
  /** Radius of the discs that the lens makes of what a place has, as a share of the canvas's height; 0: only its painter blurs it. */
  readonly farBlur: number;
  /** Width over height of the canvas. */
  readonly aspect: number;
  /** The lamp's side, −1 left … 1 right. */
  readonly lampSide: number;
}

export type BackdropPainter = (input: BackdropInput) => void;
