/**
 * Measures what further files of one edit cost: processor time of worker and model server, on a whole stack, for one file and for
 * several, each photo in all ways in turns.
 *
 *   node bench/edits/outputs.ts [--photos NAME,NAME] [--megapixels 1.4] [--rounds 9]
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { EditParameters } from "@packshot/domain/edits/tools.ts";
import sharp from "sharp";
import { photosFolder } from "../../testing/mask/photos-with-truth.ts";
import { startLiveStack } from "../../testing/stack/live-stack.ts";
import { commandLineOf, cpuMs, descendants } from "../measuring/processor-time.ts";
import { median } from "../measuring/statistics.ts";
import { createTable } from "../measuring/write-results.ts";
import { call, formOf } from "../peers/http-call.ts";

const { values } = parseArgs({
  options: {
    photos: { type: "string", default: "scene-mb01-blue-0,scene-mighty-mug,white-wb07-brown-0" },
    megapixels: { type: "string", default: "1.4" },
    rounds: { type: "string", default: "9" },
  },
});
const warmUps = 6;

const amazon = { name: "amazon", preset: "amazon-main" } as const;
const zalando = { name: "zalando", preset: "zalando" } as const;
const web = { name: "web-400", output: { format: "webp", width: 400 } } as const;
const cutout = { name: "cutout" } as const;

/** The first is what the others are compared with. */
const ways: Readonly<Record<string, EditParameters>> = {
  amazon: { preset: "amazon-main" },
  "amazon, zalando, web-400": { outputs: [amazon, zalando, web] },
  "cut-out": {},
  "cut-out, amazon, web-400": { outputs: [cutout, amazon, web] },
};

const { file, stop } = await startLiveStack({});
const measured = descendants().filter((pid) => /worker-main|model-server-main/.test(commandLineOf(pid)));
const authorization = { Authorization: `Bearer ${file.apiKey}`, Prefer: "wait=60" };

/** @returns the processor milliseconds of worker and model server */
async function edit(parameters: EditParameters, photo: Buffer): Promise<number> {
  const { headers, body } = await formOf(photo, "image", { parameters: JSON.stringify({ seed: 7, ...parameters }) });
  const used = () => measured.reduce((sum, pid) => sum + cpuMs(pid), 0);
  const before = used();
  const answer = await call(`${file.apiUrl}/v1/tools/mask/edit`, {
    method: "POST",
    headers: { ...headers, ...authorization },
    body,
  });
  const { status } = JSON.parse(answer.toString()) as { readonly status: string };
  if (status !== "completed") throw new Error(`the edit ended as ${status}`);
  return used() - before;
}

let count = 0;
/** Bytes that no edit has seen, so that no kept matte is taken: a comment after the image's end. */
function anew(photo: Buffer): Buffer {
  count += 1;
  return Buffer.concat([photo, Buffer.from(`edit ${count}`)]);
}

async function photoOf(name: string): Promise<Buffer> {
  const opened = sharp(readFileSync(join(photosFolder, `${name}.jpg`)));
  const { width, height } = await opened.metadata();
  const scale = Math.sqrt((Number(values.megapixels) * 1e6) / (width * height));
  return await opened
    .resize(Math.round(width * scale), Math.round(height * scale))
    .jpeg({ quality: 92 })
    .toBuffer();
}

try {
  const table = createTable(["photo", "files", "ms", "of one"]);
  for (const name of values.photos.split(",")) {
    const photo = await photoOf(name);
    for (let n = 0; n < warmUps; n++) for (const parameters of Object.values(ways)) await edit(parameters, anew(photo));
    const times = new Map(Object.keys(ways).map((way) => [way, [] as number[]]));
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const [way, parameters] of Object.entries(ways)) times.get(way)!.push(await edit(parameters, anew(photo)));
    }
    let one = 0;
    for (const [way, ms] of times) {
      const taken = median(ms);
      if (!way.includes(",")) one = taken;
      table.add(name, way, taken.toFixed(0), (taken / one).toFixed(2));
    }
  }
} finally {
  await stop();
}
process.exit();
