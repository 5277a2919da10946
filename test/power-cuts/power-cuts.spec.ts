/**
 * Power cuts under load: what was not synced is gone, and nothing that a client was told is lost (`make test-power-cuts`).
 * CUTS is how many the journal shall have for LAYOUT (`one`, `three`) and FILE_SYSTEM (`ext4`, `xfs`); what is missing is cut in runs of CUTS_IN_RUN,
 * each on empty disks. POWER_CUT_SEED repeats the decisions of one run.
 */
import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defaultQueueDeadlines, type Job } from "@packshot/domain/jobs/job.ts";
import { createRandom } from "@packshot/domain/random.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/log/log.ts";
import { expect, test } from "vitest";
import type { FileSystem } from "../../testing/power-cuts/cut-disk.ts";
import { describeWithPowerCuts } from "../../testing/power-cuts/describe-with-power-cuts.ts";
import { createHistory, type Evidence, gatherEvidence, violationsOf } from "../failures/check-log.ts";
import { sweepFilesNow, waitUntilIdle } from "../failures/settle-down.ts";
import { createCutter } from "./cutter.ts";
import { type Deployment, type Layout, sandboxQueueDeadlineSeconds } from "./deployment.ts";
import { type Journal, openJournal, type Run } from "./journal.ts";
import { deployOnOne } from "./layout-one.ts";
import { deployOnThree } from "./layout-three.ts";
import { type Load, startLoad } from "./load.ts";

const layout = (process.env.LAYOUT ?? "one") as Layout;
const deploy = { one: deployOnOne, three: deployOnThree }[layout];
const fileSystem = (process.env.FILE_SYSTEM ?? "ext4") as FileSystem;
const cuts = Number(process.env.CUTS ?? 20);
const cutsInRun = Number(process.env.CUTS_IN_RUN ?? 15);
const journalPath = fileURLToPath(new URL("../../.cache/power-cuts/journal.ndjson", import.meta.url));
const idleTimeoutMs = 300_000;
const runTimeoutMs = 3_600_000;

/**
 * Files of jobs that are kept are no litter: only their retention ends them. And wait records of jobs that have ended say
 * nothing: nats-server may bring them back (docs/adr/0032-killed-nats-server.md).
 */
async function withoutWhatMayStay(evidence: Evidence, log: Log): Promise<Evidence> {
  const unfinished = new Set(evidence.unfinished.map(({ value }) => value!.id));
  const kept = new Set<string>();
  const prefixes = new Set(evidence.leftFiles.map((key) => key.split("/").slice(1, 3).join("/")));
  for (const prefix of prefixes) {
    const [accountId, jobId] = prefix.split("/") as [string, string];
    if ((await log.read<Job>(subjects.job(accountId, jobId))).value !== undefined) kept.add(prefix);
  }
  const isKept = (key: string) => kept.has(key.split("/").slice(1, 3).join("/"));
  return {
    ...evidence,
    leftFiles: evidence.leftFiles.filter((key) => !isKept(key)),
    waits: evidence.waits.filter(({ value }) => unfinished.has(value!.jobId)),
  };
}

async function checkRun(deployment: Deployment, log: Log, load: Load, run: Run) {
  const { storage } = deployment;
  await waitUntilIdle(log, load.accountIds, idleTimeoutMs);
  const fileViolations = await load.files.check("all");
  await sweepFilesNow(log, storage);
  const queueDeadlines = { ...defaultQueueDeadlines, sandboxMs: sandboxQueueDeadlineSeconds * 1000 };
  const evidence = await gatherEvidence({ log, storage, accepted: load.accepted(), queueDeadlines });
  return {
    kind: "check" as const,
    ...run,
    jobs: new Set(evidence.ledger.filter(({ kind }) => kind === "debit").map(({ entryId }) => entryId)).size,
    ledgerEntries: evidence.ledger.length,
    knownFiles: load.files.count(),
    batchRows: evidence.batches.reduce((sum, { rows }) => sum + rows, 0),
    counts: load.counts,
    violations: [
      ...fileViolations,
      ...violationsOf(await withoutWhatMayStay(evidence, log)),
      ...load.unexpectedAnswers,
    ],
  };
}

async function runOnce(journal: Journal): Promise<void> {
  const seed = Number(process.env.POWER_CUT_SEED ?? randomInt(2 ** 31));
  const run = { layout, fileSystem, seed };
  console.info(`POWER_CUT_SEED=${seed} LAYOUT=${layout} FILE_SYSTEM=${fileSystem}`);
  const random = createRandom(seed);
  const folder = await mkdtemp(join(tmpdir(), "packshot-power-cuts-"));
  const deployment = await deploy(folder, fileSystem);
  const cutter = createCutter({ deployment, journal, run, random });
  let load: Load | undefined;
  try {
    await cutter.cutFirstStart();
    await createHistory(cutter.log());
    load = await startLoad(deployment, random, cutter.log);
    while (cutter.cuts() < cutsInRun) await cutter.cutLoad(load);
    await load.end();
    const check = await checkRun(deployment, cutter.log(), load, run);
    await cutter.close();
    await deployment.check();
    journal.write(check);
    expect([...cutter.violations, ...check.violations]).toEqual([]);
  } catch (error) {
    const kept = join(dirname(journalPath), `failed-${seed}`);
    await deployment.keepLogs(kept);
    console.info(`logs are in ${kept}`);
    throw error;
  } finally {
    load?.abandon();
    await cutter.close();
    await deployment.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

describeWithPowerCuts("power cuts", fileSystem, () => {
  const journal = openJournal(journalPath);
  const runs = Math.max(0, Math.ceil((cuts - journal.cuts(layout, fileSystem)) / cutsInRun));

  test(
    `${cuts} of ${layout} on ${fileSystem} lose nothing that was acknowledged, and everything starts again by itself`,
    async () => {
      for (let i = 0; i < runs; i++) await runOnce(journal);
      expect(journal.cuts(layout, fileSystem)).toBeGreaterThanOrEqual(cuts);
    },
    runs * runTimeoutMs + 60_000,
  );
});
