/**
 * The worker's client with servers that are not ours: a plain one of the Open Inference Protocol, and one like Triton.
 * @module-tag long
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { describe, expect, it } from "vitest";
import { connectModelClient } from "../../../testing/models/connect-model-client.ts";
import { type ForeignKind, startForeignModelServer } from "../../../testing/models/foreign-model-server.ts";
import { tinyModelSide as side, writeTinyModel } from "../../../testing/models/tiny-model-repository.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";
import { startModelServer } from "../model-server/model-server.ts";

function writeRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), "packshot-foreign-"));
  writeTinyModel(folder, "tiny", 1);
  writeTinyModel(folder, "augmented", 1);
  const tensor = (name: string, depth: number) =>
    `{ name: "${name}" data_type: TYPE_UINT8 dims: [${side}, ${side}, ${depth}] }`;
  const lines = [
    'name: "augmented" max_batch_size: 1',
    `input [${tensor("image", 3)}] output [${tensor("matte", 1)}]`,
    'parameters { key: "packshot.test_time_augmentation" value { string_value: "true" } }',
    'parameters { key: "packshot.doubt_limits" value { string_value: "0.1 0.05" } }',
    'parameters { key: "packshot.doubt_weights" value { string_value: "1 0.5 0" } }',
  ];
  writeFileSync(join(folder, "augmented", "config.pbtxt"), lines.join("\n"));
  return folder;
}

function requestFor(model: string, changes: object = {}) {
  const data = Uint8Array.from({ length: side * side * 3 }, (_, at) => (at * 7) & 255);
  return {
    model,
    input: { shape: [1, side, side, 3], data },
    tenant: "acct",
    deadlineAtMs: Date.now() + 60_000,
    signal: new AbortController().signal,
    ...changes,
  };
}

describe.each<ForeignKind>(["plain", "triton"])("the worker's client with a %s server", (kind) => {
  const fixture = suiteFixture(async () => {
    const folder = writeRepository();
    const foreign = await startForeignModelServer(kind, folder);
    const client = await connectModelClient(foreign.address);
    const logger = createLogger({ name: "test", level: "fatal" });
    const options = { host: "127.0.0.1", grpcPort: 0, httpPort: 0, modelDirs: [folder], threads: 1, logger };
    const own = await startModelServer(options);
    const ownClient = await connectModelClient(`127.0.0.1:${own.grpcPort}`);
    return {
      foreign,
      client,
      ownClient,
      async stop() {
        client.close();
        ownClient.close();
        await foreign.stop();
        await own.stop();
        rmSync(folder, { recursive: true });
      },
    };
  });

  it("describes a model's input; only a model's configuration tells of augmentation and of review limits", async () => {
    const precision = kind === "triton" ? { precision: "original" } : {};
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/);
    const expected = { width: side, height: side, channels: "rgb", version: "1", digest, ...precision };
    expect(await fixture.client.describe("tiny")).toEqual({ ...expected, testTimeAugmentation: false });
    expect(await fixture.client.describe("augmented")).toEqual({
      ...expected,
      testTimeAugmentation: kind === "triton",
      ...(kind === "triton" && {
        reviewLimits: [0.1, 0.05],
        reviewWeights: { missing: 1, uncertainty: 0.5, filledGaps: 0 },
      }),
    });
  });

  it("describes models with other parameters by other digests", async () => {
    const digests = await Promise.all(
      ["tiny", "augmented"].map(async (model) => (await fixture.client.describe(model)).digest),
    );
    // A plain server tells no parameters.
    expect(new Set(digests).size).toBe(kind === "triton" ? 2 : 1);
  });

  it("gets the same matte as from our own, by single calls with raw bytes", async () => {
    const before = fixture.foreign.requests.length;
    const [theirs, ours] = await Promise.all(
      [fixture.client, fixture.ownClient].map((each) => each.predict(requestFor("tiny"))),
    );
    expect(Buffer.compare(Buffer.from(theirs!.output.data), Buffer.from(ours!.output.data))).toBe(0);
    expect(theirs).toMatchObject({ modelName: "tiny", modelVersion: "1", output: { shape: [1, side, side, 1] } });
    expect(theirs!.times).toBeUndefined();
    expect(fixture.foreign.requests.slice(before)).toMatchObject([{ method: "ModelInfer", rawInputs: 1 }]);
  });

  it("tells an unknown model from a server that is busy", async () => {
    await expect(fixture.client.predict(requestFor("none"))).rejects.toMatchObject({
      code: "model_unavailable",
      details: undefined,
    });
  });

  it("ends by the deadline and by an abort, and works afterward", async () => {
    await expect(fixture.client.predict(requestFor("tiny", { deadlineAtMs: Date.now() }))).rejects.toMatchObject({
      code: "deadline_exceeded",
    });
    const aborting = new AbortController();
    const answer = fixture.client.predict(requestFor("tiny", { signal: aborting.signal }));
    aborting.abort(new Error("the user cancelled"));
    await expect(answer).rejects.toThrow("the user cancelled");
    expect((await fixture.client.predict(requestFor("tiny"))).modelName).toBe("tiny");
  });
});

describe("the worker's client with a server that stops", () => {
  it("requeues what it has, whoever's server it is", async () => {
    const folder = writeRepository();
    const foreign = await startForeignModelServer("triton", folder);
    const client = await connectModelClient(foreign.address);
    const gone = new Promise<void>((resolve) => void client.onReadyChange((ready) => !ready && resolve()));
    await foreign.stop();
    await gone;
    await expect(client.predict(requestFor("tiny"))).rejects.toMatchObject({ details: { refused: true } });
    client.close();
    rmSync(folder, { recursive: true });
  });
});
