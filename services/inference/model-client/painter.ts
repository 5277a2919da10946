/** The port through which a scene is painted by an image model. `open-inference-painter.ts` implements it over gRPC. */

export interface PainterDescription {
  /** `name@version`. */
  readonly model: string;
  /** Steps of a picture at full strength. */
  readonly steps: number;
  /** Pictures' sides are multiples of it. */
  readonly patchPixels: number;
  readonly pixelsMax: number;
}

export interface PaintRequest {
  readonly prompt: string;
  /** 0 to 2⁵³ − 1. */
  readonly seed: number;
  /** Above 0 and up to 1: how far from the reference. */
  readonly strength: number;
  readonly width: number;
  readonly height: number;
  /** RGB of that size. */
  readonly reference: Uint8Array;
  /** A byte a pixel: above 127 where the picture is painted. */
  readonly fill: Uint8Array;
  /** Another picture, in whose look it is painted: RGB, with sides of multiples of the description's `patchPixels`. */
  readonly style?: { readonly width: number; readonly height: number; readonly rgb: Uint8Array };
  /** The account; the server shares its time among them. */
  readonly tenant: string;
  /** Milliseconds since the epoch. */
  readonly deadlineAtMs: number;
  readonly signal: AbortSignal;
  readonly onStep: (done: number, steps: number) => void;
}

export interface Painting {
  /** RGB of the request's size; null: the model answered what is no number. */
  readonly picture: Uint8Array | null;
  /** What the server says it took; undefined: it does not say. */
  readonly runMs: number | undefined;
  readonly provider: string;
  readonly modelName: string;
}

export interface Painter {
  /** Throws `model_unavailable` when the model is not loaded. */
  describe(): Promise<PainterDescription>;
  paint(request: PaintRequest): Promise<Painting>;
}

/** Test jobs need no GPU: their picture is the reference itself. */
export const sandboxPainter: Painter = {
  describe: async () => ({ model: "packshot-test@1", steps: 1, patchPixels: 16, pixelsMax: 1_048_576 }),
  async paint({ reference, onStep }) {
    onStep(1, 1);
    return { picture: reference, runMs: 0, provider: "none", modelName: "packshot-test" };
  },
};
