/**
 * Measures what a shadow or a scene costs after a cut-out of the same photo, beside one whose matte is made for it: processor time of worker
 * and model server, on a whole stack, each photo in both ways in turns.
 *
 *   node bench/edits/kept-matte.ts [--photos NAME,NAME] [--megapixels 1.2] [--rounds 7]
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { photosFolder } from "../../testing/mask/photos-with-truth.ts";
import { startLiveStack } from "../../testing/stack/live-stack.ts";
import { commandLineOf, cpuMs, descendants } from "../measuring/processor-time.ts";
import { createUnseen, resizedPhoto } from "../measuring/resized-photo.ts";
import { median } from "../measuring/statistics.ts";
import { createTable } from "../measuring/write-results.ts";
import { call, formOf } from "../peers/http-call.ts";

const { values } = parseArgs({
  options: {
    photos: { type: "string", default: "scene-mb01-blue-0,scene-mighty-mug,white-wb07-brown-0" },
    megapixels: { type: "string", default: "1.2" },
    rounds: { type: "string", default: "7" },
  },
});
const warmUps = 6;

const { file, stop } = await startLiveStack({});
const measured = descendants().filter((pid) => /worker-main|model-server-main/.test(commandLineOf(pid)));
const authorization = { Authorization: `Bearer ${file.apiKey}`, Prefer: "wait=60" };

interface Job {
  readonly status: string;
  readonly report: { readonly matteOf?: string };
}

/** @returns the processor milliseconds of worker and model server, and whether a kept matte was taken */
async function edit(tool: string, photo: Buffer): Promise<{ ms: number; taken: boolean }> {
  const { headers, body } = await formOf(photo, "image", { seed: "7" });
  const used = () => measured.reduce((sum, pid) => sum + cpuMs(pid), 0);
  const before = used();
  const answer = await call(`${file.apiUrl}/v1/tools/${tool}/edit`, {
    method: "POST",
    headers: { ...headers, ...authorization },
    body,
  });
  const job = JSON.parse(answer.toString()) as Job;
  if (job.status !== "completed") throw new Error(`${tool} ended as ${job.status}`);
  return { ms: used() - before, taken: job.report.matteOf !== undefined };
}

const anew = createUnseen();

try {
  const table = createTable(["", "own matte, ms", "after a mask, ms", "share", "the mask, ms"]);
  for (const name of values.photos.split(",")) {
    const photo = await resizedPhoto(join(photosFolder, `${name}.jpg`), Number(values.megapixels));
    for (let n = 0; n < warmUps; n++) for (const tool of ["mask", "ai-shadows", "ai-bg"]) await edit(tool, anew(photo));
    for (const tool of ["ai-shadows", "ai-bg"]) {
      const own: number[] = [];
      const after: number[] = [];
      const masks: number[] = [];
      for (let round = 0; round < Number(values.rounds); round++) {
        own.push((await edit(tool, anew(photo))).ms);
        const again = anew(photo);
        masks.push((await edit("mask", again)).ms);
        const { ms, taken } = await edit(tool, again);
        if (!taken) throw new Error("the matte was made again");
        after.push(ms);
      }
      const [a, b, c] = [own, after, masks].map(median) as [number, number, number];
      table.add(`${tool}, ${name}`, a.toFixed(0), b.toFixed(0), (b / a).toFixed(2), c.toFixed(0));
    }
  }
} finally {
  await stop();
}
process.exit();
