/** The processes of an exactness run: kept alive, killed as `kill -9` does, armed with one failpoint after the other. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const mains = {
  api: fileURLToPath(new URL("../../services/api/api-main.ts", import.meta.url)),
  worker: fileURLToPath(new URL("exactness-worker-main.ts", import.meta.url)),
};
export type Role = keyof typeof mains;

export interface RunningProcess {
  readonly role: Role;
  readonly pid: number;
  /** Of an API process. */
  readonly url: string;
  readonly adminUrl: string;
}

export interface Fleet {
  /** API processes that answer now. */
  apis(): readonly RunningProcess[];
  /** One of a role, if all of it run: a busy machine starts them more slowly than they could be killed. */
  kill(role: Role): void;
  /** How often a process died at each failpoint. */
  readonly died: ReadonlyMap<string, number>;
  /** kill -9 outside of failpoints. */
  killed(): number;
  /** Resolves when every failpoint has killed a process. */
  readonly walked: Promise<void>;
  /** Faults that the processes logged. */
  readonly faults: readonly string[];
  stop(): Promise<void>;
}

export interface FleetOptions {
  readonly natsUrl: string;
  readonly folder: string;
  readonly adminToken: string;
  readonly retentionSeconds: number;
  readonly counts: Readonly<Record<Role, number>>;
  readonly failpoints: Readonly<Record<Role, readonly string[]>>;
  readonly random: () => number;
  /** Told of each death, so that what the dead one held can be handed on sooner. */
  readonly onDeath: () => void;
}

interface Slot {
  readonly role: Role;
  child: ChildProcess | undefined;
  running: RunningProcess | undefined;
  armed: string | undefined;
}

/** No death for so long: the places still left are armed where nothing passes. */
const stalledMs = 45_000;
/** An armed place that is passed a few times first meets a busier process. */
const passingsMax = 3;

export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const keys = { link: randomBytes(32).toString("hex"), master: randomBytes(32).toString("hex") };
  const left: Record<Role, string[]> = { api: [...options.failpoints.api], worker: [...options.failpoints.worker] };
  const died = new Map<string, number>();
  const faults: string[] = [];
  const slots: Slot[] = [];
  const walked = Promise.withResolvers<void>();
  let kills = 0;
  let stopping = false;
  let lastDeathMs = performance.now();

  /** One API process is spared what every request can pass, so that somebody answers while the others start again. */
  function nextFailpoint(slot: Slot): string | undefined {
    const armedElsewhere = slots.filter((other) => other !== slot).map(({ armed }) => armed);
    const spared = slot === slots[0];
    const wanted = left[slot.role].filter((place) => !spared || /^(settle|expire):/.test(place));
    return wanted.find((place) => !armedElsewhere.includes(place)) ?? (spared ? undefined : wanted[0]);
  }

  function environmentOf(slot: Slot): Record<string, string> {
    return {
      PATH: process.env.PATH ?? "",
      PACKSHOT_NATS_URL: options.natsUrl,
      PACKSHOT_STORAGE_DIR: join(options.folder, "storage"),
      PACKSHOT_RETENTION_SECONDS: String(options.retentionSeconds),
      PACKSHOT_WORKER_SLOTS: "4",
      PACKSHOT_LOG_LEVEL: "warn",
      PACKSHOT_PARENT_PIPE: "1",
      NODE_COMPILE_CACHE: join(options.folder, "compile-cache"), // halves the start of a process
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

  function noteLine(line: string): void {
    appendFileSync(join(options.folder, "processes.log"), `${line}\n`);
    const { level = 0, msg = line, err } = parsed(line) as { level?: number; msg?: string; err?: { message?: string } };
    // A deleted job's folder may go while its edit still writes there.
    if (level >= 50 && !err?.message?.startsWith("ENOENT")) faults.push(`${msg}: ${err?.message}`);
  }

  async function start(slot: Slot): Promise<void> {
    slot.armed = nextFailpoint(slot);
    const child = spawn(process.execPath, [mains[slot.role]], {
      stdio: ["pipe", "pipe", "pipe"],
      env: environmentOf(slot),
    });
    slot.child = child;
    child.stdin!.on("error", () => {});
    createInterface({ input: child.stderr! }).on("line", noteLine);
    const ready = Promise.withResolvers<RunningProcess | undefined>();
    createInterface({ input: child.stdout! }).on("line", (line) => {
      const said = parsed(line) as { msg?: string; api?: string; admin?: string };
      if (said.msg !== "ready") return noteLine(line);
      const address = { url: said.api ?? "", adminUrl: said.admin ?? "" };
      ready.resolve({ role: slot.role, pid: child.pid!, ...address });
    });
    void once(child, "close").then(() => {
      ready.resolve(undefined);
      ended(slot, child.signalCode);
    });
    slot.running = await ready.promise;
  }

  function ended(slot: Slot, signal: NodeJS.Signals | null): void {
    slot.running = undefined;
    lastDeathMs = performance.now();
    const { armed } = slot;
    if (stopping) return;
    if (signal !== "SIGKILL") faults.push(`a ${slot.role} process ended by itself (${signal})`);
    // Whoever kills a process from outside disarms its slot first.
    if (armed === undefined) kills += 1;
    else {
      died.set(armed, (died.get(armed) ?? 0) + 1);
      left[slot.role] = left[slot.role].filter((place) => place !== armed);
      if (left.api.length + left.worker.length === 0) walked.resolve();
    }
    options.onDeath();
    void start(slot);
  }

  /** A follower that only one process runs may be armed in another: all but the spared one are started anew. */
  const rearming = setInterval(() => {
    if (performance.now() - lastDeathMs < stalledMs) return;
    console.info(`no failpoint was met for ${stalledMs} ms; left: ${[...left.api, ...left.worker].join(", ")}`);
    for (const slot of slots.slice(1)) if (slot.running !== undefined) killOutside(slot);
  }, 5_000);
  void walked.promise.then(() => clearInterval(rearming));

  function killOutside(slot: Slot): void {
    slot.armed = undefined;
    slot.child!.kill("SIGKILL");
  }

  for (const role of ["api", "worker"] as const) {
    for (let i = 0; i < options.counts[role]; i++)
      slots.push({ role, child: undefined, running: undefined, armed: undefined });
  }
  await Promise.all(slots.map(start));

  return {
    apis: () => slots.flatMap(({ role, running }) => (role === "api" && running !== undefined ? [running] : [])),
    kill(role) {
      const alive = slots.filter((slot) => slot.role === role && slot.running !== undefined);
      const slot = alive[Math.floor(options.random() * alive.length)];
      if (slot === undefined || alive.length < options.counts[role]) return;
      killOutside(slot);
    },
    died,
    killed: () => kills,
    walked: walked.promise,
    faults,
    async stop() {
      stopping = true;
      clearInterval(rearming);
      const children = slots.flatMap(({ child }) =>
        child?.exitCode === null && child.signalCode === null ? [child] : [],
      );
      await Promise.all(
        children.map(async (child) => {
          child.kill("SIGTERM");
          await once(child, "close");
        }),
      );
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
