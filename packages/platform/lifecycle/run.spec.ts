import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";

const child: { process?: ChildProcess } = {};

afterEach(() => child.process?.kill("SIGKILL"));

/** A process of one component; `stop` is its `stop`. */
async function startProcess(stop: string, stderr: number | "ignore"): Promise<ChildProcess> {
  const here = (name: string) => JSON.stringify(fileURLToPath(new URL(name, import.meta.url)));
  const script = `
    import { run } from ${here("./run.ts")};
    import { createLogger } from ${here("../telemetry/logger.ts")};
    const logger = createLogger({ name: "component", level: "info" });
    const component = { name: "component", start: async () => {}, stop: ${stop} };
    process.on("SIGUSR2", () => { logger.info({}, "said"); process.stdout.write("heard\\n"); });
    await run({ name: "test", components: [component], logger, ready: () => ({}), stopWhenStdinCloses: true });
  `;
  const started = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["pipe", "pipe", stderr] });
  child.process = started;
  const [line] = await once(started.stdout!, "data");
  expect(String(line)).toContain('"msg":"ready"');
  return started;
}

test("a process whose launcher is gone ends even if a component does not stop", async () => {
  const started = await startProcess("() => new Promise(() => setInterval(() => {}, 1000))", "ignore");
  started.stdin!.end();
  expect(await once(started, "exit")).toEqual([1, null]);
});

test.runIf(existsSync("/dev/full"))("a full disk under the log file does not end the process", async () => {
  const started = await startProcess("async () => {}", openSync("/dev/full", "w"));
  for (let time = 0; time < 2; time++) {
    started.kill("SIGUSR2");
    expect(String((await once(started.stdout!, "data"))[0])).toBe("heard\n");
  }
  started.kill("SIGTERM");
  expect(await once(started, "exit")).toEqual([0, null]);
});
