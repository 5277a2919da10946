/**
 * The process of an image inspector as images may leave it, for the inspector's spec: the image's bytes are the name of
 * what it does.
 */
import { readQuestion, readyLine, writeAnswer } from "@packshot/platform/images/inspector-protocol.ts";

const mebibyte = 1024 * 1024;
const held: Buffer[] = [];

const acts: Readonly<Record<string, () => unknown>> = {
  crash: () => process.abort(),
  hang: () => {},
  "take memory": () => {
    for (;;) held.push(Buffer.alloc(mebibyte, 1));
  },
  "answer at length": () => process.stdout.write("x".repeat(mebibyte)),
  "answer something else": () => process.stdout.write('{"header":{"format":"exe","width":1,"height":1,"pages":1}}\n'),
  "answer as nobody may": () => process.stdout.write('{"code":"unauthorized","message":""}\n'),
};

process.stdin.on("data", async (chunk: Buffer) => {
  const { source } = readQuestion(chunk)!;
  const act = acts[source.toString()];
  if (act !== undefined) return void act();
  process.stdout.write(
    await writeAnswer(Promise.resolve({ format: "png", contentType: "image/png", width: 1, height: 1, pages: 1 })),
  );
});
process.stdin.on("close", () => process.kill(process.pid, "SIGKILL"));
process.stdout.write(`${readyLine}\n`);
