import fc from "fast-check";
import { expect, test } from "vitest";
import { builtInPlans } from "../accounts/plan.ts";
import { isoTime, uuidv7 } from "../ids.ts";
import { ttlSeconds } from "../subjects.ts";
import type { Upload } from "./upload.ts";
import { closeUpload, openUpload, tallySliceMs, type UploadTally, uploadTotals } from "./upload-tally.ts";

const startMs = Date.UTC(2026, 10, 20, 1);
const lifeMs = ttlSeconds.upload * 1000;
const limits = { ...builtInPlans[1]!.limits, maxQueuedJobs: 5, maxWaitingBytes: 100 };

function uploadAt(createdMs: number, sizeBytes: number, live = true): Upload {
  const times = { createdAt: isoTime(createdMs), expiresAt: isoTime(createdMs + lifeMs) };
  const what = { contentType: "image/png", filename: "a.png", sizeBytes } as const;
  return { v: 1, id: uuidv7(createdMs), accountId: uuidv7(), live, ...what, ...times };
}

const steps = fc.array(
  fc.record({
    afterMs: fc.integer({ min: 0, max: 2 * tallySliceMs }),
    sizeBytes: fc.integer({ min: 1, max: 60 }),
    live: fc.boolean(),
    closes: fc.option(fc.nat(20), { nil: undefined }),
  }),
  { maxLength: 60 },
);

test("open sessions are counted until they are closed or expire, and none beyond the limits is opened", () => {
  fc.assert(
    fc.property(steps, (actions) => {
      let tally: UploadTally | undefined;
      let nowMs = startMs;
      let open: Upload[] = [];
      for (const { afterMs, sizeBytes, live, closes } of actions) {
        nowMs += afterMs;
        const closed = closes === undefined ? undefined : open[closes];
        if (closed !== undefined && Date.parse(closed.expiresAt) > nowMs) {
          tally = closeUpload(tally, closed, nowMs);
          open = open.filter((upload) => upload !== closed);
        }
        const upload = uploadAt(nowMs, sizeBytes, live);
        try {
          tally = openUpload(tally, upload, limits);
          open.push(upload);
        } catch (error) {
          expect(error).toMatchObject({ code: "limit_reached" });
        }
        const window = live ? "live" : "sandbox";
        const of = (untilMs: number) => {
          const counted = open.filter((other) => other.live === live && Date.parse(other.expiresAt) > untilMs);
          return { sessions: counted.length, bytes: counted.reduce((sum, other) => sum + other.sizeBytes, 0) };
        };
        const { sessions, bytes } = uploadTotals(tally, window, nowMs);
        // Those that have just expired may count until their slice of time has passed.
        expect(sessions).toBeGreaterThanOrEqual(of(nowMs).sessions);
        expect(sessions).toBeLessThanOrEqual(Math.min(5, of(nowMs - tallySliceMs).sessions));
        expect(bytes).toBeGreaterThanOrEqual(of(nowMs).bytes);
        expect(bytes).toBeLessThanOrEqual(Math.min(100, of(nowMs - tallySliceMs).bytes));
        expect(tally?.[window]?.length ?? 0).toBeLessThanOrEqual(lifeMs / tallySliceMs + 2);
      }
    }),
  );
});

test("the limits are those of the plan, and a single file may be larger", () => {
  const alone = openUpload(undefined, uploadAt(startMs, 500), limits);
  expect(() => openUpload(alone, uploadAt(startMs, 1), limits)).toThrow("hold 500 bytes; the limit is 100");
  expect(openUpload(alone, uploadAt(startMs, 1, false), limits)).toMatchObject({
    sandbox: [{ sessions: 1, bytes: 1 }],
  });
  let five: UploadTally | undefined;
  for (let opened = 0; opened < 5; opened++) five = openUpload(five, uploadAt(startMs, 1), limits);
  expect(() => openUpload(five, uploadAt(startMs, 1), limits)).toThrow("5 upload sessions are open; the limit is 5");
  expect(openUpload(five, uploadAt(startMs + lifeMs + tallySliceMs, 1), limits).live).toHaveLength(1);
});
