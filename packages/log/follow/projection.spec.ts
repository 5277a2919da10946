import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { watchSearches } from "../../../testing/log/watch-searches.ts";
import { startNats, type TestNats } from "../../../testing/servers/nats.ts";
import { connectNats } from "../nats/connection.ts";
import { createProjection, type Projection, type ProjectionDeps } from "./projection.ts";

const logger = createLogger({ name: "projection.spec", level: "silent" });
const stream = "COLORS";
let nats: TestNats;
let connection: NatsConnection;
const started: Projection[] = [];

beforeAll(async () => {
  nats = await startNats();
  connection = await connectNats({ url: nats.url, name: "projection.spec" });
  await (await jetstreamManager(connection)).streams.add({
    name: stream,
    subjects: ["color.>", "shape.>", "other.>"],
    max_msgs_per_subject: 1,
  });
});

afterEach(async () => {
  await Promise.all(started.splice(0).map((projection) => projection.stop()));
});

afterAll(async () => {
  await connection.close();
  await nats.stop();
});

async function put(subject: string, value: string): Promise<number> {
  return (await jetstream(connection).publish(subject, value)).seq;
}

async function project(deps: Partial<ProjectionDeps> = {}) {
  const values = new Map<string, string>();
  const projection = createProjection({
    name: "colors",
    connection,
    logger,
    stream,
    filters: ["color.>", "shape.>"],
    from: "first",
    apply: (message) => void values.set(message.subject, message.string()),
    ...deps,
  });
  started.push(projection);
  await projection.start();
  expect(await projection.caughtUp(20_000)).toBe(true);
  return { values, projection };
}

async function deleteConsumers(): Promise<number> {
  const manager = await jetstreamManager(connection);
  let deleted = 0;
  for await (const { name } of manager.consumers.list(stream)) {
    await manager.consumers.delete(stream, name);
    deleted += 1;
  }
  return deleted;
}

test("has applied everything when it has caught up, and later messages when they are reached", async () => {
  await put("color.sky", "gray");
  await put("color.sky", "blue");
  await put("shape.box", "square");
  await put("other.thing", "ignored");
  const { values, projection } = await project();
  expect([...values]).toEqual([
    ["color.sky", "blue"],
    ["shape.box", "square"],
  ]);
  const sequence = await put("color.grass", "green");
  expect(await projection.reached(sequence, 5_000)).toBe(true);
  expect(values.get("color.grass")).toBe("green");
  expect(await projection.reached(sequence + 1, 10)).toBe(false);
});

test("started from the next message, it has nothing older", async () => {
  await put("color.sky", "blue");
  const { values, projection } = await project({ from: "next" });
  await put("color.night", "black");
  await projection.catchUp(5_000, "color.night");
  expect([...values]).toEqual([["color.night", "black"]]);
});

test("resumes when its consumer is deleted, and misses nothing", async () => {
  const { values, projection } = await project();
  expect(await deleteConsumers()).toBeGreaterThan(0);
  await put("color.leaf", "red");
  await put("color.snow", "white");
  await projection.catchUp(20_000, "color.snow");
  expect([values.get("color.leaf"), values.get("color.snow")]).toEqual(["red", "white"]);
});

test("resumes when the server restarts", async () => {
  const { values, projection } = await project();
  await nats.kill();
  await nats.restart();
  await expect.poll(() => put("color.dawn", "pink").catch(() => 0), { timeout: 20_000 }).toBeGreaterThan(0);
  await projection.catchUp(20_000, "color.dawn");
  expect(values.get("color.dawn")).toBe("pink");
});

test("a message that cannot be applied does not end it", async () => {
  const values: string[] = [];
  const { projection } = await project({
    apply(message) {
      if (message.string() === "unreadable") throw new Error("unreadable");
      values.push(message.string());
    },
  });
  await put("color.fog", "unreadable");
  await put("color.sun", "yellow");
  await projection.catchUp(5_000, "color.sun");
  expect(values.at(-1)).toBe("yellow");
});

test("a stop ends pending waits", async () => {
  const { projection } = await project();
  const waiting = projection.reached(1_000_000, 60_000);
  await projection.stop();
  expect(await waiting).toBe(false);
});

test("lags until it has read what there was, and again while its consumer is lost", async () => {
  await put("color.sky", "blue");
  const { projection, values } = await project();
  expect(projection.lag()).toBeUndefined();
  await nats.kill();
  await expect.poll(() => projection.lag()).toBe("the colors does not follow the log");
  await nats.restart();
  await expect.poll(() => projection.lag()).toBeUndefined();
  await put("color.sky", "red");
  await expect.poll(() => values.get("color.sky")).toBe("red");
  expect(projection.lag()).toBeUndefined();
});

test("starts at once while the log does not answer, and catches up without a search when it does", async () => {
  await put("color.sky", "blue");
  const watch = await watchSearches(connection);
  await nats.pause();
  const starting = project();
  const projection = started.at(-1)!;
  expect(await projection.caughtUp(10)).toBe(false);
  expect(projection.lag()).toBe("the colors does not follow the log");
  nats.resume();
  const { values } = await starting;
  expect(values.get("color.sky")).toBe("blue");
  expect(await watch.searches()).toEqual([]);
});
