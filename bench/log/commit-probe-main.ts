/**
 * A process that commits one small record after the other, to each state stream in turn, and tells, when it is asked, how long commits took since it was
 * asked before: a process of its own, because one that reads as well would count its own work as waiting.
 *
 *   node bench/log/commit-probe-main.ts --url nats://…
 */
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { quantile } from "../measuring/statistics.ts";
import { type CommitTimes, probeSubject } from "./commit-probe.ts";
import { commitToStream, openLog } from "./open-log.ts";

const { values } = parseArgs({ options: { url: { type: "string" } } });
const log = await openLog({ url: values.url!, name: "commit-probe" });
const { connection, stateStreams } = log;
/** Without it, it would take half of a small machine; a stall is longer than this. */
const pauseMs = 5;
let timesMs: number[] = [];
let failures = 0;
let startedAtMs = performance.now();
let isCommitting = false;

connection.subscribe(probeSubject, {
  callback(_error, message) {
    // A commit that still waits counts with what it has waited.
    const waiting = isCommitting ? [performance.now() - startedAtMs] : [];
    const sorted = [...timesMs, ...waiting].sort((a, b) => a - b);
    const times: CommitTimes = {
      commits: timesMs.length,
      failures,
      p50Ms: quantile(sorted, 0.5),
      p99Ms: quantile(sorted, 0.99),
      maxMs: sorted.at(-1) ?? Number.NaN,
      over50Ms: sorted.filter((ms) => ms > 50).length,
    };
    timesMs = [];
    failures = 0;
    message.respond(JSON.stringify(times));
  },
});
await connection.flush();
process.stdin.on("close", () => process.exit(0)).resume();
process.stdout.write(`${JSON.stringify({ msg: "ready" })}\n`);

for (let at = 0; ; at = (at + 1) % stateStreams.length) {
  startedAtMs = performance.now();
  isCommitting = true;
  try {
    await commitToStream(log, stateStreams[at]!.index);
  } catch {
    failures += 1;
  }
  isCommitting = false;
  timesMs.push(performance.now() - startedAtMs);
  await setTimeout(pauseMs);
}
