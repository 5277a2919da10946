/**
 * A process of `whole-jobs.ts`: accepts jobs and settles them (`api`), or claims and finishes them (`worker`).
 *
 *   node bench/log/job-process-main.ts --role api --url nats://… --accounts id,id --in-flight 200
 */
import { parseArgs } from "node:util";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import { run } from "@packshot/platform/lifecycle/run.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { newTestJob } from "../../testing/log/job-records.ts";
import { createAccepting, createWorking, settledJobs } from "./job-parts.ts";
import { openLog } from "./open-log.ts";

const text = { type: "string" } as const;
const { values } = parseArgs({
  options: {
    url: text,
    accounts: text,
    role: text,
    "in-flight": { ...text, default: "200" },
    slots: { ...text, default: "64" },
    "retention-seconds": { ...text, default: "3600" },
  },
});
const name = `bench-${values.role}`;
const logger = createLogger({ name, level: "warn" });
const log = await openLog({ url: values.url!, name });
const { connection } = log;
const natsConnection: Component = { name: "nats connection", start: async () => {}, stop: () => connection.drain() };

const tickMs = 2;

/** Keeps `inFlight` jobs between acceptance and settlement, those of all accounts in turn. */
function createFeeder(accountIds: readonly string[], inFlight: number) {
  const { accept, peekAccount, components } = createAccepting({ log, logger });
  let timer: NodeJS.Timeout | undefined;
  let accepted = 0;
  let pending = 0;

  function settled(): number {
    return accountIds.reduce((sum, id) => {
      const account = peekAccount(id);
      return sum + (account === undefined ? 0 : settledJobs(account));
    }, 0);
  }

  async function acceptNext(): Promise<void> {
    const accountId = accountIds[accepted % accountIds.length]!;
    accepted += 1;
    pending += 1;
    try {
      await accept(accountId, { job: newTestJob(accountId), idempotency: undefined });
    } catch (error) {
      accepted -= 1;
      logger.error({ err: error }, "not accepted");
    }
    pending -= 1;
  }

  const feeder: Component = {
    name: "feeder",
    async start() {
      timer = setInterval(() => {
        for (let free = inFlight - (accepted - settled()); free > 0; free--) void acceptNext();
      }, tickMs);
    },
    async stop() {
      clearInterval(timer);
      while (pending > 0) await new Promise((resolve) => setImmediate(resolve));
    },
  };
  return [...components, feeder];
}

await run({
  name,
  components: [
    natsConnection,
    ...(values.role === "api"
      ? createFeeder(values.accounts!.split(","), Number(values["in-flight"]))
      : createWorking({
          log,
          logger,
          slots: Number(values.slots),
          retentionMs: Number(values["retention-seconds"]) * 1000,
        })),
  ],
  logger,
  ready: () => ({}),
  stopWhenStdinCloses: true,
  stopTimeoutMs: 40_000,
});
