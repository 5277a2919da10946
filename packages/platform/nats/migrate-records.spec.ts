import type { NatsConnection } from "@nats-io/transport-node";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeStreamsOfFirstVersion } from "../../../testing/log/first-version.ts";
import { startNats, type TestNats } from "../../../testing/servers/nats.ts";
import { startTcpProxy, type TcpProxy, type TcpProxyOptions } from "../../../testing/servers/tcp-proxy.ts";
import { commitBatch } from "./atomic-batch.ts";
import { connectNats } from "./connection.ts";
import { listSubjects } from "./list-subjects.ts";
import { createLog } from "./log.ts";
import { migrateLog } from "./migrate-log.ts";
import { moveRecords } from "./migrate-records.ts";

const accountId = uuidv7();
let nats: TestNats;
let connection: NatsConnection;
let proxy: TcpProxy | undefined;
let proxied: NatsConnection | undefined;

beforeEach(async () => {
  nats = await startNats();
  connection = await connectNats({ url: nats.url, name: "migrate-records.spec" });
  await makeStreamsOfFirstVersion(connection);
});

afterEach(async () => {
  await proxied?.close();
  proxy?.stop();
  await connection.close();
  await nats.stop();
});

async function connectThrough(onData: TcpProxyOptions["onData"]): Promise<NatsConnection> {
  proxy = await startTcpProxy({ port: Number(new URL(nats.url).port), onData });
  proxied = await connectNats({ url: `nats://127.0.0.1:${proxy.port}`, name: "proxied" });
  return proxied;
}

test("a connection that breaks while the records are read loses none of them", async () => {
  const writes = Array.from({ length: 1_000 }, () => uuidv7()).map((id) => ({
    subject: `ps.job.${accountId}.${id}`,
    value: { v: 1, accountId, id, status: "queued", lane: 0, metadata: { text: "x".repeat(300) } },
  }));
  await commitBatch(connection, "test", writes);
  let bytesLeft = 200_000;
  let breaks = 0;
  const through = await connectThrough(({ length }, from) => {
    if (from === "client" || breaks > 0) return true;
    bytesLeft -= length;
    if (bytesLeft > 0) return true;
    breaks += 1;
    return false;
  });
  await migrateLog(through, { replicas: 0 });
  expect(breaks).toBe(1);
  const moved = await Array.fromAsync(listSubjects(connection, streams.state, subjects.job("*", "*")));
  expect(moved).toHaveLength(writes.length);
});

test("a move that another process has overtaken overwrites nothing", async () => {
  await commitBatch(connection, "test", [
    { subject: `ps.account.${accountId}`, value: { v: 1, accountId, credits: 9 } },
  ]);
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const through = await connectThrough(async (data, from) => {
    if (from === "server" || !data.includes(subjects.account(accountId))) return true;
    held.resolve();
    await released.promise;
    return true;
  });
  const overtaken = moveRecords(through).catch((error: unknown) => error);
  await held.promise;
  await migrateLog(connection, { replicas: 0 });
  const log = createLog(connection, { stateStreamCount: 1 });
  const subject = subjects.account(accountId);
  const { sequence } = await log.read(subject);
  await log.commit("test", [{ subject, value: { v: 1, accountId, credits: 8 }, expected: sequence }]);
  released.resolve();
  expect(await overtaken).toBeInstanceOf(Error);
  await through.flush();
  expect((await log.read(subject)).value).toEqual({ v: 1, accountId, credits: 8 });
});
