/** Cuts power at random moments, starts again what was cut, looks at what was acknowledged, and writes a line for each cut. */
import type { createRandom } from "@packshot/domain/random.ts";
import { createLog, type Log } from "@packshot/log/log.ts";
import { connectNats } from "@packshot/log/nats/connection.ts";
import { pause } from "@packshot/platform/flow/pause.ts";
import type { Deployment } from "./deployment.ts";
import type { CutLine, CutMoment, Journal, Run } from "./journal.ts";
import type { Load } from "./load.ts";

const loadMsMax = 8_000;
/** A start takes about as long. */
const startMsMax = 5_000;
/** Share of the cuts after which power is cut once more, while everything starts. */
const startShare = 0.25;
/** Share of the cuts that take all machines at once, where there are several. */
const allShare = 0.3;
const never = new AbortController().signal;

export interface CutterDeps {
  readonly deployment: Deployment;
  readonly journal: Journal;
  readonly run: Run;
  readonly random: ReturnType<typeof createRandom>;
}

export interface Cutter {
  /** While everything starts for the first time. */
  cutFirstStart(): Promise<void>;
  /** At a random moment, and perhaps once more while everything starts again. Rejects where that needs a hand. */
  cutLoad(load: Load): Promise<void>;
  /** After each start another connection. */
  log(): Log;
  readonly cuts: () => number;
  /** What was missing or torn after a cut. */
  readonly violations: readonly string[];
  close(): Promise<void>;
}

export function createCutter({ deployment, journal, run, random }: CutterDeps): Cutter {
  const everyMachine = Array.from({ length: deployment.machines }, (_, index) => index);
  const violations: string[] = [];
  let cuts = 0;
  let log: Log | undefined;

  async function startAgain(): Promise<number> {
    const startedAtMs = performance.now();
    await deployment.start();
    const startMs = Math.round(performance.now() - startedAtMs);
    await log?.connection.close();
    const connection = await connectNats({ url: deployment.natsUrl(), name: "power-cuts" });
    log = createLog(connection, { stateStreamCount: 1 });
    return startMs;
  }

  function write(line: Pick<CutLine, "moment" | "machines" | "afterMs" | "startMs" | "violations">, load?: Load): void {
    cuts += 1;
    violations.push(...line.violations);
    const found = { acceptedJobs: load?.accepted().length ?? 0, knownFiles: load?.files.count() ?? 0 };
    journal.write({ kind: "cut", ...run, ...line, ...found });
  }

  async function startAndLook(moment: CutMoment, machines: readonly number[], afterMs: number, load?: Load) {
    const line = { moment, machines, afterMs: Math.round(afterMs) };
    try {
      const startMs = await startAgain();
      write({ ...line, startMs, violations: (await load?.files.check("newest")) ?? [] }, load);
    } catch (error) {
      write({ ...line, violations: [`it needs a hand to start: ${(error as Error).message}`] }, load);
      throw error;
    }
  }

  /** Nothing is looked at before: the cut comes first. */
  async function cutStart(moment: CutMoment, load?: Load): Promise<void> {
    const afterMs = random.between(0, startMsMax);
    const starting = deployment.start().catch(() => {}); // The power is cut.
    await pause(afterMs, never);
    await deployment.cut(everyMachine);
    await starting;
    await startAndLook(moment, everyMachine, afterMs, load);
  }

  return {
    cutFirstStart: () => cutStart("first start"),
    async cutLoad(load) {
      const afterMs = random.between(0, loadMsMax);
      await pause(afterMs, never);
      const all = everyMachine.length > 1 && random.chance(allShare);
      const machines = all ? everyMachine : [random.integer(0, everyMachine.length - 1)];
      await deployment.cut(machines);
      const moment = all ? "all machines" : "load";
      if (!random.chance(startShare)) return await startAndLook(moment, machines, afterMs, load);
      write({ moment, machines, afterMs: Math.round(afterMs), violations: [] }, load);
      await cutStart("start", load);
    },
    log: () => log!,
    cuts: () => cuts,
    violations,
    close: async () => log?.connection.close(),
  };
}
