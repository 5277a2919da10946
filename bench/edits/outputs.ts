/**
 * Measures what further files of one edit cost: processor time of worker and model server, on a whole stack, for one file and for
 * several, each photo in all ways in turns.
 *
 *   node bench/edits/outputs.ts [--photos NAME,NAME] [--megapixels 1.4] [--rounds 9]
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { EditParameters } from "@packshot/domain/edits/tools.ts";
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

const anew = createUnseen();

try {
  const table = createTable(["photo", "files", "ms", "of one"]);
  for (const name of values.photos.split(",")) {
    const photo = await resizedPhoto(join(photosFolder, `${name}.jpg`), Number(values.megapixels));
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
