import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { editedWithScene } from "../../../../testing/edits/edited-images.ts";
import { box, drawnCutOut } from "../../../../testing/images/drawn-cut-out.ts";
import { inKernelMemory, kernelMemory, reserve } from "../../imaging/kernels/kernel-memory.ts";

const crate = drawnCutOut(360, 270, box(120, 60, 240, 220));

test.each(["oak table, morning light", "beach", "skyline, night"])(
  "a scene of %s does not depend on what earlier work has left in the kernels' memory",
  async (theme) => {
    const free = inKernelMemory(() => reserve(0));
    const digests: string[] = [];
    // Bytes of 255 are no numbers, as floats.
    for (const left of [0, 255]) {
      const onStage = () => void new Uint8Array(kernelMemory.buffer, free).fill(left);
      const parameters = { theme, seed: 7, model: "m" };
      const input = { parameters, maxPixels: 1e8, signal: new AbortController().signal, onStage };
      const { pixels } = await editedWithScene(crate, input);
      digests.push(createHash("sha256").update(pixels).digest("hex"));
    }
    expect(digests[1]).toBe(digests[0]);
  },
);
