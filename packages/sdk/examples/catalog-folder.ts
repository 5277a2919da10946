/**
 * Cuts out every photo of a folder, a few at a time. Run it again after a fault or an interruption: what is done is left
 * out, and an edit that was accepted is not paid again.
 *
 *     PACKSHOT_URL=https://packshot.example PACKSHOT_KEY=ps_live_… node catalog-folder.ts photos cut-outs
 */
import { createWriteStream, openAsBlob } from "node:fs";
import { access, mkdir, readdir, rename, stat } from "node:fs/promises";
import { join, parse } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type EditedPhoto, Packshot, PackshotError } from "@packshot/sdk";

const atOnceMax = 8;
const [photos = "photos", cutOuts = "cut-outs"] = process.argv.slice(2);
const { PACKSHOT_URL: baseUrl = "http://127.0.0.1:8080", PACKSHOT_KEY: apiKey = "" } = process.env;
const packshot = new Packshot({ baseUrl, apiKey });
const tally = { done: 0, skipped: 0, failed: 0 };

async function cutOut(name: string): Promise<void> {
  const result = join(cutOuts, `${parse(name).name}.png`);
  if (
    await access(result).then(
      () => true,
      () => false,
    )
  ) {
    tally.skipped += 1;
    return;
  }
  const path = join(photos, name);
  const { size, mtimeMs } = await stat(path);
  // The same file has the same key, whichever run sends it.
  const idempotencyKey = `${encodeURIComponent(name).slice(-150)}-${size}-${Math.floor(mtimeMs)}`;
  const edited = await edit(await openAsBlob(path), name, idempotencyKey);
  const { stream } = await edited.download();
  // A half-written file must not look like a result to the next run.
  await pipeline(Readable.fromWeb(stream), createWriteStream(`${result}.part`));
  await rename(`${result}.part`, result);
  tally.done += 1;
  if (edited.job.report?.quality === "review") console.log(name, "look at it:", edited.job.report.reasons?.join("; "));
}

async function edit(photo: Blob, file: string, idempotencyKey: string): Promise<EditedPhoto> {
  try {
    return await packshot.edit("mask", photo, { idempotencyKey, metadata: { file } });
  } catch (error) {
    if (!(error instanceof PackshotError) || error.code !== "job_expired") throw error;
    // A run of more than an hour ago made it, and its result is gone: only a new edit helps.
    return await packshot.edit("mask", photo, { metadata: { file } });
  }
}

async function work(names: string[]): Promise<void> {
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    try {
      await cutOut(name);
    } catch (error) {
      if (!(error instanceof PackshotError)) throw error;
      tally.failed += 1;
      console.log(name, error.code, error.message);
    }
  }
}

await mkdir(cutOuts, { recursive: true });
const names = (await readdir(photos)).filter((name) => /\.(jpe?g|png|webp|avif|tiff?|gif)$/i.test(name));
await Promise.all(Array.from({ length: atOnceMax }, () => work(names)));
console.log(JSON.stringify(tally));
process.exitCode = tally.failed === 0 ? 0 : 1;
