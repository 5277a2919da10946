/** What waits for a stream's leader, on three nats-servers of which another one becomes the leader. */
import { type JetStreamManager, jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startNats, type TestNats } from "../../../testing/servers/nats.ts";
import { createLog } from "../log.ts";
import { awaitReplicas, migrateLog } from "../operate/migrate.ts";
import { connectNats } from "./connection.ts";
import { readLastMessage } from "./leader-read.ts";
import { answerOfLeader, askLeader, onElected } from "./leader-watch.ts";

/** Much longer than an election, so that nothing here ends by a timeout. */
const timeoutMs = 100_000;
let nats: TestNats;
let connection: NatsConnection;
let manager: JetStreamManager;

beforeAll(async () => {
  nats = await startNats({ cluster: 3 });
  connection = await connectNats({ url: nats.url, name: "leader-watch" });
  await migrateLog(connection, { replicas: 3 });
  manager = await jetstreamManager(connection);
}, 180_000);
afterAll(async () => {
  await connection?.close();
  await nats?.stop();
});

/** Resolves once another server leads it. */
async function stepDown(stream: string): Promise<void> {
  const elected = Promise.withResolvers<void>();
  const forget = onElected(connection, stream, elected.resolve);
  await awaitReplicas(manager, [{ stream }]);
  await connection.request(`$JS.API.STREAM.LEADER.STEPDOWN.${stream}`, "", { timeout: timeoutMs });
  await elected.promise;
  forget();
}

/** A question of which the first one stays without an answer. */
function askInVain<T>(answer: T) {
  let asked = 0;
  return (): Promise<T> => (asked++ === 0 ? new Promise<T>(() => {}) : Promise.resolve(answer));
}

it("tells of a new leader of the stream, and of no other stream's", async () => {
  const told: string[] = [];
  const forget = [streams.state, streams.ledger].map((stream) =>
    onElected(connection, stream, () => told.push(stream)),
  );
  await stepDown(streams.ledger);
  await stepDown(streams.state);
  expect(told).toEqual([streams.ledger, streams.state]);
  for (const each of forget) each();
  await stepDown(streams.state);
  expect(told).toEqual([streams.ledger, streams.state]);
});

it("asks again when there is a new leader", async () => {
  const answer = askLeader(connection, streams.state, timeoutMs, askInVain("an answer"));
  await stepDown(streams.state);
  expect(await answer).toBe("an answer");
});

it("rejects with the failure when the question fails", async () => {
  const ask = () => Promise.reject(new Error("refused"));
  await expect(askLeader(connection, streams.state, timeoutMs, ask)).rejects.toThrow("refused");
});

it("gives an answer of the former leader up when there is a new one", async () => {
  const lost = () => new Error("another server leads the stream");
  const given = answerOfLeader(connection, streams.state, { answer: new Promise(() => {}), lost });
  const refused = expect(given).rejects.toThrow("another server leads");
  await stepDown(streams.state);
  await refused;
});

it("takes an answer that comes right after the election", async () => {
  const answer = Promise.withResolvers<string>();
  const forget = onElected(connection, streams.state, () => answer.resolve("stored"));
  const lost = () => new Error("another server leads the stream");
  const taken = answerOfLeader(connection, streams.state, { answer: answer.promise, lost });
  await stepDown(streams.state);
  expect(await taken).toBe("stored");
  forget();
});

it("answers a read that the leader took to its grave, and commits go on", async () => {
  await awaitReplicas(manager, [{ stream: streams.state }]);
  const { cluster } = await manager.streams.info(streams.state);
  const leader = Number(cluster!.leader!.split("-").at(-1)) - 1;
  const survivor = await connectNats({ url: nats.servers[(leader + 1) % 3]!.url, name: "survivor" });
  const log = createLog(survivor, { stateStreamCount: 1 });
  const subject = subjects.cursor(0, "leader-watch");
  await log.commit("test", [{ subject, value: { v: 1 } }]);
  // It hangs, so that it does not answer before it dies.
  await nats.pause(leader);
  const read = readLastMessage(survivor, streams.state, subject, timeoutMs);
  await survivor.flush();
  await nats.kill(leader);
  expect((await read)?.text).toBe('{"v":1}');
  await log.commit("test", [{ subject, value: { v: 2 } }]);
  expect((await log.read(subject)).value).toEqual({ v: 2 });
  await survivor.close();
  await nats.restart(leader);
}, 180_000);

it("asks again when the connection is back", async () => {
  await awaitReplicas(manager, [{ stream: streams.state }]);
  const own = nats.servers.findIndex(({ port }) => connection.getServer().endsWith(`:${port}`));
  const answer = askLeader(connection, streams.state, timeoutMs, askInVain("an answer"));
  await nats.kill(own);
  expect(await answer).toBe("an answer");
}, 180_000);
