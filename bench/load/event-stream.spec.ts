import { expect, test } from "vitest";
import { endedByStream } from "./event-stream.ts";

const job = (id: number, status: string, resultUrl: string | null = null) =>
  `id: ${id}\nevent: job\ndata: ${JSON.stringify({ id: "a", status, resultUrl })}\n\n`;
const progress = ': still here\n\nid: 3\nevent: progress\ndata: {"stage":"encode"}\n\n';

test("the last job of a stream says how it ended", () => {
  const text = job(1, "queued") + job(2, "processing") + progress + job(4, "completed", "http://127.0.0.1/result");
  expect(endedByStream(text, 7)).toEqual({ status: "completed", atMs: 7, resultUrl: "http://127.0.0.1/result" });
  expect(endedByStream(job(1, "failed"), 7)).toEqual({ status: "failed", atMs: 7, resultUrl: null });
});

test("a stream that was cut off says nothing of the end", () => {
  expect(endedByStream(job(1, "queued") + job(2, "processing") + progress, 7)).toBeNull();
  expect(endedByStream("", 7)).toBeNull();
});
