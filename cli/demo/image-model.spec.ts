/** Where the demo puts its stand-in for an image model. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { modelFolderOf, prepareImageModel } from "./image-model.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "packshot-demo-image-model-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const hasStandIn = (modelDir: string) => existsSync(join(modelDir, "stand-in", "1", "pipeline.json"));

it("is beside the models that were pulled into the data folder, or beside the operator's own, and hides none", async () => {
  const modelDir = join(folder, "own");
  for (const [environment, expected] of [
    [{}, join(folder, "models")],
    [{ PACKSHOT_MODEL_DIR: "" }, join(folder, "models")],
    [{ PACKSHOT_MODEL_DIR: modelDir }, modelDir],
  ] as const) {
    const prepared = await prepareImageModel("generative", folder, environment);
    expect(prepared!.settings).toEqual({ PACKSHOT_IMAGE_MODEL: "stand-in" });
    expect(hasStandIn(expected), expected).toBe(true);
    expect(modelFolderOf(folder, environment)).toBe(expected);
    rmSync(expected, { recursive: true });
  }
});
