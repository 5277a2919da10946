/**
 * What tracing costs: processor time per job of whole stacks beside each other, one of which works at a time. In each round
 * every stack edits the same photo as often, in an order drawn anew, so that other work on the machine meets all alike.
 *
 *   node bench/tracing/cost.ts [--rounds 40] [--jobs 10] [--base COMMIT]   writes bench/results/<date>/tracing.md
 *
 * `--base`: a commit without tracing, which is checked out beside this one and measured as well.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { StackFile } from "../../cli/operator/stack-file.ts";
import { findNatsServer } from "../../cli/up/find-nats-server.ts";
import { jpeg } from "../../testing/images/odd-images.ts";
import { formWith } from "../../testing/stack/live-stack.ts";
import { startOtlpReceiver } from "../../testing/tracing/otlp-receiver.ts";
import { startReceiver } from "../../testing/webhooks/receiver.ts";
import { checkOut, repositoryRoot } from "../measuring/base-checkout.ts";
import { treeCpuMs, watchOtherLoad } from "../measuring/processor-time.ts";
import { mean, quantile } from "../measuring/statistics.ts";
import { createTable, writeResults } from "../measuring/write-results.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "40" },
    jobs: { type: "string", default: "10" },
    base: { type: "string" },
  },
});
const [rounds, jobs] = [Number(values.rounds), Number(values.jobs)];
const processNames = ["api", "worker", "model-server", "webhooks"] as const;
const resamples = 4_000;

interface Variant {
  readonly name: string;
  /** Of the checkout whose stack it is. */
  readonly root: string;
  readonly environment: Readonly<Record<string, string>>;
}

interface RunningStack {
  readonly variant: Variant;
  readonly file: StackFile;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Milliseconds per job, by process; `all` has nats-server and the launcher too. */
type Costs = Readonly<Record<"all" | (typeof processNames)[number], number>>;

async function startStack(variant: Variant, endpoint: string): Promise<RunningStack> {
  const dataDir = mkdtempSync(join(tmpdir(), "packshot-tracing-"));
  const args = ["cli/packshot.ts", "up", "--data-dir", dataDir, "--port", "0", "--workers", "1"];
  const environment = { ...process.env, PACKSHOT_NATS_SERVER: findNatsServer(process.env), ...variant.environment };
  const child: ChildProcess = spawn(process.execPath, args, { cwd: variant.root, env: environment, stdio: "ignore" });
  const ended = once(child, "exit");
  const stackFile = join(dataDir, "stack.json");
  while (!existsSync(stackFile)) {
    if (child.exitCode !== null) throw new Error(`the stack "${variant.name}" did not start`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const file = JSON.parse(readFileSync(stackFile, "utf8")) as StackFile;
  await post(file, "/v1/webhooks", JSON.stringify({ url: endpoint }), { "Content-Type": "application/json" });
  return {
    ...{ variant, file, pid: child.pid! },
    async stop() {
      child.kill("SIGTERM");
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function post(file: StackFile, path: string, body: FormData | string, headers: Readonly<Record<string, string>>) {
  const authorization = { Authorization: `Bearer ${file.apiKey}` };
  const response = await fetch(file.apiUrl + path, { method: "POST", body, headers: { ...authorization, ...headers } });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return (await response.json()) as { id: string; status?: string };
}

/** Two clients, each of which edits one photo after the other. Resolves when each job has ended and been delivered. */
async function editMany({ file }: RunningStack, photo: Buffer, delivered: (ids: readonly string[]) => Promise<void>) {
  const client = async (count: number) => {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) {
      const { id, status } = await post(file, "/v1/tools/mask/edit", formWith(photo), { Prefer: "wait=60" });
      if (status !== "completed") throw new Error(`a job is ${status}`);
      ids.push(id);
    }
    return ids;
  };
  const ids = await Promise.all([client(Math.ceil(jobs / 2)), client(Math.floor(jobs / 2))]);
  await delivered(ids.flat());
}

function processOf(commandLine: string): string {
  return processNames.find((name) => commandLine.includes(`${name}-main.ts`)) ?? "other";
}

async function measure(stack: RunningStack, work: () => Promise<void>): Promise<Costs> {
  const before = treeCpuMs(stack.pid, processOf);
  await work();
  const after = treeCpuMs(stack.pid, processOf);
  const perJob = (name: string) => ((after.get(name) ?? 0) - (before.get(name) ?? 0)) / jobs;
  const byProcess = Object.fromEntries(processNames.map((name) => [name, perJob(name)])) as Omit<Costs, "all">;
  return { ...byProcess, all: [...after.keys()].reduce((sum, name) => sum + perJob(name), 0) };
}

/** The 95 % interval of the mean, by bootstrap: nothing is assumed of how the values are distributed. */
function interval(differences: readonly number[]): { readonly low: number; readonly high: number } {
  const means = Array.from({ length: resamples }, () =>
    mean(differences.map(() => differences[Math.floor(Math.random() * differences.length)]!)),
  ).sort((a, b) => a - b);
  return { low: quantile(means, 0.025), high: quantile(means, 0.975) };
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

const photo = await jpeg();
const collector = await startOtlpReceiver();
const endpoint = await startReceiver();
const ratio = (share: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
  OTEL_TRACES_SAMPLER_ARG: share,
});
const base = values.base === undefined ? undefined : checkOut(values.base);
const variants: readonly Variant[] = [
  { name: "off", root: repositoryRoot, environment: {} },
  ...(base === undefined ? [] : [{ name: "before", root: base.root, environment: {} }]),
  { name: "1 %", root: repositoryRoot, environment: ratio("0.01") },
  { name: "all", root: repositoryRoot, environment: ratio("1") },
];

async function delivered(ids: readonly string[]): Promise<void> {
  await endpoint.until((received) => ids.every((id) => received.some(({ body }) => body.includes(id))));
  endpoint.received.length = 0;
}

const stacks: RunningStack[] = [];
const costs = new Map<string, Costs[]>(variants.map(({ name }) => [name, []]));
const others = watchOtherLoad();
try {
  for (const variant of variants) stacks.push(await startStack(variant, endpoint.url));
  // The first round warms caches and compiles.
  for (let round = 0; round <= rounds; round++) {
    for (const stack of shuffled(stacks)) {
      const cost = await measure(stack, () => editMany(stack, photo, delivered));
      if (round > 0) costs.get(stack.variant.name)!.push(cost);
    }
    process.stdout.write(`round ${round} of ${rounds}\n`);
  }
} finally {
  await Promise.all(stacks.map((stack) => stack.stop()));
  await endpoint.close();
  await collector.stop();
  base?.remove();
}

const sums = {
  "all processes": ({ all }: Costs) => all,
  "without the model server": (cost: Costs) => cost.all - cost["model-server"],
} as const;
const table = createTable(["stack", "all", "api", "worker", "model server", "webhooks", "nats-server and launcher"]);
const differences = createTable([
  "stack",
  ...Object.keys(sums).flatMap((name) => [`${name}, more than off`, "95 % interval"]),
]);
const off = costs.get("off")!;
for (const [name, measured] of costs) {
  const meanOf = (of: (cost: Costs) => number) => mean(measured.map(of)).toFixed(1);
  const rest = (cost: Costs) => cost.all - processNames.reduce((sum, each) => sum + cost[each], 0);
  table.add(
    name,
    meanOf(({ all }) => all),
    ...processNames.map((each) => meanOf((cost) => cost[each])),
    meanOf(rest),
  );
}
for (const [name, measured] of costs) {
  if (measured === off) continue;
  const cells = Object.values(sums).flatMap((sum) => {
    const shares = measured.map((cost, round) => sum(cost) / sum(off[round]!) - 1);
    const { low, high } = interval(shares);
    return [percent(mean(shares)), `${percent(low)} to ${percent(high)}`];
  });
  differences.add(name, ...cells);
}
const share = others();
writeResults({
  name: "tracing",
  title: "What tracing costs",
  setting: `${stacks.length} stacks of one API, worker, model server, webhook service and nats-server each, one of which works at a time`,
  sections: [
    `Milliseconds of processor time of all threads per mask edit of a photo of 320 × 240, from the request to the webhook, two
clients at once: means of ${rounds} rounds of ${jobs} jobs.`,
    table.toString(),
    `The mean of the rounds' differences to this commit with tracing off, with its bootstrap interval: where it spans zero,
nothing was found. The model server's time varies most, with how many rows its batches have.${
      share === undefined ? "" : ` Other work took ${(share * 100).toFixed(0)} % of the machine meanwhile.`
    }`,
    differences.toString(),
  ],
});
