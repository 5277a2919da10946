/**
 * How long a deployment takes from `exec` to ready and to its first result, and what memory it holds at rest: the services as
 * containers start them, from an empty and from a filled compile cache, in turns with the commit before.
 *
 *   node bench/cold-start/run.ts [--rounds 5] [--rest 10] [--base COMMIT]   writes bench/results/<date>/cold-start.md
 *
 * `--rest`: seconds of rest before memory is read.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openAccount } from "../../testing/api/accounts.ts";
import { apiEnvironment, startApis } from "../../testing/api/api-processes.ts";
import { jpeg } from "../../testing/images/odd-images.ts";
import { onFreePorts } from "../../testing/servers/free-ports.ts";
import { formWith } from "../../testing/stack/live-stack.ts";
import { checkOut, repositoryRoot } from "../measuring/base-checkout.ts";
import { watchOtherLoad } from "../measuring/processor-time.ts";
import { median } from "../measuring/statistics.ts";
import { formatTable, writeResults } from "../measuring/write-results.ts";
import { cpuMsOf, type Memory, memoryOf, type Role, roles, type StartedRole, startRole } from "./processes.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    rest: { type: "string", default: "10" },
    base: { type: "string" },
  },
});
const [rounds, restMs] = [Number(values.rounds), Number(values.rest) * 1_000];

interface Variant {
  readonly name: string;
  readonly root: string;
  /** undefined: Node keeps no compiled modules. */
  readonly compileCache: string | undefined;
}

interface RoleFigures {
  readonly readyMs: number;
  readonly readyCpuMs: number;
  readonly firstCpuMs: number;
  readonly atRest: Memory;
  readonly afterFirst: Memory;
}

interface Run {
  readonly roles: Readonly<Record<Role, RoleFigures>>;
  /** From `exec` of model server and worker, at the same time, to the end of a job that waits for them. */
  readonly firstResultMs: number;
}

type Started = Readonly<Record<Role, StartedRole>>;

const photo = await jpeg();
const folder = await mkdtemp(join(tmpdir(), "packshot-cold-"));
/** Its API makes the account; the measured ones are others. */
const { nats, all, storageDir, stop } = await startApis();
const { key } = await openAccount(all[0]!);

function environmentOf({ compileCache }: Variant, modelPort: number): Readonly<Record<string, string>> {
  return {
    ...apiEnvironment({ natsUrl: nats.url, storageDir }),
    PACKSHOT_API_PORT: "0",
    PACKSHOT_ADMIN_PORT: "0",
    PACKSHOT_METRICS_PORT: "0",
    PACKSHOT_PUBLIC_URL: all[0]!.url,
    PACKSHOT_MODEL_GRPC_PORT: String(modelPort),
    PACKSHOT_MODEL_HTTP_PORT: "0",
    PACKSHOT_MODEL_SERVER: `127.0.0.1:${modelPort}`,
    ...(compileCache !== undefined && { NODE_COMPILE_CACHE: compileCache }),
  };
}

async function start(variant: Variant, whenServing: (api: string) => Promise<void>): Promise<Started> {
  return await onFreePorts(1, async ([port]) => {
    const environment = environmentOf(variant, port!);
    const startIt = (role: Role) => startRole(role, variant.root, environment);
    const api = await startIt("api");
    const webhooks = await startIt("webhooks");
    await whenServing(api.ready.api as string);
    const [modelServer, worker] = await Promise.all([startIt("modelServer"), startIt("worker")]);
    return { api, webhooks, modelServer, worker };
  });
}

async function stopAll(started: Started): Promise<void> {
  await Promise.all(roles.map((role) => started[role].stop()));
}

async function call(url: string, init: RequestInit = {}): Promise<{ id: string; status: string }> {
  const response = await fetch(url, { ...init, headers: { Authorization: `Bearer ${key}`, ...init.headers } });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as { id: string; status: string };
}

async function measure(variant: Variant): Promise<Run> {
  const resting = await start(variant, async () => {});
  await delay(restMs);
  const atRest = roles.map((role) => memoryOf(resting[role].pid));
  await stopAll(resting);

  let first: Promise<{ status: string }> | undefined;
  let startedMs = 0;
  let endedMs = 0;
  const started = await start(variant, async (api) => {
    const { id } = await call(`${api}/v1/tools/mask/edit`, { method: "POST", body: formWith(photo) });
    startedMs = performance.now();
    first = call(`${api}/v1/jobs/${id}`, { headers: { Prefer: "wait=60" } }).finally(() => {
      endedMs = performance.now();
    });
  });
  const { status } = await first!;
  if (status !== "completed") throw new Error(`the first job is ${status}`);
  const firstCpuMs = roles.map((role) => cpuMsOf(started[role].pid));
  await delay(restMs);
  const figures = roles.map((role, at): [Role, RoleFigures] => {
    const { pid, readyMs, readyCpuMs } = started[role];
    const memory = { atRest: atRest[at]!, afterFirst: memoryOf(pid) };
    return [role, { readyMs, readyCpuMs, firstCpuMs: firstCpuMs[at]!, ...memory }];
  });
  await stopAll(started);
  return { roles: Object.fromEntries(figures) as Run["roles"], firstResultMs: endedMs - startedMs };
}

const base = values.base === undefined ? undefined : checkOut(values.base);
const checkouts = [
  ...(base === undefined ? [] : [{ name: "before", root: base.root }]),
  { name: "now", root: repositoryRoot },
];
const variants: readonly Variant[] = checkouts.flatMap(({ name, root }) => [
  { name: `${name}, no cache`, root, compileCache: undefined },
  { name: `${name}, filled cache`, root, compileCache: join(folder, name) },
]);
const runs = new Map<Variant, Run[]>(variants.map((variant) => [variant, []]));
const others = watchOtherLoad();
try {
  // A first start, which is not counted, fills each cache and reads the files from the disk.
  for (const variant of variants) await stopAll(await start(variant, async () => {}));
  for (let round = 0; round < rounds; round++) {
    for (const variant of round % 2 === 0 ? variants : variants.toReversed())
      runs.get(variant)!.push(await measure(variant));
    process.stdout.write(`round ${round + 1} of ${rounds}\n`);
  }
} finally {
  await stop();
  await rm(folder, { recursive: true, force: true });
  base?.remove();
}

function tableOf(title: string, of: (figures: RoleFigures) => number): string {
  const rows = variants.map(({ name }, at) => {
    const measured = runs.get(variants[at]!)!;
    const cells = roles.map((role) => median(measured.map((run) => of(run.roles[role]))));
    return [name, ...[...cells, cells.reduce((sum, value) => sum + value, 0)].map((value) => value.toFixed(0))];
  });
  return `**${title}**\n\n${formatTable(["", "API", "webhooks", "model server", "worker", "sum"], rows)}`;
}

const firstResults = variants.map((variant) => {
  const measured = runs.get(variant)!;
  const both = ({ roles: { modelServer, worker } }: Run) => modelServer.firstCpuMs + worker.firstCpuMs;
  const cells = [median(measured.map(({ firstResultMs }) => firstResultMs)), median(measured.map(both))];
  return [variant.name, ...cells.map((value) => value.toFixed(0))];
});
const share = others();
writeResults({
  name: "cold-start",
  title: "Cold start, and memory at rest",
  setting: `one process each of API, webhook service, model server and worker, beside one nats-server`,
  sections: [
    `Medians of ${rounds} starts each, in turns. Model server and worker start at the same time, while a mask edit of a photo of
320 × 240 waits in the log; the API, and after it the webhook service, start alone.${
      share === undefined ? "" : ` Other work took ${(share * 100).toFixed(0)} % of the machine meanwhile.`
    }`,
    `**From exec of model server and worker to the first result**\n\n${formatTable(["", "ms", "ms of processor time of both"], firstResults)}`,
    tableOf("From exec to ready, ms", ({ readyMs }) => readyMs),
    tableOf("From exec to ready, ms of processor time", ({ readyCpuMs }) => readyCpuMs),
    tableOf(`PSS after ${values.rest} s of rest, MiB`, ({ atRest }) => atRest.pssMb),
    tableOf(`RSS after ${values.rest} s of rest, MiB`, ({ atRest }) => atRest.rssMb),
    tableOf(`PSS ${values.rest} s after the first edit, MiB`, ({ afterFirst }) => afterFirst.pssMb),
  ],
});
