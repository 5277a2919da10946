/** Several model servers behind one name: one is killed, one is added, one leaves, while a worker's client sends requests. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OpenInferenceClient } from "@packshot/inference/model-client/open-inference-client.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectModelClient } from "../../testing/models/connect-model-client.ts";
import type { ModelServerProcess } from "../../testing/models/model-server-process.ts";
import { type ModelService, startModelService } from "../../testing/models/model-service.ts";
import { tinyModelSide as side, writeTinyModel } from "../../testing/models/tiny-model-repository.ts";

const everyMs = 50;
const waitMs = 120_000;
const atOnce = 12;

let folder: string;
let service: ModelService;
let servers: ModelServerProcess[];
let client: OpenInferenceClient;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "packshot-balance-"));
  writeTinyModel(folder, "tiny", 1);
  service = await startModelService(folder);
  servers = [service.first, ...(await Promise.all([service.add(), service.add()]))];
  client = await connectModelClient(service.target, { resolve: service.resolve, everyMs });
}, 300_000);

afterAll(async () => {
  client.close();
  await service.stop();
  rmSync(folder, { recursive: true });
});

const readyServers = (count: number) =>
  expect.poll(() => client.servers(), { timeout: waitMs }).toEqual({ ready: count, not_ready: 0, ejected: 0 });

async function infer(): Promise<string> {
  const data = new Uint8Array(side * side * 3).fill(7);
  const { modelName } = await client.predict({
    model: "tiny",
    input: { shape: [1, side, side, 3], data },
    tenant: "acct",
    deadlineAtMs: Date.now() + waitMs,
    signal: new AbortController().signal,
  });
  return modelName;
}

/** `atOnce` requests in flight at all times until `enough`. Returns how each ended. */
async function load(enough: (answered: number) => boolean): Promise<Set<string>> {
  const outcomes = new Set<string>();
  let answered = 0;
  const sendInTurn = async (): Promise<void> => {
    while (!enough(answered)) {
      outcomes.add(await infer().catch((error: unknown) => String(error)));
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sendInTurn));
  return outcomes;
}

async function answeredBy(server: ModelServerProcess): Promise<number> {
  const sample = /^packshot_inference_requests_total\{[^}]*model="tiny"[^}]*outcome="answered"[^}]*\} (\d+)$/m;
  return Number(sample.exec(await server.metrics())?.[1] ?? 0);
}

/** Each server's part of `rounds` rounds of requests that are sent together. */
async function shares(rounds: number): Promise<number[]> {
  const before = await Promise.all(servers.map(answeredBy));
  for (let round = 0; round < rounds; round += 1) await Promise.all(Array.from({ length: atOnce }, infer));
  const after = await Promise.all(servers.map(answeredBy));
  return after.map((count, at) => (count - before[at]!) / (rounds * atOnce));
}

function expectEven(found: readonly number[]): void {
  expect(found.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1);
  for (const share of found) expect(Math.abs(share * found.length - 1)).toBeLessThanOrEqual(0.1);
}

describe("three model servers behind one name", { timeout: 300_000 }, () => {
  it("answer a third of the requests each", async () => {
    await readyServers(3);
    expectEven(await shares(25));
  });

  it("answer requests that come one at a time in turn", async () => {
    const before = await Promise.all(servers.map(answeredBy));
    for (let at = 0; at < 9; at += 1) await infer();
    const after = await Promise.all(servers.map(answeredBy));
    expect(after.map((count, at) => count - before[at]!)).toEqual([3, 3, 3]);
  });

  it("one of which is killed and another added lose no request, and take even shares again", async () => {
    let killed = false;
    let added = false;
    let enough = Number.POSITIVE_INFINITY;
    const outcomes = load((answered) => {
      if (killed && added && enough === Number.POSITIVE_INFINITY) enough = answered + 10 * atOnce;
      return answered >= enough;
    });
    const [victim] = servers.splice(0, 1);
    await infer();
    await victim!.kill();
    killed = true;
    service.remove(victim!);
    servers.push(await service.add());
    await readyServers(3);
    added = true;
    expect(await outcomes).toEqual(new Set(["tiny"]));
    expectEven(await shares(25));
  });

  it("one of which stands still lose no request: what it has goes to another, and it is used again later", async () => {
    const still = servers[0]!;
    let goesOn = false;
    let enough = Number.POSITIVE_INFINITY;
    const outcomes = load((answered) => {
      if (goesOn && enough === Number.POSITIVE_INFINITY) enough = answered + 5 * atOnce;
      return answered >= enough;
    });
    await infer();
    process.kill(still.pid, "SIGSTOP");
    await expect.poll(() => client.servers(), { timeout: waitMs }).toEqual({ ready: 2, not_ready: 1, ejected: 0 });
    process.kill(still.pid, "SIGCONT");
    await readyServers(3);
    goesOn = true;
    expect(await outcomes).toEqual(new Set(["tiny"]));
    expectEven(await shares(10));
  });

  it("one of which leaves the name answers what it has, and gets nothing more", async () => {
    const [leaving] = servers.splice(0, 1);
    let left = false;
    let enough = Number.POSITIVE_INFINITY;
    const outcomes = load((answered) => {
      if (left && enough === Number.POSITIVE_INFINITY) enough = answered + 5 * atOnce;
      return answered >= enough;
    });
    service.remove(leaving!);
    await readyServers(2);
    left = true;
    expect(await outcomes).toEqual(new Set(["tiny"]));
    const before = await answeredBy(leaving!);
    expectEven(await shares(10));
    expect(await answeredBy(leaving!)).toBe(before);
  });

  it("one of which stops answers what it has accepted; others answer the rest", async () => {
    const [stopping] = servers.splice(0, 1);
    let stopped = false;
    let enough = Number.POSITIVE_INFINITY;
    const outcomes = load((answered) => {
      if (stopped && enough === Number.POSITIVE_INFINITY) enough = answered + 5 * atOnce;
      return answered >= enough;
    });
    await infer();
    await stopping!.stop();
    stopped = true;
    expect(await outcomes).toEqual(new Set(["tiny"]));
    expect(client.servers()).toEqual({ ready: 1, not_ready: 1, ejected: 0 });
  });
});
