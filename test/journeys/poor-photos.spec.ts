/** A photo that is too poor, through the whole stack: refused for nothing, by the request, by a preset and in a batch. */
import { Packshot } from "@packshot/sdk/packshot.ts";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { jointStack } from "../../testing/joint/joint-stack.ts";
import { formWith } from "../../testing/stack/live-stack.ts";

const fixture = jointStack();
const waiting = { timeout: 60_000, interval: 100 };
let good: Buffer;
let blurred: Buffer;

beforeAll(async () => {
  const stripes = Array.from(
    { length: 12 },
    (_, n) => `<rect x="330" y="${240 + n * 42}" width="340" height="16" fill="#e8d8b0"/>`,
  );
  const svg =
    `<svg width="1000" height="1000"><rect width="100%" height="100%" fill="#efece6"/>` +
    `<rect x="300" y="200" width="400" height="600" fill="#8a3324"/>${stripes.join("")}</svg>`;
  good = await sharp(Buffer.from(svg)).jpeg({ quality: 95 }).toBuffer();
  blurred = await sharp(Buffer.from(svg)).blur(5).jpeg({ quality: 95 }).toBuffer();
});

const client = () => new Packshot({ baseUrl: fixture.file.apiUrl, apiKey: fixture.file.apiKey });
const creditsLeft = async () => (await client().account.get()).credits.remaining;

async function uploaded(photo: Buffer): Promise<string> {
  const { uploadSessionId } = await client().uploads.send(new Blob([Uint8Array.from(photo)], { type: "image/jpeg" }));
  return uploadSessionId;
}

test.each(["mask", "ai-shadows", "ai-bg"])(
  "%s says of the photo what it is like, and refuses a poor one for nothing",
  async (tool) => {
    const { body: taken } = await fixture.edit(tool, formWith(good, { onPoorSource: "refuse" }));
    expect([taken.status, taken.error]).toEqual(["completed", null]);
    expect(taken.report.source).toMatchObject({ border: 0, things: 1, productPixels: expect.any(Number) });
    expect(taken.report.source.checks).toContainEqual(
      expect.objectContaining({ name: "sharpness", limit: 0.3, passed: true }),
    );
    const before = await creditsLeft();
    const { body: refused } = await fixture.edit(tool, formWith(blurred, { onPoorSource: "refuse" }));
    expect([refused.status, refused.error.code, refused.error.retryable]).toEqual(["failed", "poor_source", false]);
    expect(refused.error.message).toMatch(/^The photo is blurred .*Take it again in focus/);
    expect(refused.creditsCharged).toBe(0);
    await expect.poll(creditsLeft, waiting).toBe(before);
  },
);

test("a preset asks for reviews of poor photos, and a batch refuses the poor row alone", async () => {
  await client().presets.put("careful", { tool: "mask", parameters: { onPoorSource: "review" } });
  const { body: job } = await fixture.edit("mask", formWith(blurred, { preset: "careful" }));
  expect([job.status, job.report.quality]).toEqual(["completed", "review"]);
  expect(job.report.reasons).toContain("poor_source: the photo is blurred");

  const before = await creditsLeft();
  const { id } = await client().batches.create({
    tool: "mask",
    parameters: { onPoorSource: "refuse" },
    items: [
      { ref: "good", uploadSessionId: await uploaded(good) },
      { ref: "blurred", uploadSessionId: await uploaded(blurred) },
      { ref: "anyway", uploadSessionId: await uploaded(blurred), parameters: { onPoorSource: "edit" } },
    ],
  } as never);
  const batch = await client().batches.wait(id);
  expect([batch.counts.completed, batch.counts.failed, batch.creditsCharged]).toEqual([2, 1, 2]);
  const rows = await Array.fromAsync(client().batches.report(id));
  expect(rows.map(({ ref, code }) => [ref, code])).toEqual([
    ["good", null],
    ["blurred", "poor_source"],
    ["anyway", null],
  ]);
  await expect.poll(creditsLeft, waiting).toBe(before - 2);
});

test("a dry run looks at photos of a batch before it costs, and says which would be refused and which fail", async () => {
  const before = await creditsLeft();
  const missing = crypto.randomUUID();
  const rows = [
    { ref: "good", uploadSessionId: await uploaded(good) },
    { ref: "blurred", uploadSessionId: await uploaded(blurred) },
    { ref: "anyway", uploadSessionId: await uploaded(blurred), parameters: { onPoorSource: "edit" } },
    { ref: "broken", uploadSessionId: await uploaded(Buffer.from("no photo")) },
    { ref: "missing", uploadSessionId: missing },
    { ref: "forbidden", imageUrl: "http://169.254.169.254/latest.jpg" },
  ];
  const batch = { tool: "mask", parameters: { onPoorSource: "refuse" }, items: rows } as never;
  const { photos, credits, faults } = await client().batches.dryRun(batch);
  // A session that is not there makes its row faulty before any photo is looked at.
  expect(faults).toMatchObject([{ ref: "missing", code: "not_found" }]);
  expect(photos).toMatchObject({
    sampled: 5,
    lookedAt: 3,
    poor: 2,
    checks: { sharpness: 2, border: 0 },
    verdicts: { edit: 1, review: 1, refuse: 1, fail: 2, unknown: 0 },
  });
  expect(photos.rows.map(({ ref, verdict, error }) => [ref, verdict, error?.code])).toEqual([
    ["good", "review", undefined],
    ["blurred", "refuse", undefined],
    ["anyway", "edit", undefined],
    ["broken", "fail", "unsupported_media_type"],
    ["forbidden", "fail", "source_forbidden"],
  ]);
  // What the edit itself will say.
  const { body: job } = await fixture.edit("mask", formWith(blurred));
  expect(photos.rows[1]!.source).toEqual(job.report.source);
  expect([credits, await creditsLeft()]).toEqual([5, before - 1]);

  const none = await client().batches.dryRun(batch, { look: { photos: 0 } });
  expect(none.photos).toMatchObject({ sampled: 0, rows: [] });
  const two = await client().batches.dryRun(batch, { look: { photos: 2, seed: 5 } });
  expect(two.photos.rows).toHaveLength(2);
});
