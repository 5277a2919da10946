/**
 * How long a client waits: POST → 202 (accept), and POST → completed, for each tool over the public API of a stack of
 * its own. One client, one edit at a time: latency, not load.
 *
 * node bench/latency/edit-latency.ts [--photo FILE] [--edits N] [--model-dir DIR --model NAME]
 */
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { toolIds } from "@packshot/domain/tools.ts";
import { quantile } from "../measuring/statistics.ts";
import { formWith, startLiveStack } from "../../testing/stack/live-stack.ts";
import { jpeg } from "../../testing/images/odd-images.ts";

const { values } = parseArgs({
  options: {
    photo: { type: "string" },
    edits: { type: "string", default: "30" },
    "model-dir": { type: "string" },
    model: { type: "string" },
  },
});
const edits = Number(values.edits);
const photo = values.photo === undefined ? await jpeg() : readFileSync(values.photo);
const stack = await startLiveStack(
  values["model-dir"] === undefined ? {} : { PACKSHOT_MODEL_DIR: values["model-dir"] },
);

const shown = (sorted: readonly number[], share: number) => quantile(sorted, share).toFixed(0);

async function upload(): Promise<string> {
  const body = JSON.stringify({ contentType: "image/jpeg", filename: "photo", sizeBytes: photo.length });
  const session = (await (
    await stack.call("POST", "/v1/uploads", { body, headers: { "Content-Type": "application/json" } })
  ).json()) as {
    uploadUrl: string;
    uploadSessionId: string;
  };
  await stack.call("PUT", session.uploadUrl, {
    body: new Uint8Array(photo),
    headers: { "Content-Type": "image/jpeg" },
  });
  return session.uploadSessionId;
}

try {
  console.log(
    `${cpus().length} × ${cpus()[0]?.model.trim()}, ${photo.length} bytes, ${edits} edits each, one at a time\n`,
  );
  console.log("| tool | accept p50 ms | accept p99 ms | completed p50 ms | completed p99 ms | failed |");
  console.log("|---|---|---|---|---|---|");
  const uploadSessionId = await upload();
  for (const tool of toolIds) {
    const [accepts, completions]: [number[], number[]] = [[], []];
    let failed = 0;
    for (let n = 0; n <= edits; n++) {
      const parameters = { seed: n, ...(values.model === undefined ? {} : { model: values.model }) };
      const startedMs = performance.now();
      const accepted = await stack.call("POST", `/v1/tools/${tool}/edit`, {
        body: JSON.stringify({ uploadSessionId, parameters }),
        headers: { "Content-Type": "application/json" },
      });
      const { id } = (await accepted.json()) as { id: string };
      const acceptedMs = performance.now() - startedMs;
      const job = (await (await stack.call("GET", `/v1/jobs/${id}`, { headers: { Prefer: "wait=60" } })).json()) as {
        status: string;
      };
      if (job.status !== "completed") failed += 1;
      if (n === 0) continue; // The first warms caches.
      accepts.push(acceptedMs);
      completions.push(performance.now() - startedMs);
    }
    accepts.sort((a, b) => a - b);
    completions.sort((a, b) => a - b);
    const cells = [
      tool,
      shown(accepts, 0.5),
      shown(accepts, 0.99),
      shown(completions, 0.5),
      shown(completions, 0.99),
      failed,
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
  // A multipart form carries the bytes: its accept includes reading and checking them.
  const forms: number[] = [];
  for (let n = 0; n < edits; n++) {
    const startedMs = performance.now();
    await (await stack.call("POST", "/v1/tools/mask/edit", { body: formWith(photo) })).json();
    forms.push(performance.now() - startedMs);
  }
  forms.sort((a, b) => a - b);
  console.log(`\nmultipart accept while the worker is busy: p50 ${shown(forms, 0.5)} ms, p99 ${shown(forms, 0.99)} ms`);
} finally {
  await stack.stop();
}
