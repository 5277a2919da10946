/** A process that waits for the log's first answer ends, as any other, when its launcher is killed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type ServiceName, serviceArguments } from "../../cli/up/services.ts";
import { processEnvironment } from "../../testing/process-environment.ts";
import { onFreePorts } from "../../testing/servers/free-ports.ts";

const folder = mkdtempSync(join(tmpdir(), "packshot-launcher-gone-"));
const stopped: (() => void)[] = [];

afterEach(() => {
  for (const stop of stopped.splice(0)) stop();
  rmSync(folder, { recursive: true, force: true });
});

async function notReady(metricsPort: number): Promise<Record<string, string>> {
  const answer = await fetch(`http://127.0.0.1:${metricsPort}/health/ready`).catch(() => undefined);
  return answer === undefined ? {} : ((await answer.json()) as { reasons: Record<string, string> }).reasons;
}

test.each<ServiceName>(["api", "webhooks", "worker"])("%s, before a nats-server has answered", async (name) => {
  await onFreePorts(2, async ([natsPort, metricsPort]) => {
    const service = spawn(process.execPath, serviceArguments(name), {
      stdio: ["pipe", "pipe", "pipe"],
      env: {
        ...processEnvironment,
        PACKSHOT_PARENT_PIPE: "1",
        PACKSHOT_NATS_URL: `nats://127.0.0.1:${natsPort}`,
        PACKSHOT_METRICS_PORT: String(metricsPort),
        PACKSHOT_STORAGE_DIR: folder,
        PACKSHOT_LINK_KEY: "5".repeat(64),
        PACKSHOT_MASTER_KEY: "6".repeat(64),
      },
    });
    stopped.push(() => service.kill("SIGKILL"));
    const said: string[] = [];
    for (const output of [service.stdout, service.stderr]) output.on("data", (text) => void said.push(String(text)));
    const ended = once(service, "exit");
    const waits = expect
      .poll(() => notReady(metricsPort!))
      .toMatchObject({ log: expect.stringMatching(/no nats-server has answered/) });
    // Another process may have taken its port in between.
    const endsEarly = once(service, "close").then(() => Promise.reject(new Error(said.join(""))));
    await Promise.race([waits, endsEarly]);
    service.stdin.end();
    expect(await ended).toEqual([0, null]);
  });
});
