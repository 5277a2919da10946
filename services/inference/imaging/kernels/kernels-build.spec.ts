import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { buildKernels, compiledKernels } from "../../../../scripts/build-kernels.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

it("the committed kernels are what their source compiles to, to the byte", async () => {
  const folder = mkdtempSync(join(tmpdir(), "packshot-kernels-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const built = join(folder, "kernels.wasm");
  await buildKernels(relative(root, built));
  expect(readFileSync(built).equals(readFileSync(join(root, compiledKernels)))).toBe(true);
});
