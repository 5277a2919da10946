/**
 * Load on a target from `loader/`, a small Go program: a Node client needs 2.5 ms of processor time for an image, which
 * on two cores is taken from what is measured. This one needs a sixth of that.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { quantile } from "../measuring/statistics.ts";

export interface Target {
  readonly name: string;
  /** Milliseconds of one image. */
  once(): Promise<number>;
  /** Keeps `concurrency` requests in flight. Answers within the window count; later ones are awaited. */
  closed(concurrency: number, windowMs: number): Promise<Measured>;
  /** Poisson arrivals from a fixed seed, so that tenants are not in step, whether or not answers keep up. */
  open(load: OpenLoad): Promise<Measured>;
  close(): void;
}

export interface OpenLoad {
  readonly tenant: string;
  readonly perSecond: number;
  readonly windowMs: number;
  readonly patienceMs: number;
  readonly seed: number;
}

export interface Measured {
  readonly answered: number;
  readonly refused: number;
  /** Answered after their deadline. */
  readonly late: number;
  /** Answered, but after the window: they count nowhere else. */
  readonly afterWindow: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Milliseconds of those answered, ascending. */
  readonly times: readonly number[];
}

/** As the loader's own `result`. */
interface Result {
  readonly id: number;
  readonly timesMs: readonly number[];
  readonly refused: number;
  readonly late: number;
  readonly afterWindow: number;
  readonly lastAnswerMs: number;
  readonly why?: string;
}

/** Longer than any model takes: in the closed loop and for single requests no deadline passes. */
const patienceMs = 300_000;

let built: string | undefined;

/** Needs Go, as `make setup` does for nats-server where that is not installed. */
function loaderProgram(): string {
  if (built === undefined) {
    const program = join(tmpdir(), "packshot-bench-loader");
    const cwd = fileURLToPath(new URL("./loader", import.meta.url));
    execFileSync("go", ["build", "-o", program, "."], { cwd, stdio: ["ignore", "inherit", "inherit"] });
    built = program;
  }
  return built;
}

/** @param args as `loader/main.go` takes them */
export function startLoader(name: string, args: readonly string[]): Target {
  const child = spawn(loaderProgram(), args, { stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map<number, (result: Result) => void>();
  let commandCount = 0;
  createInterface({ input: child.stdout }).on("line", (line) => {
    const result = JSON.parse(line) as Result;
    waiting.get(result.id)!(result);
    waiting.delete(result.id);
  });
  const ended = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the loader on ${name} ended with ${code}`)));
  });
  ended.catch(() => {});

  async function execute(command: object): Promise<Result> {
    commandCount += 1;
    const id = commandCount;
    const result = new Promise<Result>((resolve) => waiting.set(id, resolve));
    child.stdin.write(`${JSON.stringify({ id, patienceMs, tenant: "bench", ...command })}\n`);
    return await Promise.race([result, ended]);
  }

  return {
    name,
    async once() {
      const { timesMs, why } = await execute({ kind: "once" });
      if (timesMs[0] === undefined) throw new Error(`${name} refused a single request: ${why}`);
      return timesMs[0];
    },
    async closed(concurrency, windowMs) {
      const result = await execute({ kind: "closed", concurrency, windowMs });
      // The time counts up to the last answer: with a slow model, an unfinished request would be a tenth of the window.
      return measured(result, result.lastAnswerMs);
    },
    open: async (load) => measured(await execute({ kind: "open", ...load }), load.windowMs),
    close: () => stop(child),
  };
}

function stop(child: ChildProcess): void {
  child.stdin!.end();
  child.kill();
}

function measured({ timesMs, refused, late, afterWindow }: Result, overMs: number): Measured {
  const times = timesMs.toSorted((a, b) => a - b);
  const answered = times.length - late;
  return {
    answered,
    refused,
    late,
    afterWindow,
    perSecond: (1_000 * answered) / overMs,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    times,
  };
}

/** Over all calls of several windows. */
export function pooledP99(windows: readonly Measured[]): number {
  return quantile(
    windows.flatMap(({ times }) => [...times]).sort((a, b) => a - b),
    0.99,
  );
}
