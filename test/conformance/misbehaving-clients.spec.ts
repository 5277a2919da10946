/**
 * A model server among clients that cancel, hang up, flood and send garbage: other clients do not notice, and nothing
 * leaks.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OpenInferenceClient } from "@packshot/inference/model-client/open-inference-client.ts";
import { type ModelServer, startModelServer } from "@packshot/inference/model-server/model-server.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { imageSide as side, writeConformanceModels } from "../../testing/models/conformance-models.ts";
import { connectModelClient } from "../../testing/models/connect-model-client.ts";
import {
  framed,
  inferMessage,
  misbehavingClients,
  openCall,
  openSession,
  type Victim,
} from "../../testing/models/misbehaving-clients.ts";

describe("a model server among misbehaving clients", () => {
  let folder: string;
  let server: ModelServer;
  let client: OpenInferenceClient;
  let victim: Victim;
  let wanted: Buffer;

  const request = () => ({
    model: "segmenter",
    input: { shape: [1, side, side, 3], data: new Uint8Array(side * side * 3).fill(200) },
    tenant: "ordinary",
    deadlineAtMs: Date.now() + 60_000,
    signal: new AbortController().signal,
  });
  const matte = async () => Buffer.from((await client.predict(request())).output.data);
  const sockets = () => process.getActiveResourcesInfo().filter((name) => /^(TCP|Pipe).*Wrap$/.test(name)).length;
  async function metric(pattern: RegExp): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${server.httpPort}/metrics`)).text();
    return [...text.matchAll(pattern)].reduce((sum, [, value]) => sum + Number(value), 0);
  }
  const queued = () => metric(/^packshot_inference_queue_rows\{.*\} (\d+)$/gm);
  const ended = () => metric(/^packshot_inference_requests_total\{model="segmenter".*\} (\d+)$/gm);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "packshot-abuse-"));
    writeConformanceModels(folder);
    const logger = createLogger({ name: "test", level: "fatal" });
    server = await startModelServer({
      host: "127.0.0.1",
      grpcPort: 0,
      httpPort: 0,
      modelDirs: [folder],
      threads: 1,
      logger,
    });
    victim = { address: `127.0.0.1:${server.grpcPort}`, model: "segmenter", side };
    client = await connectModelClient(victim.address);
    wanted = await matte();
  });
  afterAll(async () => {
    client.close();
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  it.each(misbehavingClients)("one that $does: others get their answers, and nothing leaks", async ({ act }) => {
    // The connection for metrics stays open from here on.
    await queued();
    const before = sockets();
    const answers = Promise.all(Array.from({ length: 10 }, matte));
    await Promise.all(Array.from({ length: 5 }, () => act(victim)));
    for (const answer of await answers) expect(answer.equals(wanted)).toBe(true);
    await expect.poll(queued).toBe(0);
    await expect.poll(sockets).toBeLessThanOrEqual(before);
  });

  it("stops reading from a client that reads no answers", async () => {
    const asked = 3_000;
    const before = await ended();
    const session = openSession(victim);
    const call = openCall(session, "ModelStreamInfer");
    const answering = new Promise<void>((resolve) => void call.once("response", () => resolve()));
    for (let at = 0; at < asked; at += 1) call.write(framed(inferMessage(victim, `${at}`)));
    await answering;
    for (let at = 0; at < 100; at += 1) expect((await matte()).equals(wanted)).toBe(true);
    expect((await ended()) - before - 100).toBeLessThan(asked / 2);
    session.destroy();
    await expect.poll(queued).toBe(0);
  });
});
