/** The process of an image inspector: it opens images for a process that holds keys, and holds none itself. */
import { existsSync, readdirSync } from "node:fs";
import { flushCompileCache, getCompileCacheDir } from "node:module";
import sharp from "sharp";
import { inspectImage } from "./inspect-image.ts";
import { questionBytes, readQuestion, readyLine, writeAnswer } from "./inspector-protocol.ts";

sharp.cache(false);
sharp.concurrency(1);

let chunks: Buffer[] = [];
let receivedBytes = 0;
let wantedBytes = 0;

async function take(chunk: Buffer): Promise<void> {
  chunks.push(chunk);
  receivedBytes += chunk.length;
  // A file of 100 MB arrives in thousands of chunks, which are joined once.
  if (receivedBytes < wantedBytes) return;
  const received = Buffer.concat(chunks);
  const question = readQuestion(received);
  chunks = question === undefined ? [received] : [];
  wantedBytes = question === undefined ? questionBytes(received) : 0;
  if (question === undefined) return;
  receivedBytes = 0;
  process.stdout.write(await writeAnswer(inspectImage(question.source, question.limits)));
}

process.stdin.on("data", (chunk: Buffer) => void take(chunk));
// A signal to the process group is meant for its owner, which has requests to finish first.
process.on("SIGTERM", () => {}).on("SIGINT", () => {});
// Its owner has ended, however that was. A thread that libvips holds would delay `process.exit`.
process.stdin.on("close", () => process.kill(process.pid, "SIGKILL"));
process.stdout.write(`${readyLine}\n`);
// Node would write what it compiled at its exit, but this process is killed. Only an empty folder is filled: on a full disk each try leaves pieces of
// files behind.
const compiled = getCompileCacheDir();
if (compiled !== undefined && (!existsSync(compiled) || readdirSync(compiled).length === 0)) flushCompileCache();
