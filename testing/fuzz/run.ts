/**
 * Fuzzes each target, or those that are named, for some minutes: `node testing/fuzz/run.ts [NAME …] [--minutes 1] [--seed N]`. An input that is a
 * fault, that takes longer than any may, or that ends its thread, is written to `.cache/fuzz`, with what was thrown. It ends with 1 where
 * one was.
 */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { bytesMaxDefault } from "./coverage-fuzzer.ts";
import type { FuzzOrder, FuzzReport } from "./fuzz-thread.ts";
import { targets } from "./targets.ts";

const { values: options, positionals } = parseArgs({
  options: { minutes: { type: "string", default: "1" }, seed: { type: "string" } },
  allowPositionals: true,
});
const folder = fileURLToPath(new URL("../../.cache/fuzz/", import.meta.url));
const msPerMinute = 60_000;
/** The slowest input of any target takes a hundredth. */
const inputMsMax = 20_000;
const headBytes = 8;

function write(name: string, input: Uint8Array, text: string): void {
  const file = join(folder, `${name}-${createHash("sha256").update(input).digest("hex").slice(0, 12)}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, input);
  writeFileSync(`${file}.txt`, `${text}\n`);
  console.error(`${file}: ${text.split("\n", 1)[0]}`);
}

async function fuzzInThread(name: string, seed: number): Promise<FuzzReport> {
  const tried = new SharedArrayBuffer(headBytes + bytesMaxDefault);
  const milliseconds = Number(options.minutes) * msPerMinute;
  const order: FuzzOrder = { name, seed, milliseconds, tried };
  const worker = new Worker(new URL("fuzz-thread.ts", import.meta.url), { workerData: order });
  const numbers = new Int32Array(tried, 0, 2);
  const lost = (text: string): FuzzReport => {
    const input = new Uint8Array(tried, headBytes, numbers[1]!).slice();
    return { runs: numbers[0]!, kept: 0, functions: 0, findings: [{ input, text }] };
  };
  const { promise, resolve } = Promise.withResolvers<FuzzReport>();
  let before = -1;
  const watch = setInterval(() => {
    if (numbers[0] === before && before > 0) resolve(lost(`It takes more than ${inputMsMax} ms.`));
    before = numbers[0]!;
  }, inputMsMax);
  worker.once("message", resolve).once("error", (error) => resolve(lost(`It ends the thread: ${error.stack}`)));
  const report = await promise;
  clearInterval(watch);
  await worker.terminate();
  return report;
}

const unknown = positionals.filter((name) => !targets.some((target) => target.name === name));
if (unknown.length > 0) throw new RangeError(`no target: ${unknown.join(", ")}`);
const seed = Number(options.seed ?? Date.now() % 1_000_000);
console.log(`seed ${seed}, ${options.minutes} min each`);
for (const { name } of targets.filter((target) => positionals.length === 0 || positionals.includes(target.name))) {
  const { runs, kept, functions, findings } = await fuzzInThread(name, seed);
  console.log(`${name}: ${runs} inputs, ${kept} kept, ${functions} functions reached, ${findings.length} findings`);
  for (const { input, text } of findings) write(name, input, text);
  if (findings.length > 0) process.exitCode = 1;
}
