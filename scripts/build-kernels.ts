/**
 * Compiles the kernels of matting, from AssemblyScript to WebAssembly: `node scripts/build-kernels.ts`. The result is
 * committed, so that nobody needs the compiler who only runs or builds the product; a test compares it with its source.
 */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const root = fileURLToPath(new URL("../", import.meta.url));
/** What these files export is the module's interface. */
const sources = [
  "services/inference/imaging/kernels/assembly/backdrop-fit.ts",
  "services/inference/imaging/kernels/assembly/blur-fusion.ts",
  "services/inference/imaging/kernels/assembly/cast-shadow.ts",
  "services/inference/imaging/kernels/assembly/color-evidence.ts",
  "services/inference/imaging/kernels/assembly/color-rays.ts",
  "services/inference/imaging/kernels/assembly/deflate.ts",
  "services/inference/imaging/kernels/assembly/distance.ts",
  "services/inference/imaging/kernels/assembly/edge-alpha.ts",
  "services/inference/imaging/kernels/assembly/edge-colors.ts",
  "services/inference/imaging/kernels/assembly/ground-lightness.ts",
  "services/inference/imaging/kernels/assembly/ground-marks.ts",
  "services/inference/imaging/kernels/assembly/matte-rows.ts",
  "services/inference/imaging/kernels/assembly/morphology.ts",
  "services/inference/imaging/kernels/assembly/noise.ts",
  "services/inference/imaging/kernels/assembly/photo-shadow.ts",
  "services/inference/imaging/kernels/assembly/planes.ts",
  "services/inference/imaging/kernels/assembly/resample.ts",
  "services/inference/imaging/kernels/assembly/rows.ts",
  "services/inference/imaging/kernels/assembly/scene.ts",
  "services/inference/imaging/kernels/assembly/shrink.ts",
];
export const compiledKernels = "services/inference/imaging/kernels/kernels.wasm";

/** @param out from the repository's root */
export async function buildKernels(out: string): Promise<void> {
  const options = ["-O3", "--noAssert", "--runtime", "stub", "--enable", "simd", "--importMemory"];
  const { error, stderr } = await asc.main([...sources, "--baseDir", root, "--outFile", out, ...options], { readFile });
  if (error !== null) throw new Error(`the kernels do not compile:\n${stderr.toString()}`);
}

/** The compiler appends `.ts` to each import, and ours have it already. */
function readFile(name: string, baseDir: string): string | null {
  const file = join(baseDir, name.replace(/\.ts\.ts$/, ".ts"));
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

if (import.meta.main) await buildKernels(compiledKernels);
