/**
 * Puts load on a stack of its own, or on a deployment, through the public API, with k6; follows every job to its end, and
 * writes bench/results/<date>/load.md with load.svg and load.json; of a single scenario, load-<scenario>.md. Ends with status 1 when a threshold is crossed.
 *
 *   node scripts/setup.mjs k6 && node bench/load/run.ts [--seconds 40] [--soak-seconds 60] [--scenarios smoke,ramp,…]
 *     [--concurrency 1,2,4,8,16,32] [--knee JOBS_PER_SECOND] [--workers 1] [--tool mask] [--photos FOLDER] [--target URL]
 *     [--profile]
 *
 * `--profile` adds the functions of API and worker that take the most time; it slows every process a little. Only a stack of
 * its own can be profiled.
 * `--target` needs the account's key in LOAD_KEY. With PACKSHOT_ADMIN_URL and PACKSHOT_ADMIN_TOKEN the accounts of the
 * noisy tenant are made there; without them that scenario is left out.
 */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { stopSignal } from "../../cli/command-line/command.ts";
import { k6Version } from "./k6-program.ts";
import { writePhotos } from "./photos.ts";
import { dearestLines, monotonicUs, profileOptions } from "./profile.ts";
import { writeLoadReport } from "./report.ts";
import { type LoadOptions, limitMs, runScenarios, scenarioNames, withThoseBefore } from "./scenarios.ts";
import { type LoadTarget, openDeployment, startOwnTarget } from "./target.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "40" },
    "soak-seconds": { type: "string", default: "60" },
    scenarios: { type: "string", default: scenarioNames.join(",") },
    concurrency: { type: "string", default: "1,2,4,8,16,32" },
    knee: { type: "string" },
    workers: { type: "string", default: "1" },
    tool: { type: "string", default: "mask" },
    photos: { type: "string" },
    target: { type: "string" },
    profile: { type: "boolean", default: false },
  },
});
/** Each client of k6 has them all in memory. */
const photosMax = 8;
/** Per process. */
const profileLinesMax = 6;
/** Well below the first third, which the slopes of memory leave out. */
const soakRetentionShare = 1 / 6;
const retentionSecondsMin = 60;
const startAndStopMs = 300_000;
const stopLimitMs = 120_000;
const stopped = stopSignal();

async function openTarget(profiles: string | undefined, signal: AbortSignal): Promise<LoadTarget> {
  if (!values.target) return await startOwnTarget({ workers: positive("workers"), ...ownOptions(profiles) }, signal);
  const { LOAD_KEY: key, PACKSHOT_ADMIN_URL: adminUrl, PACKSHOT_ADMIN_TOKEN: adminToken } = process.env;
  if (!key) throw new Error("--target needs an API key in LOAD_KEY");
  return await openDeployment({ apiUrl: values.target.replace(/\/$/, ""), key, adminUrl, adminToken });
}

/** A soak of its own asks what memory is held: without garbage, and with jobs that leave the log within the run. */
function ownOptions(profiles: string | undefined) {
  const soaks = values.scenarios.split(",").every((name) => name === "soak");
  const collector = new URL("./collect-garbage.ts", import.meta.url).href;
  const nodeOptions = [...(profiles ? [profileOptions(profiles)] : []), ...(soaks ? [`--import=${collector}`] : [])];
  return {
    nodeOptions: nodeOptions.join(" "),
    ...(soaks && {
      retentionSeconds: Math.max(retentionSecondsMin, Math.ceil(positive("soak-seconds") * soakRetentionShare)),
    }),
  };
}

function positive(name: "seconds" | "soak-seconds" | "workers" | "knee"): number {
  const number = Number(values[name]);
  if (!(number > 0)) throw new Error(`--${name} must be a number above 0, not "${values[name]}"`);
  return number;
}

function readOptions(photos: readonly string[], signal: AbortSignal, say: LoadOptions["say"]): LoadOptions {
  const wanted = values.scenarios.split(",");
  const unknown = wanted.filter((name) => !scenarioNames.some((known) => known === name));
  if (unknown.length > 0)
    throw new Error(`unknown scenario ${unknown.join(", ")}; there are ${scenarioNames.join(", ")}`);
  const concurrencies = values.concurrency.split(",").map(Number);
  if (!concurrencies.every((clients) => Number.isInteger(clients) && clients > 0))
    throw new Error(`--concurrency must be whole numbers, not "${values.concurrency}"`);
  const seconds = Math.ceil(positive("seconds"));
  return {
    scenarios: withThoseBefore(wanted, values.knee !== undefined),
    // So that a soak of its own does not replace the results of all.
    resultsName: wanted.length === 1 ? `load-${wanted[0]}` : "load",
    tool: values.tool,
    photos,
    seconds,
    soakSeconds: Math.ceil(positive("soak-seconds")),
    concurrencies,
    kneePerSecond: values.knee ? positive("knee") : undefined,
    signal,
    say,
  };
}

async function photoFiles(folder: string): Promise<readonly string[]> {
  if (!values.photos) return await writePhotos(folder);
  const names = (await readdir(values.photos)).filter((name) => /\.jpe?g$/i.test(name));
  if (names.length === 0) throw new Error(`${values.photos} has no JPEG`);
  return names.slice(0, photosMax).map((name) => resolve(values.photos!, name));
}

async function main(): Promise<void> {
  if (values.profile && values.target) throw new Error("--profile is for a stack of its own, not for --target");
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  const folder = await mkdtemp(join(tmpdir(), "packshot-photos-"));
  let target: LoadTarget | undefined;
  try {
    const photos = await photoFiles(folder);
    const given = readOptions(photos, stopped, say);
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(startAndStopMs + limitMs(given))]);
    say(`${k6Version()}; starting …`);
    const profiles = values.profile ? await mkdtemp(join(folder, "profiles-")) : undefined;
    target = await openTarget(profiles, signal);
    const scenarios = given.scenarios.filter((name) => target!.fairness || !/newcomer|noisy/.test(name));
    if (scenarios.length < given.scenarios.length) say("without an operator token there is no noisy tenant");
    const options = { ...given, scenarios, signal };
    const fromUs = monotonicUs();
    const results = await runScenarios(target, options);
    const span = { fromUs, toUs: monotonicUs() };
    // The processes write their profiles when they end.
    if (profiles) await target.stop();
    const profile = profiles ? dearestLines(profiles, ["api", "worker"], span, profileLinesMax) : [];
    if (!writeLoadReport({ ...results, profile }, { ...options, target })) process.exitCode = 1;
  } finally {
    // What does not stop must not keep this process: its children notice its end.
    setTimeout(() => process.exit(1), stopLimitMs).unref();
    await target?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

await main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
process.exit();
