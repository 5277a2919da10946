import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readyLine, startService } from "./start-service.ts";

const service = (script: string) => ({
  name: "service",
  args: ["-e", script],
  environment: { PATH: process.env.PATH },
  waitForReady: readyLine,
});

test("a process that a service has left behind, and that holds its output, does not hold up its end", async () => {
  const { ready, ended } = await startService(
    service(`
      const child = require("node:child_process").spawn("sleep", ["600"], { detached: true, stdio: "inherit" });
      process.stdout.write(JSON.stringify({ msg: "ready", child: child.pid }) + "\\n", () => process.exit(3));
    `),
  );
  expect(await ended).toBe("ended with status 3");
  process.kill(ready.child as number, "SIGKILL");
});

test("a start that fails tells of its own errors, not of those of an earlier start in the same log", async () => {
  const folder = mkdtempSync(join(tmpdir(), "packshot-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const start = (error: string) =>
    startService({
      ...service(`process.stderr.write("Error: ${error}\\n", () => process.exit(1));`),
      logPath: join(folder, "service.log"),
    });
  await expect(start("the first")).rejects.toThrow("service ended with status 1 at its start: Error: the first");
  await expect(start("another")).rejects.toThrow("service ended with status 1 at its start: Error: another");
});

test("a service is not given up while what it waits for gets ahead", async () => {
  let checks = 0;
  let pid: number | undefined;
  const { ready, stop } = await startService({
    ...service(`
      process.on("SIGUSR2", () => process.stdout.write(JSON.stringify({ msg: "ready" }) + "\\n"));
      process.stdout.write(JSON.stringify({ waits: process.pid }) + "\\n");
      setInterval(() => {}, 1000);
    `),
    readyTimeoutMs: 300,
    hasProgressed() {
      checks += 1;
      if (checks >= 30 && pid !== undefined) process.kill(pid, "SIGUSR2");
      return true;
    },
    onLine(line) {
      pid ??= (JSON.parse(line) as { waits?: number }).waits;
    },
  });
  expect(ready.msg).toBe("ready");
  await stop();
});

test("a service that spins and hears no SIGTERM is killed, though it always seems to get ahead", async () => {
  const { ended, stop, kill } = await startService({
    ...service(`
      process.on("SIGTERM", () => {});
      process.stdout.write(JSON.stringify({ msg: "ready" }) + "\\n", () => { for (;;); });
    `),
    stopTimeoutMs: 50,
    hasProgressed: () => true,
  });
  onTestFinished(kill);
  await stop();
  expect(await ended).toBe("was ended by SIGKILL");
});
