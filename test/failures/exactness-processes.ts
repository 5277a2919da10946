/** The processes of an exactness run: started again when they die, killed, armed with one failpoint after the other. */
import { randomBytes } from "node:crypto";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ReadyLine, readyLine, type Service, startService } from "../../cli/up/start-service.ts";
import { processEnvironment } from "../../testing/process-environment.ts";

const mains = {
  api: fileURLToPath(new URL("../../services/api/api-main.ts", import.meta.url)),
  worker: fileURLToPath(new URL("exactness-worker-main.ts", import.meta.url)),
};
export type Role = keyof typeof mains;

export interface RunningApi {
  readonly url: string;
  readonly adminUrl: string;
}

export interface Fleet {
  /** API processes that answer now. */
  apis(): readonly RunningApi[];
  /** Kills one of a role if all of it run: a busy machine starts processes more slowly than it kills them. */
  kill(role: Role): void;
  /** How often a process died at each failpoint. */
  readonly died: ReadonlyMap<string, number>;
  /** Number of kills outside of failpoints. */
  killed(): number;
  /** Resolves when every failpoint has killed a process. */
  readonly allFailpointsHit: Promise<void>;
  /** Errors that the processes logged. */
  readonly faults: readonly string[];
  stop(): Promise<void>;
}

export interface FleetOptions {
  readonly natsUrl: string;
  readonly folder: string;
  readonly adminToken: string;
  readonly retentionSeconds: number;
  readonly sandboxQueueDeadlineSeconds: number;
  readonly counts: Readonly<Record<Role, number>>;
  readonly failpoints: Readonly<Record<Role, readonly string[]>>;
  readonly random: () => number;
  /** Called after each death, so that the leases of the dead process can be released. */
  readonly onDeath: () => void;
}

interface Slot {
  readonly role: Role;
  /** Once it is ready. */
  service: Service<ReadyLine> | undefined;
  started: Promise<void>;
  armed: string | undefined;
}

/** After so long without a death, the failpoints still left are armed in processes that never pass them. */
const stalledMs = 45_000;
/** A process dies at its first, second or third passing of the failpoint, so that some are busy when they die. */
const passingsMax = 3;

export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const keys = { link: randomBytes(32).toString("hex"), master: randomBytes(32).toString("hex") };
  const left: Record<Role, string[]> = { api: [...options.failpoints.api], worker: [...options.failpoints.worker] };
  const died = new Map<string, number>();
  const faults: string[] = [];
  const slots: Slot[] = [];
  const allHit = Promise.withResolvers<void>();
  let kills = 0;
  const stopping = new AbortController();
  let lastDeathMs = performance.now();

  /** The first API process never gets a failpoint of requests, so that one answers while the others start again. */
  function nextFailpoint(slot: Slot): string | undefined {
    const armedElsewhere = slots.filter((other) => other !== slot).map(({ armed }) => armed);
    const spared = slot === slots[0];
    const wanted = left[slot.role].filter(
      (failpoint) => !spared || /^(settle|expire|hand-out|settle-rows):/.test(failpoint),
    );
    return wanted.find((failpoint) => !armedElsewhere.includes(failpoint)) ?? (spared ? undefined : wanted[0]);
  }

  function environmentOf(slot: Slot): Record<string, string> {
    return {
      ...processEnvironment,
      PACKSHOT_NATS_URL: options.natsUrl,
      PACKSHOT_STORAGE_DIR: join(options.folder, "storage"),
      PACKSHOT_RETENTION_SECONDS: String(options.retentionSeconds),
      PACKSHOT_SANDBOX_QUEUE_DEADLINE_SECONDS: String(options.sandboxQueueDeadlineSeconds),
      PACKSHOT_WORKER_SLOTS: "4",
      PACKSHOT_LOG_LEVEL: "warn",
      ...(slot.armed === undefined
        ? {}
        : { PACKSHOT_FAILPOINT: `${slot.armed}@${1 + Math.floor(options.random() * passingsMax)}` }),
      ...(slot.role === "api" && {
        PACKSHOT_API_PORT: "0",
        PACKSHOT_ADMIN_PORT: "0",
        PACKSHOT_METRICS_PORT: "0",
        PACKSHOT_ADMIN_TOKEN: options.adminToken,
        PACKSHOT_LINK_KEY: keys.link,
        PACKSHOT_MASTER_KEY: keys.master,
      }),
    };
  }

  function recordLine(line: string): void {
    appendFileSync(join(options.folder, "processes.log"), `${line}\n`);
    const { level = 0, msg = line, err } = parsed(line) as { level?: number; msg?: string; err?: { message?: string } };
    // A deleted job's folder may go while its edit still writes there, and some jobs ask for a full disk.
    if (level >= 50 && !/^(ENOENT|as asked)/.test(err?.message ?? "")) faults.push(`${msg}: ${err?.message}`);
  }

  async function start(slot: Slot): Promise<void> {
    slot.armed = nextFailpoint(slot);
    try {
      const service = await startService({
        name: slot.role,
        args: [mains[slot.role]],
        environment: environmentOf(slot),
        signal: stopping.signal,
        waitForReady: readyLine,
        onLine: recordLine,
      });
      slot.service = service;
      void service.ended.then((how) => onEnd(slot, how));
    } catch (error) {
      onEnd(slot, (error as Error).message);
    }
  }

  function onEnd(slot: Slot, how: string): void {
    slot.service = undefined;
    lastDeathMs = performance.now();
    const { armed } = slot;
    if (stopping.signal.aborted) return;
    if (!how.includes("was ended by SIGKILL")) faults.push(`a ${slot.role} process ended by itself (${how})`);
    // Whoever kills a process from outside disarms its slot first.
    if (armed === undefined) kills += 1;
    else {
      died.set(armed, (died.get(armed) ?? 0) + 1);
      left[slot.role] = left[slot.role].filter((failpoint) => failpoint !== armed);
      if (left.api.length + left.worker.length === 0) allHit.resolve();
    }
    options.onDeath();
    slot.started = start(slot);
  }

  /**
   * Only one process runs each follower, and its failpoint may be armed in another: all but the spared one start anew.
   */
  const rearming = setInterval(() => {
    if (performance.now() - lastDeathMs < stalledMs) return;
    console.info(`no failpoint was met for ${stalledMs} ms; left: ${[...left.api, ...left.worker].join(", ")}`);
    for (const slot of slots.slice(1)) killOutside(slot);
  }, 5_000);
  void allHit.promise.then(() => clearInterval(rearming));

  function killOutside(slot: Slot): void {
    if (slot.service === undefined) return;
    slot.armed = undefined;
    void slot.service.kill();
  }

  for (const role of ["api", "worker"] as const) {
    for (let i = 0; i < options.counts[role]; i++)
      slots.push({ role, service: undefined, started: Promise.resolve(), armed: undefined });
  }
  for (const slot of slots) slot.started = start(slot);
  await Promise.all(slots.map(({ started }) => started));

  return {
    apis: () =>
      slots.flatMap(({ role, service }) =>
        role === "api" && service !== undefined
          ? [{ url: service.ready.api as string, adminUrl: service.ready.admin as string }]
          : [],
      ),
    kill(role) {
      const alive = slots.filter((slot) => slot.role === role && slot.service !== undefined);
      const slot = alive[Math.floor(options.random() * alive.length)];
      if (slot === undefined || alive.length < options.counts[role]) return;
      killOutside(slot);
    },
    died,
    killed: () => kills,
    allFailpointsHit: allHit.promise,
    faults,
    async stop() {
      stopping.abort();
      clearInterval(rearming);
      await Promise.all(slots.map(({ started }) => started));
      await Promise.all(slots.map(({ service }) => service?.stop()));
    },
  };
}

function parsed(line: string): object {
  try {
    return JSON.parse(line) as object;
  } catch {
    return {};
  }
}
