/**
 * What one job sends through nats-server, by subject: requests, publishes, deliveries and acknowledgements of all processes,
 * as a subscriber to every subject sees them.
 *
 *   node bench/log/messages-per-job.ts [--jobs 20] [--clients 1]
 */

import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { connectNats } from "@packshot/log/nats/connection.ts";
import { jpeg } from "../../testing/images/odd-images.ts";
import { formWith, startLiveStack } from "../../testing/stack/live-stack.ts";
import { formatTable } from "../measuring/write-results.ts";

const { values } = parseArgs({
  options: { jobs: { type: "string", default: "20" }, clients: { type: "string", default: "1" } },
});
const jobs = Number(values.jobs);
const clients = Number(values.clients);
/** Longer than what follows a job's end takes. */
const settleMs = 3_000;

/** Accounts, jobs, inboxes and sequences have a name each time; what they are for has not. */
function kindOf(subject: string): string {
  return subject
    .split(".")
    .map((token) => (/^[0-9a-f]{8}-|^[0-9A-Za-z]{20,}$|^\d+$/.test(token) ? "*" : token))
    .join(".")
    .replace(/^(_INBOX\.?\w*)\..*/, "$1")
    .replace(/^(\$JS\.ACK\.\w+\.\w+).*/, "$1");
}

const stack = await startLiveStack();
const connection = await connectNats({ url: stack.file.natsUrl, name: "bench" });
const photo = await jpeg();
const counts = new Map<string, number>();
let counting = false;
connection.subscribe(">", {
  callback: (_error, message) => {
    if (!counting) return;
    const kind = kindOf(message.subject);
    // A read names the record in its body.
    const read = kind.includes("MSG.GET")
      ? kindOf((message.json() as { last_by_subj?: string }).last_by_subj ?? "")
      : "";
    const by = message.reply?.startsWith("_INBOX_") ? `(${message.reply.slice(7).split(".")[0]})` : "";
    const counted = [kind, read, by].join(" ").trim();
    counts.set(counted, (counts.get(counted) ?? 0) + 1);
  },
});

async function count(work: () => Promise<unknown>): Promise<ReadonlyMap<string, number>> {
  counts.clear();
  counting = true;
  await work();
  counting = false;
  return new Map(counts);
}

try {
  await stack.edit("mask", formWith(photo));
  await delay(settleMs);
  const startedMs = performance.now();
  const busy = await count(async () => {
    const client = async () => {
      for (let n = 0; n < jobs / clients; n++) await stack.edit("mask", formWith(photo));
    };
    await Promise.all(Array.from({ length: clients }, client));
    await delay(settleMs);
  });
  const busyMs = performance.now() - startedMs;
  const restMs = 20_000;
  const resting = await count(() => delay(restMs));
  const rows = [...busy].map(([subject, sum]) => {
    const ofRest = ((resting.get(subject) ?? 0) / restMs) * busyMs;
    return [subject, (sum - ofRest) / jobs] as const;
  });
  const sorted = rows.filter(([, perJob]) => perJob > 0.1).toSorted((a, b) => b[1] - a[1]);
  const total = sorted.reduce((sum, [, perJob]) => sum + perJob, 0);
  const cells = [...sorted, ["all", total] as const].map(([subject, perJob]) => [`\`${subject}\``, perJob.toFixed(1)]);
  process.stdout.write(`${formatTable(["subject", "messages per job"], cells)}\n`);
} finally {
  await connection.close();
  await stack.stop();
}
