/** @module-tag long */
import { readFileSync } from "node:fs";
import { pipelineVersion } from "@packshot/domain/edits/pipeline.ts";
import { expect, test } from "vitest";
import { pipelineDigests, readPipelineRecord } from "../../../../testing/edits/pipeline-record.ts";

test("the pipeline gives the bytes that are recorded for its version", async () => {
  const raise = "raise pipelineVersion in packages/domain/edits/pipeline.ts, and run node scripts/record-pipeline.ts";
  expect(await pipelineDigests(), raise).toEqual(readPipelineRecord().digests);
}, 600_000);

test("the record is that of the current version, which names the bundled weights", () => {
  const manifest = new URL("../../../../models/packshot-mask/packshot.json", import.meta.url);
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  expect(readPipelineRecord().pipeline).toBe(pipelineVersion);
  expect(pipelineVersion.split("+")[1]).toBe(version);
});
