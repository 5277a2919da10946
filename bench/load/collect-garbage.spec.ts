/** What a process of a soak says that its heap holds: what it keeps, and not what V8 has compiled meanwhile. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

const preloaded = new URL("collect-garbage.ts", import.meta.url).href;

/** By how many bytes what is held, and what is used, have grown by a program's `work()`. */
function growthBy(program: string): { readonly held: number; readonly used: number } {
  const folder = mkdtempSync(join(tmpdir(), "packshot-heaps-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const measuring = `
    import { existsSync, readFileSync, rmSync } from "node:fs";
    import { watch } from "node:fs/promises";
    import { getHeapStatistics } from "node:v8";
    const file = process.env.HEAPS_FOLDER + "/" + process.pid + ".0";
    async function measure() {
      rmSync(file, { force: true });
      for await (const _ of watch(process.env.HEAPS_FOLDER)) if (existsSync(file)) break;
      return { held: Number(readFileSync(file, "utf8")), used: getHeapStatistics().used_heap_size };
    }
    ${program}
    await measure();
    const before = await measure();
    globalThis.kept = work();
    const after = await measure();
    console.log(JSON.stringify({ held: after.held - before.held, used: after.used - before.used }));
  `;
  const said = execFileSync(process.execPath, [`--import=${preloaded}`, "--input-type=module", "-"], {
    input: measuring,
    encoding: "utf8",
    env: { ...process.env, HEAPS_FOLDER: folder, COLLECT_EVERY_MS: "20" },
  });
  return JSON.parse(said) as { held: number; used: number };
}

it("tells what is kept", () => {
  const { held } = growthBy("const work = () => Array.from({ length: 100_000 }, (_, n) => ({ n }));");
  expect(held).toBeGreaterThan(2_000_000);
});

it("leaves out the code of functions that were compiled", () => {
  const functions = Array.from(
    { length: 2_000 },
    (_, n) =>
      `(a) => { let sum = ${n}; for (let i = 0; i < a; i++) sum = (sum * 31 + i * ${n}) % 65_521; return sum; }`,
  );
  const { held, used } = growthBy(`
    const functions = [${functions.join(",\n")}];
    const work = () => { for (let n = 0; n < 50; n++) for (const each of functions) each(100); };
  `);
  expect(used).toBeGreaterThan(1_000_000);
  expect(held).toBeLessThan(used / 2);
});
