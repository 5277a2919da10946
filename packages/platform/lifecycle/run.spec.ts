import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";

const child: { process?: ChildProcess } = {};

afterEach(() => child.process?.kill("SIGKILL"));

interface TestProcess {
  /** Source text of the component's `start`. */
  readonly start?: string;
  /** Source text of the component's `stop`. */
  readonly stop: string;
  readonly stderr?: number | "ignore" | "pipe";
  readonly drainMs?: number;
}

const neverStops = "() => new Promise(() => setInterval(() => {}, 1000))";

/** A process of one component. SIGUSR2 makes it say something, SIGHUP ask for its own stop, and SIGWINCH throw. */
async function startProcess({
  start = "async () => {}",
  stop,
  stderr = "ignore",
  drainMs = 0,
}: TestProcess): Promise<ChildProcess> {
  const here = (name: string) => JSON.stringify(fileURLToPath(new URL(name, import.meta.url)));
  const script = `
    import { requestStop, run } from ${here("./run.ts")};
    import { createLogger } from ${here("../telemetry/logger.ts")};
    const logger = createLogger({ name: "component", level: "info" });
    const component = { name: "component", start: ${start}, stop: ${stop} };
    process.on("SIGUSR2", () => { logger.info({}, "said"); process.stdout.write("heard\\n"); });
    process.on("SIGHUP", () => requestStop("a test"));
    process.on("SIGWINCH", () => { throw new Error("thrown by a test"); });
    await run({
      name: "test", components: [component], logger, ready: () => ({}), stopWhenStdinCloses: true,
      stopTimeoutMs: 60_000,
      drain: { begin: () => process.stdout.write("draining\\n"), durationMs: ${drainMs} },
    });
  `;
  const started = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["pipe", "pipe", stderr, "pipe"],
  });
  child.process = started;
  const ended = once(started, "exit").then(([code]) => `ended with ${code}`);
  const line = await Promise.race([once(started.stdout!, "data").then(String), ended]);
  expect(line).toContain('"msg":"ready"');
  return started;
}

test("a process whose launcher is gone ends even if a component does not stop", async () => {
  const started = await startProcess({ stop: neverStops });
  started.stdin!.end();
  expect(await once(started, "exit")).toEqual([null, "SIGKILL"]);
});

test("a process whose launcher is gone waits for no thread that native code holds", async () => {
  // A read of a pipe into which nobody writes: it leaves nothing behind, as a program that the thread waits for would.
  const wait = `require("node:fs").readSync(3, Buffer.alloc(1))`;
  const start = `async () => {
    const { Worker } = await import("node:worker_threads");
    const thread = new Worker(${JSON.stringify(wait)}, { eval: true, execArgv: [] });
    await new Promise((resolve) => thread.once("online", resolve));
  }`;
  const started = await startProcess({ start, stop: "async () => {}" });
  started.stdin!.end();
  expect(await once(started, "exit")).toEqual([null, "SIGKILL"]);
});

test.runIf(existsSync("/dev/full"))("a full disk under the log file does not end the process", async () => {
  const started = await startProcess({ stop: "async () => {}", stderr: openSync("/dev/full", "w") });
  for (let time = 0; time < 2; time++) {
    started.kill("SIGUSR2");
    expect(String((await once(started.stdout!, "data"))[0])).toBe("heard\n");
  }
  started.kill("SIGTERM");
  expect(await once(started, "exit")).toEqual([0, null]);
});

async function said(started: ChildProcess): Promise<string> {
  return String((await once(started.stdout!, "data"))[0]);
}

test("a second signal ends a process that drains, and one that stops, at once", async () => {
  for (const options of [
    { stop: "async () => {}", drainMs: 3_600_000 },
    { stop: neverStops, drainMs: 0 },
  ]) {
    const started = await startProcess(options);
    started.kill("SIGTERM");
    expect(await said(started)).toBe("draining\n");
    started.kill("SIGINT");
    expect(await once(started, "exit")).toEqual([130, null]);
  }
});

test("a process that drains goes on working, and stops when its launcher is gone", async () => {
  const started = await startProcess({ stop: "async () => {}", drainMs: 3_600_000 });
  started.kill("SIGTERM");
  expect(await said(started)).toBe("draining\n");
  started.kill("SIGUSR2");
  expect(await said(started)).toBe("heard\n");
  started.stdin!.end();
  expect(await once(started, "exit")).toEqual([null, "SIGKILL"]);
});

test("a process that asks for its own stop ends with status 1, and a signal meanwhile is no second one", async () => {
  const stop =
    'async () => { process.stdout.write("stopping\\n"); await new Promise((resolve) => process.once("SIGUSR2", resolve)); }';
  const started = await startProcess({ stop });
  started.kill("SIGHUP");
  let output = "";
  started.stdout!.on("data", (text) => (output += String(text)));
  await expect.poll(() => output).toContain("stopping");
  started.kill("SIGTERM");
  started.kill("SIGUSR2");
  expect(await once(started, "exit")).toEqual([1, null]);
});

/** What a process logs until it ends, and its status. */
async function endOf(started: ChildProcess): Promise<{ readonly status: number; readonly logged: readonly unknown[] }> {
  let written = "";
  started.stderr!.on("data", (text) => (written += String(text)));
  const [status] = await once(started, "close");
  return {
    status,
    logged: written
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  };
}

test("a process that crashes while it drains says so in its log, and ends with status 1", async () => {
  const started = await startProcess({ stop: "async () => {}", drainMs: 3_600_000, stderr: "pipe" });
  const end = endOf(started);
  started.kill("SIGTERM");
  expect(await said(started)).toBe("draining\n");
  started.kill("SIGWINCH");
  const { status, logged } = await end;
  expect(status).toBe(1);
  const err = expect.objectContaining({ message: "thrown by a test" });
  expect(logged.at(-1)).toMatchObject({ level: 60, msg: "uncaught exception", err });
});

test("a process ends with status 1 where a promise is rejected in vain while it stops", async () => {
  const stop = `async () => {
    Promise.reject(new Error("rejected by a test"));
    await new Promise((resolve) => process.once("unhandledRejection", () => resolve()));
  }`;
  const started = await startProcess({ stop, stderr: "pipe" });
  const end = endOf(started);
  started.kill("SIGTERM");
  const { status, logged } = await end;
  expect(status).toBe(1);
  expect(logged.at(-1)).toMatchObject({ level: 60, msg: "unhandled rejection" });
});
