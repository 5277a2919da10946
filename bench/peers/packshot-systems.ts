/** The whole stack as `packshot up` starts it, once with the weights of the others and once with its own. */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startLiveStack } from "../../testing/stack/live-stack.ts";
import { descendants, stackProcessOf } from "../measuring/processor-time.ts";
import { call, formOf } from "./http-call.ts";
import type { System } from "./system.ts";

interface Job {
  readonly status: string;
  readonly resultUrl: string;
  readonly error: { readonly message: string } | null;
}

/**
 * Both share one stack, whose model server has both networks in memory. It is not suspended: it would lose its
 * connections, and idle it uses about a hundredth of a core.
 *
 * @param before the commit whose bundled weights are another system
 */
export async function startPackshot(weights: string, folder: string, before?: string): Promise<System[]> {
  const models = join(folder, "models");
  mkdirSync(models);
  copyFileSync(weights, join(models, "u2netp.onnx"));
  if (before !== undefined) takeWeightsOf(before, models);
  const others = new Set(descendants());
  const { file, stop } = await startLiveStack({
    PACKSHOT_MODEL_DIR: models,
    // The same photos are sent again and again.
    PACKSHOT_KEPT_MATTE_SECONDS: "0",
  });
  const services = descendants().filter((pid) => !others.has(pid));
  const authorization = { Authorization: `Bearer ${file.apiKey}`, Prefer: "wait=60" };
  const systems: readonly { readonly name: string; readonly fields: Readonly<Record<string, string>> }[] = [
    { name: "Packshot, the same weights", fields: { model: "u2netp" } },
    { name: "Packshot, bundled weights", fields: {} },
    ...(before === undefined ? [] : [{ name: `Packshot, weights of ${before}`, fields: { model: nameBefore } }]),
  ];
  return systems.map(({ name, fields }, n) => ({
    name,
    partOf: stackProcessOf,
    pids: () => [...new Set(services.flatMap((pid) => [pid, ...descendants(pid)]))],
    async cutOut(photo) {
      const { headers, body } = await formOf(photo, "image", fields);
      const submit = { method: "POST", headers: { ...headers, ...authorization }, body };
      return async () => {
        const job = JSON.parse((await call(`${file.apiUrl}/v1/tools/mask/edit`, submit)).toString()) as Job;
        if (job.status !== "completed") throw new Error(`an edit ended as ${job.status}: ${job.error?.message}`);
        return await call(job.resultUrl);
      };
    },
    suspend() {},
    resume() {},
    stop: n === 0 ? stop : async () => {},
  }));
}

const nameBefore = "packshot-mask-before";

/** The bundled model of an earlier commit, under a name of its own. */
function takeWeightsOf(commit: string, models: string): void {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const archive = execFileSync("git", ["archive", commit, "models/packshot-mask"], { cwd: root, maxBuffer: 2 ** 28 });
  execFileSync("tar", ["-x", "--strip-components=1", "-C", models], { input: archive });
  const folder = join(models, nameBefore);
  renameSync(join(models, "packshot-mask"), folder);
  for (const file of ["packshot.json", "config.pbtxt"]) {
    const path = join(folder, file);
    writeFileSync(path, readFileSync(path, "utf8").replace('"packshot-mask"', `"${nameBefore}"`));
  }
}
