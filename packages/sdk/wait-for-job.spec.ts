import { expect, test } from "vitest";
import type { Transport } from "./transport.ts";
import { type JobProgress, waitForJob } from "./wait-for-job.ts";

const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

test("a stage is told as it begins, and with its steps where it has several", async () => {
  const ended = { id: "1", status: "completed" };
  const stream = [
    event("progress", { stage: "paint" }),
    event("progress", { stage: "paint", step: 1, steps: 4 }),
    event("job", ended),
  ].join("");
  const transport = { stream: async () => ({ body: new Blob([stream]).stream() }) } as unknown as Transport;
  const told: JobProgress[] = [];
  expect(await waitForJob(transport, "1", { onProgress: (progress) => void told.push(progress) })).toEqual(ended);
  expect(told).toStrictEqual([
    { kind: "stage", stage: "paint" },
    { kind: "stage", stage: "paint", step: 1, steps: 4 },
    { kind: "job", job: ended },
  ]);
});
