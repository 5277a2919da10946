/**
 * Edits every photo of a folder as one batch: the service has all rows, and this program may end and be started again. What
 * was edited in an earlier run is not paid again, as long as the photo is the same.
 *
 *     PACKSHOT_URL=https://packshot.example PACKSHOT_KEY=ps_live_… node catalog-batch.ts photos cut-outs
 */
import { createWriteStream, openAsBlob } from "node:fs";
import { mkdir, readdir, rename } from "node:fs/promises";
import { join, parse } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type BatchRow, Packshot } from "@packshot/sdk";

const uploadsMax = 8;
const [photos = "photos", cutOuts = "cut-outs"] = process.argv.slice(2);
const { PACKSHOT_URL: baseUrl = "http://127.0.0.1:8080", PACKSHOT_KEY: apiKey = "" } = process.env;
const packshot = new Packshot({ baseUrl, apiKey });

/** A row of NDJSON for each photo, whose name is its ref. */
async function uploadAll(names: readonly string[]): Promise<{ readonly rows: string[]; readonly sessions: string[] }> {
  const rows: string[] = [];
  const sessions: string[] = [];
  const left = [...names];
  async function work(): Promise<void> {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      const { uploadSessionId } = await packshot.uploads.send(await openAsBlob(join(photos, name)));
      sessions.push(uploadSessionId);
      rows.push(JSON.stringify({ ref: name, uploadSessionId }));
    }
  }
  await Promise.all(Array.from({ length: uploadsMax }, work));
  return { rows, sessions };
}

async function save({ ref, resultUrl }: BatchRow & { readonly resultUrl: string }): Promise<void> {
  const path = join(cutOuts, `${parse(ref).name}.png`);
  const response = await fetch(resultUrl);
  if (response.body === null || !response.ok) throw new Error(`${ref}: ${response.status}`);
  // A half-written file must not look like a result.
  await pipeline(Readable.fromWeb(response.body), createWriteStream(`${path}.part`));
  await rename(`${path}.part`, path);
}

await mkdir(cutOuts, { recursive: true });
const names = (await readdir(photos)).filter((name) => /\.(jpe?g|png|webp|avif|tiff?|gif)$/i.test(name));
const { rows, sessions } = await uploadAll(names);
const { id } = await packshot.batches.create({
  tool: "mask",
  file: new TextEncoder().encode(rows.join("\n")),
  format: "ndjson",
  onExisting: "skip",
});
const batch = await packshot.batches.wait(id, {
  onProgress: ({ counts, rows, secondsLeft }) =>
    console.log(`${rows - counts.pending - counts.open} of ${rows} rows, ${secondsLeft ?? "?"} s left`),
});
if (batch.status !== "completed")
  console.log(`the batch is ${batch.status}: ${batch.pausedBy ?? batch.error?.message}`);
for await (const row of packshot.batches.report(id)) {
  const { resultUrl } = row;
  if (resultUrl !== null) await save({ ...row, resultUrl });
  else console.log(row.ref, row.status, row.code, row.message);
  if (row.quality === "review") console.log(row.ref, "look at it");
}
await Promise.all(sessions.map((session) => packshot.uploads.delete(session)));
console.log(JSON.stringify(batch.counts));
process.exitCode = batch.status === "completed" && batch.counts.failed === 0 ? 0 : 1;
