/** The process of an image inspector: it opens images for a process that holds keys, and holds none itself. */
import sharp from "sharp";
import { inspectImage } from "./inspect-image.ts";
import { readQuestion, readyLine, writeAnswer } from "./inspector-protocol.ts";

sharp.cache(false);
sharp.concurrency(1);

let received: Buffer = Buffer.alloc(0);

async function take(chunk: Buffer): Promise<void> {
  received = Buffer.concat([received, chunk]);
  const question = readQuestion(received);
  if (question === undefined) return;
  received = Buffer.alloc(0);
  process.stdout.write(await writeAnswer(inspectImage(question.source, question.limits)));
}

process.stdin.on("data", (chunk: Buffer) => void take(chunk));
// A signal to the process group is meant for its owner, which has requests to finish first.
process.on("SIGTERM", () => {}).on("SIGINT", () => {});
// Its owner has ended, however that was. A thread that libvips holds would delay `process.exit`.
process.stdin.on("close", () => process.kill(process.pid, "SIGKILL"));
process.stdout.write(`${readyLine}\n`);
