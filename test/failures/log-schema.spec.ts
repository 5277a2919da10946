/** Streams are made and changed by one step only: the processes leave them as they are, and wait for that step. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { jetstreamManager } from "@nats-io/jetstream";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { schemaVersion } from "@packshot/log/nats/schema.ts";
import { expect, test } from "vitest";
import { startApis } from "../../testing/api/api-processes.ts";
import { startLog } from "../../testing/log/test-log.ts";
import { onFreePorts } from "../../testing/servers/free-ports.ts";
import { startNats } from "../../testing/servers/nats.ts";
import { startWebhookService } from "../../testing/webhooks/webhook-service.ts";

const cli = fileURLToPath(new URL("../../cli/packshot.ts", import.meta.url));

async function migrate(natsUrl: string, ...args: readonly string[]): Promise<string> {
  const env = { ...process.env, PACKSHOT_NATS_URL: natsUrl, PACKSHOT_LOG_MAX_BYTES: "0" };
  return (await promisify(execFile)(process.execPath, [cli, "migrate", ...args], { env })).stdout;
}

/** Status and body; empty while nothing listens. */
async function probeAt(port: number, path: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
  return response === undefined ? "" : `${response.status} ${await response.text()}`;
}

async function replicasOf(connection: Parameters<typeof jetstreamManager>[0]): Promise<number[]> {
  const manager = await jetstreamManager(connection);
  return await Promise.all(
    Object.values(streams).map(async (name) => (await manager.streams.info(name)).config.num_replicas),
  );
}

test("a process leaves the streams' replicas alone, and so does migrate unless it is told to", async () => {
  const apis = await startApis({ cluster: 3 });
  try {
    await apis.start();
    expect(await replicasOf(apis.log.connection)).toEqual([3, 3, 3, 3, 3, 3]);
    expect(await migrate(apis.nats.url)).toBe("nothing to change\n");
    expect(await replicasOf(apis.log.connection)).toEqual([3, 3, 3, 3, 3, 3]);
    for (const [before, after] of [
      [3, 1],
      [1, 3],
    ]) {
      const said = await migrate(apis.nats.url, "--replicas", String(after));
      expect(said).toContain(`changed stream PS_STATE: num_replicas ${before} → ${after}`);
      expect(await replicasOf(apis.log.connection)).toEqual(Array(6).fill(after));
    }
  } finally {
    await apis.stop();
  }
});

test("a process that starts before migrate lives, says what to run, and is ready after it", async () => {
  const nats = await startNats();
  try {
    await onFreePorts(1, async ([port]) => {
      const starting = startWebhookService(nats.url, { PACKSHOT_METRICS_PORT: String(port) });
      const probe = (path: string) => probeAt(port!, path);
      await expect.poll(() => probe("/health/ready")).toMatch(/^503 .*run \\"packshot migrate\\"/);
      expect(await probe("/health/live")).toMatch(/^200 /);
      expect(await migrate(nats.url)).toContain("created stream PS_STATE");
      const service = await starting;
      await expect.poll(() => probe("/health/ready")).toMatch(/^200 /);
      await service.stop();
    });
  } finally {
    await nats.stop();
  }
});

test("a process that starts without nats-server lives, and is ready once there is one", async () => {
  const log = await startLog();
  await log.nats.kill();
  try {
    await onFreePorts(1, async ([port]) => {
      const starting = startWebhookService(log.nats.url, { PACKSHOT_METRICS_PORT: String(port) });
      const probe = (path: string) => probeAt(port!, path);
      await expect.poll(() => probe("/health/ready")).toMatch(/^503 .*no nats-server has answered/);
      expect(await probe("/health/live")).toMatch(/^200 /);
      await log.nats.restart();
      const service = await starting;
      await expect.poll(() => probe("/health/ready")).toMatch(/^200 /);
      await service.stop();
    });
  } finally {
    await log.stop();
  }
});

test("a process refuses a log that a later version has migrated, and so does migrate", async () => {
  const log = await startLog();
  try {
    const { sequence } = await log.read(subjects.schema);
    const value = { v: 1, version: schemaVersion + 1, compatibleFrom: schemaVersion + 1 };
    await log.commit("test", [{ subject: subjects.schema, value, expected: sequence }]);
    await expect(startWebhookService(log.nats.url)).rejects.toThrow(`has schema version ${schemaVersion + 1}`);
    await expect(migrate(log.nats.url)).rejects.toThrow(`has schema version ${schemaVersion + 1}`);
  } finally {
    await log.stop();
  }
});
