import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

/** The model's file is missing, which onnxruntime says once it has started. */
const script = `
const place = { providers: ["cpu"], threads: 1, file: "/none.onnx", manifest: null, halfPrecision: false, reportPlacements: false };
import(${JSON.stringify(new URL("instance.ts", import.meta.url).href)}).then(async ({ startInstance }) => {
  const instance = startInstance(() => {});
  await instance.load(place).catch(({ message }) => console.log(message));
  await instance.stop();
});`;

test("onnxruntime leaves neither an identifier nor records of its use in the home of who runs it", () => {
  const home = mkdtempSync(join(tmpdir(), "packshot-home-"));
  try {
    // Without the variables of a CI machine, where onnxruntime is silent by itself.
    const env = { PATH: process.env.PATH, HOME: home };
    const said = execFileSync(process.execPath, ["--eval", script], { env, encoding: "utf8" });
    expect(said).toContain("none.onnx");
    expect(readdirSync(home)).toEqual([]);
  } finally {
    rmSync(home, { recursive: true });
  }
});
