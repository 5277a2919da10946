/** The port through which edits use a model. `open-inference-client.ts` implements it over gRPC. */

import type { ReviewLimits, ReviewWeights } from "./review-limits.ts";

export interface Tensor {
  /** NHWC, batch first. */
  readonly shape: readonly number[];
  readonly data: Uint8Array;
}

export interface ModelInput {
  readonly width: number;
  readonly height: number;
  /**
   * `rgb`, or `rgb+backdrop`: a fourth channel with the distance to the fitted backdrop (imaging/matting/evidence/backdrop.ts).
   */
  readonly channels: "rgb" | "rgb+backdrop";
  /** Whether the network also sees the region of interest by itself (imaging/matting/predict/test-time-augmentation.ts). */
  readonly testTimeAugmentation: boolean;
  /** In which numbers the server computes the weights, where it says so: `int8`, `fp16` or `original`. */
  readonly precision?: string | undefined;
  /** Stands for all that the server says of the model: another one means that other mattes may come of it. Absent: nobody knows. */
  readonly digest?: string;
  /** When a person should review a cut-out; the default limits where the model states none. */
  readonly reviewLimits?: ReviewLimits | undefined;
  /** What the doubt is made of that is held against the limits; the default weights where the model states none. */
  readonly reviewWeights?: ReviewWeights | undefined;
}

export interface PredictRequest {
  /** `name`, or `name@version`. */
  readonly model: string;
  readonly input: Tensor;
  /** The account; the batcher shares its capacity among tenants. */
  readonly tenant: string;
  /** Milliseconds since the epoch. */
  readonly deadlineAtMs: number;
  readonly signal: AbortSignal;
}

/** What the server says a prediction took. */
export interface PredictionTimes {
  readonly queueMs: number;
  /** The whole batch's time. */
  readonly runMs: number;
  /** This prediction's part of that: the parts of all predictions add up to the time in which sessions ran. */
  readonly shareMs: number;
  readonly provider: string;
}

export interface Prediction {
  readonly output: Tensor;
  readonly modelName: string;
  readonly modelVersion: string;
  /** undefined: the server does not say. */
  readonly times?: PredictionTimes;
}

export interface ModelClient {
  /**
   * The model's input, from its metadata. Throws `model_unavailable` when the model is not loaded.
   *
   * @param model `name`, or `name@version`
   */
  describe(model: string): Promise<ModelInput & { readonly version: string }>;
  predict(request: PredictRequest): Promise<Prediction>;
}

/**
 * Replaces inference for sandbox jobs, which are made with a test key. Every photo gets the same matte, an upright oval
 * with a soft edge, so that integrators can try the whole path at no cost and without a GPU.
 */

const side = 320;

export const sandboxModelName = "packshot-test";

export const sandboxModelClient: ModelClient = {
  async describe() {
    return { width: side, height: side, channels: "rgb", testTimeAugmentation: false, version: "1" };
  },

  async predict({ input }) {
    const [batch = 1, height = side, width = side] = input.shape;
    const data = new Uint8Array(batch * height * width);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const distance = Math.hypot((x + 0.5) / width / 0.6 - 1 / 1.2, (y + 0.5) / height / 0.8 - 1 / 1.6);
        data[y * width + x] = Math.round(255 * Math.min(1, Math.max(0, (0.5 - distance) * 20 + 0.5)));
      }
    }
    for (let image = 1; image < batch; image++) data.copyWithin(image * height * width, 0, height * width);
    return { output: { shape: [batch, height, width, 1], data }, modelName: sandboxModelName, modelVersion: "1" };
  },
};
