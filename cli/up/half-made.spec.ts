import { globSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { NatsConnection } from "@nats-io/transport-node";
import { connectNats } from "@packshot/log/nats/connection.ts";
import { migrateLog } from "@packshot/log/operate/migrate.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startNats, type TestNats } from "../../testing/servers/nats.ts";
import { removeHalfMade } from "./nats-server.ts";

let nats: TestNats;
let connection: NatsConnection;

beforeEach(async () => {
  nats = await startNats();
  connection = await connectNats({ url: nats.url, name: "half-made" });
});

afterEach(async () => {
  await connection.close();
  await nats.stop();
});

async function restart(without: string): Promise<void> {
  await connection.close();
  await nats.kill();
  const [path] = globSync(`**/${without}`, { cwd: nats.folder });
  rmSync(join(nats.folder, path!));
  await nats.restart();
  connection = await connectNats({ url: nats.url, name: "half-made" });
}

test("a consumer whose making a power cut ended is made once more, and stays", async () => {
  await migrateLog(connection, { replicas: 1 });
  await restart("obs/lane-1/meta.sum");
  expect(await migrateLog(connection, { replicas: 1 })).toEqual(["created consumer lane-1 of PS_READY"]);
  await nats.kill();
  await nats.restart();
  expect(await migrateLog(connection, { replicas: 1 })).toEqual([]);
});

test.each(["meta.inf", "meta.sum"])("a stream without messages and without its %s is made again", async (file) => {
  await migrateLog(connection, { replicas: 1 });
  await restart(`PS_DELIVERIES/${file}`);
  expect(await migrateLog(connection, { replicas: 1 })).toContain("created stream PS_DELIVERIES, replicas 1");
});

test("a stream with messages is never removed", async () => {
  await migrateLog(connection, { replicas: 1 });
  await nats.kill();
  const store = join(nats.folder, "server-1", "store");
  rmSync(join(store, "jetstream/$G/streams/PS_STATE/meta.sum"));
  expect(removeHalfMade(store)).toEqual([]);
});
