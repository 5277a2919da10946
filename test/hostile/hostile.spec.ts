/**
 * Hostile requests of every kind against the whole stack: each gets the answer that is right, no process dies, ordinary
 * edits go on beside them, and nothing is left behind. `make test-hostile` sends 10,000, other runs a sample of them.
 */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pause } from "@packshot/platform/flow/pause.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as images from "../../testing/images/odd-images.ts";
import { formWith, type LiveStack, startLiveStack } from "../../testing/stack/live-stack.ts";
import type { Attack, Target } from "./attack.ts";
import { attackKinds, makeAttacks } from "./catalog.ts";
import { type AnswerSite, startAnswerSite } from "./hostile-answers.ts";
import { createHostileClient, type HostileClient } from "./hostile-client.ts";
import { type HostileSite, startHostileSite } from "./hostile-site.ts";

const count = Number(process.env.HOSTILE_REQUESTS ?? 500);
const seed = Number(process.env.HOSTILE_SEED ?? 1);
/** Kinds may name another number. */
const sentAtOnce = 8;
/** From one edit of the ordinary customer to the next. */
const ordinaryEveryMs = 1_000;

let temporary: string;
let stack: LiveStack;
let site: HostileSite;
let answers: AnswerSite;
let client: HostileClient;
let attacks: ReadonlyMap<string, readonly Attack[]>;
let startedAt: Record<string, string>;
/** Files of the edits that were made before the attacks. */
let filesBefore: string[];
/** Edits of a customer who knows of nothing, and who goes on until the attacks are over. */
let ordinary: { readonly ended: Promise<string[]>; stop(): void };

beforeAll(async () => {
  const photo = await images.jpeg();
  temporary = await mkdtemp(join(tmpdir(), "packshot-hostile-"));
  site = await startHostileSite(photo);
  answers = await startAnswerSite();
  const environment = {
    TMPDIR: temporary,
    PACKSHOT_SOURCE_TIMEOUT_MS: "2000",
    PACKSHOT_AUTH_FAILURES_PER_MINUTE: "1000000",
    // In place of what the launcher would allow on this machine.
    PACKSHOT_ALLOW_WEBHOOKS: answers.address,
    PACKSHOT_ALLOW_CONNECTIONS: answers.address,
  };
  stack = await startLiveStack(environment, [site.address]);
  client = createHostileClient(stack.file.apiUrl, stack.file.apiKey);
  const target = await prepareTarget(photo);
  attacks = await makeAttacks(seed, count, target);
  startedAt = await processStarts();
  filesBefore = await stack.storedFiles();
  ordinary = goOnEditing(photo);
}, 180_000);

afterAll(async () => {
  await stack?.stop();
  await site?.stop();
  await answers?.stop();
  await rm(temporary, { recursive: true, force: true });
});

async function prepareTarget(photo: Buffer): Promise<Target> {
  const { body: job } = await stack.edit("mask", formWith(photo));
  const { pathname, search } = new URL(job.resultUrl);
  const reading = await stack.call("POST", "/v1/account/keys", json({ name: "reads", scopes: ["read"] }));
  expect(reading.status).toBe(201);
  const stranger = await openStranger();
  const strangers = createHostileClient(stack.file.apiUrl, stranger);
  const order = json({ imageUrl: `${site.url}/photo.jpg` });
  expect(await strangers.edit({ headers: order.headers, body: Buffer.from(order.body) })).toBe("200 completed");
  const product = images.product();
  const photos = {
    JPEG: photo,
    PNG: await images.png(),
    WebP: await product.clone().webp().toBuffer(),
    AVIF: await product.clone().avif({ effort: 0 }).toBuffer(),
    TIFF: await product.clone().tiff().toBuffer(),
    GIF: await images.animatedGif(),
    "16-bit PNG": await images.png16(),
    "CMYK JPEG": await images.cmykJpeg(),
  };
  return {
    resultPath: pathname + search,
    strangersJobId: [...strangers.jobIds][0]!,
    readingKey: ((await reading.json()) as { key: string }).key,
    siteUrl: site.url,
    answerAddress: answers.address,
    photo,
    photos,
  };
}

const json = (value: object) => ({ body: JSON.stringify(value), headers: { "Content-Type": "application/json" } });

/** Resolves with the key of an account of its own. */
async function openStranger(): Promise<string> {
  const { adminUrl, adminToken } = stack.file;
  const make = async (path: string, order: object) => {
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${adminToken}` };
    const response = await fetch(`${adminUrl}/admin/v1${path}`, {
      method: "POST",
      body: JSON.stringify(order),
      headers,
    });
    expect(response.status).toBe(201);
    return (await response.json()) as Record<string, string>;
  };
  const { accountId } = await make("/accounts", { name: "stranger", plan: "dev" });
  return (await make(`/accounts/${accountId}/keys`, { name: "first" })).key!;
}

/** When each process of the stack was started. */
async function processStarts(): Promise<Record<string, string>> {
  const starts = Object.entries(stack.file.metrics).map(async ([name, address]) => {
    const metrics = await (await fetch(new URL("/metrics", address))).text();
    const [, start] = /^process_start_time_seconds(?:\{.*\})? (\S+)$/m.exec(metrics)!;
    return [name, start!] as const;
  });
  return Object.fromEntries(await Promise.all(starts));
}

function goOnEditing(photo: Buffer): typeof ordinary {
  const ending = new AbortController();
  async function edits(): Promise<string[]> {
    const ends: string[] = [];
    while (!ending.signal.aborted) {
      const nextAtMs = performance.now() + ordinaryEveryMs;
      const { body } = await stack.edit("mask", formWith(photo));
      ends.push(body.status);
      client.jobIds.add(body.id);
      await pause(nextAtMs - performance.now(), ending.signal);
    }
    return ends;
  }
  return { ended: edits(), stop: () => ending.abort() };
}

/** Sends all, some at once, and resolves with those whose answer was another. */
async function send(all: readonly Attack[], atOnce: number): Promise<string[]> {
  const wrong: string[] = [];
  const waiting = [...all];
  async function sendNext(): Promise<void> {
    for (let attack = waiting.shift(); attack !== undefined; attack = waiting.shift()) {
      const answer = await attack.send(client);
      if (!attack.right.includes(answer)) wrong.push(`${attack.name}: ${answer}, not ${attack.right.join(" or ")}`);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sendNext));
  return wrong;
}

describe("hostile requests", () => {
  it.each(Object.keys(attackKinds))("%s: each gets the answer that is right", { timeout: 1_800_000 }, async (kind) => {
    const all = attacks.get(kind)!;
    expect(all.length).toBeGreaterThan(0);
    expect([...new Set(await send(all, attackKinds[kind]!.atOnce ?? sentAtOnce))]).toEqual([]);
  });

  it("other edits went on beside them, and no process has died", async () => {
    ordinary.stop();
    const ends = await ordinary.ended;
    expect(ends.length).toBeGreaterThan(5);
    expect(new Set(ends)).toEqual(new Set(["completed"]));
    expect(await processStarts()).toEqual(startedAt);
  });

  it("nothing is left behind once their jobs are deleted", { timeout: 1_800_000 }, async () => {
    const waiting = [...client.jobIds];
    const deleteNext = async () => {
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) await stack.call("DELETE", `/v1/jobs/${id}`);
    };
    await Promise.all(Array.from({ length: sentAtOnce }, deleteNext));
    await expect.poll(stack.storedFiles).toEqual(filesBefore);
    await expect.poll(() => readdir(join(temporary, "packshot-forms")).catch(() => [])).toEqual([]);
    const listed = async (path: string) => ((await (await stack.call("GET", path)).json()) as { data: unknown[] }).data;
    for (const path of ["/v1/webhooks", "/v1/connections", "/v1/presets", "/v1/batches"])
      expect(await listed(path), path).toEqual([]);
  });
});
