/** The process by itself, without its cage: what it does with memory after a photo. */
import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { expect, it, onTestFinished } from "vitest";
import { type Question, readyLine, writeWhole } from "./decoder-protocol.ts";

const main = fileURLToPath(new URL("decoder-main.ts", import.meta.url));
const flags = ["--no-warnings", "--expose-gc", "--max-semi-space-size=2", "--trace-gc"];

/** Lines of the process, without those that V8 writes of its collections; these are counted apart. */
function startDecoder() {
  const folder = mkdtempSync(join(tmpdir(), "packshot-decoder-"));
  const file = openSync(join(folder, "shared"), "w+");
  const child = spawn(process.execPath, [...flags, main], { stdio: ["pipe", "pipe", "inherit", file] });
  onTestFinished(() => {
    child.kill("SIGKILL");
    closeSync(file);
    rmSync(folder, { recursive: true });
  });
  const waiting: ((line: string) => void)[] = [];
  let wholeCollections = 0;
  createInterface({ input: child.stdout! }).on("line", (line) => {
    if (/Mark-Compact/.test(line)) wholeCollections += 1;
    if (line === readyLine || line.startsWith("{")) waiting.shift()!(line);
  });
  const next = () => new Promise<string>((resolve) => waiting.push(resolve));
  return {
    ready: next(),
    wholeCollections: () => wholeCollections,
    ask(question: Question, photo: Uint8Array): Promise<string> {
      writeWhole(file, photo, 0);
      child.stdin!.write(`${JSON.stringify({ ...question, bytes: photo.length })}\n`);
      return next();
    },
  };
}

it("frees the pixels of large photos without marking its whole heap", async () => {
  const size = { width: 4_000, height: 3_000 };
  const photo = await sharp({ create: { ...size, channels: 3, background: "tan" } })
    .jpeg()
    .toBuffer();
  const decoder = startDecoder();
  await decoder.ready;
  const before = decoder.wholeCollections();
  const question = { kind: "photo", limits: { maxPixels: 12_000_000 } } as const;
  for (let n = 0; n < 4; n++) expect(JSON.parse(await decoder.ask(question, photo))).toMatchObject({ kind: "decoded" });
  expect(decoder.wholeCollections() - before).toBe(0);
});
