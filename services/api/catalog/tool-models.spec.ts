import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createToolModelList } from "./tool-models.ts";

let modelDir: string;

beforeEach(() => {
  modelDir = mkdtempSync(join(tmpdir(), "packshot-tool-models-"));
});
afterEach(() => rmSync(modelDir, { recursive: true }));

it("lists the models whose weights are in place, the default first, with license, training data and score", () => {
  writeFileSync(join(modelDir, "u2net.onnx"), "weights");
  const models = createToolModelList({ modelDir, defaultModel: "u2net" })();
  expect(models.map(({ name }) => name)).toEqual(["u2net", "packshot-mask"]);
  expect(models[0]).toMatchObject({ default: true, license: "Apache-2.0", trainedOn: expect.stringContaining("DUTS") });
  expect(models[1]!.score).toMatchObject({ sceneIou: expect.any(Number) });
});

it("shows a model without a score as unmeasured", () => {
  writeFileSync(join(modelDir, "u2net.onnx"), "weights");
  const u2net = createToolModelList({ modelDir, defaultModel: "packshot-mask" })().find(({ name }) => name === "u2net");
  expect(u2net).toMatchObject({ default: false, score: "unmeasured" });
});

it("lists a model whose weights only the model servers have, where a setting names it", () => {
  const names = (served: readonly string[]) =>
    createToolModelList({ modelDir: undefined, defaultModel: "packshot-mask", served })().map(({ name }) => name);
  expect(names([])).not.toContain("isnet-general-use");
  expect(names(["isnet-general-use", "no-such-model"])).toEqual(["packshot-mask", "isnet-general-use"]);
});
