import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

/** The model's file is missing, which onnxruntime says once it has started. */
const script = `
import(${JSON.stringify(new URL("in-process-models.ts", import.meta.url).href)}).then(({ createInProcessModels }) =>
  createInProcessModels({ none: "/none.onnx" }).describe("none").catch(({ message }) => console.log(message)));`;

test("models in a bench's own process leave nothing of onnxruntime in the home of who runs it", () => {
  const home = mkdtempSync(join(tmpdir(), "packshot-home-"));
  try {
    // Without the variables of a CI machine, where onnxruntime is silent by itself.
    const env = { PATH: process.env.PATH, HOME: home };
    expect(execFileSync(process.execPath, ["--eval", script], { env, encoding: "utf8" })).toContain("none.onnx");
    expect(readdirSync(home)).toEqual([]);
  } finally {
    rmSync(home, { recursive: true });
  }
});
