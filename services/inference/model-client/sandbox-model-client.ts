/**
 * Replaces inference for sandbox jobs, which are made with a test key. Every photo gets the same matte, an upright oval
 * with a soft edge, so that integrators can try the whole path at no cost and without a GPU.
 */
import type { ModelClient } from "./model-client.ts";

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
