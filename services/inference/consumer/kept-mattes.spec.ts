import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProcessingJob } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import { createKeyv } from "@packshot/platform/keyv/keyv.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processingJob } from "../../../testing/log/job-records.ts";
import type { EditInput } from "../edits/edit.ts";
import { sandboxModelClient } from "../model-client/model-client.ts";
import { createKeptMattes, type KeptMattesDeps } from "./kept-mattes.ts";

let dir: string;
let storage: Storage;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "packshot-kept-mattes-"));
  storage = createDiskStorage({ dir });
});
afterAll(() => rm(dir, { recursive: true }));

const photo = Buffer.from("photo");
const matte = Buffer.from("matte");
const usual = { seed: 1, model: "m" };
const precise = (precision: string, version = "1", digest = "a") => ({
  ...sandboxModelClient,
  describe: async (model: string) => ({ ...(await sandboxModelClient.describe(model)), version, precision, digest }),
});

async function keptMattes(deps: Partial<KeptMattesDeps> = {}) {
  const index = await createKeyv({ redis: undefined, namespace: "test", entriesMax: 10 });
  return createKeptMattes({ index, storage, keptForMs: 60_000, ...deps });
}

interface Edit {
  readonly job?: ProcessingJob;
  readonly source?: Buffer;
  readonly parameters?: Partial<EditInput["parameters"]>;
  readonly models?: EditInput["models"];
}

/** Looks up, and keeps the matte under this job. */
async function lookUp(
  mattes: Awaited<ReturnType<typeof keptMattes>>,
  { job = processingJob(), source = photo, parameters = {}, models = precise("int8") }: Edit = {},
) {
  return (await mattes.lookUp(job, { source }, { models, parameters: { ...usual, ...parameters } }))!;
}

const first = processingJob();
const another = { ...processingJob(), accountId: first.accountId };

describe("a kept matte", () => {
  it("is found by an edit of the same photo of the same account, under the job that made it", async () => {
    const mattes = await keptMattes();
    const made = await lookUp(mattes, { job: first });
    expect(made.found).toBeUndefined();
    await made.keep(matte, "m@1");
    const { found } = await lookUp(mattes, { job: another });
    expect(found).toEqual({ bytes: matte, jobId: first.id });
    expect((await lookUp(mattes, { job: another, parameters: { model: "m@1", seed: 2, theme: "oak" } })).found).toEqual(
      found,
    );
  });

  it.each<[string, Edit]>([
    ["another account", { job: { ...another, accountId: "another" } }],
    ["a test key", { job: { ...another, live: false } }],
    ["other bytes", { source: Buffer.from("photo ") }],
    ["a region", { parameters: { region: { left: "10%" } } }],
    ["a point", { parameters: { point: { x: "10%" } } }],
    ["another use of the source's alpha", { parameters: { existingAlpha: "ignore" } }],
    ["another model", { parameters: { model: "n" } }],
    ["another version", { models: precise("int8", "2") }],
    ["another precision", { models: precise("original") }],
    ["another configuration of the same version", { models: precise("int8", "1", "b") }],
  ])("is not found for %s", async (_, edit) => {
    const mattes = await keptMattes();
    await (await lookUp(mattes, { job: first })).keep(matte, "m@1");
    expect((await lookUp(mattes, { job: another, ...edit })).found).toBeUndefined();
  });

  it("goes with its job's files, whatever the index says", async () => {
    const mattes = await keptMattes();
    await (await lookUp(mattes, { job: first })).keep(matte, "m@1");
    await storage.deletePrefix(storageKeys.job(first.accountId, first.id));
    expect((await lookUp(mattes, { job: another })).found).toBeUndefined();
  });

  it("is taken for its time, and no longer", async () => {
    let ttlMs = 0;
    const index = { get: async () => undefined, set: async (_: string, __: unknown, ms: number) => (ttlMs = ms) };
    await (await lookUp(await keptMattes({ index, keptForMs: 5 }), { job: first })).keep(matte, "m@1");
    expect(ttlMs).toBe(5);
  });

  it("that other weights have made than those that were asked for is not kept", async () => {
    const mattes = await keptMattes();
    await (await lookUp(mattes, { job: first })).keep(matte, "m@2");
    expect((await lookUp(mattes, { job: another })).found).toBeUndefined();
  });

  it("is not kept when its version has got another configuration while it was made", async () => {
    const mattes = await keptMattes();
    let digest = "a";
    const models = { ...sandboxModelClient, describe: (model: string) => precise("int8", "1", digest).describe(model) };
    const made = await lookUp(mattes, { job: first, models });
    digest = "b";
    await made.keep(matte, "m@1");
    for (const now of ["a", "b"]) {
      expect((await lookUp(mattes, { job: another, models: precise("int8", "1", now) })).found).toBeUndefined();
    }
  });
});

describe("an edit is an ordinary one", () => {
  const fail = async (): Promise<never> => {
    throw new Error("away");
  };

  it("where the index fails", async () => {
    const mattes = await keptMattes({ index: { get: fail, set: fail } });
    const made = await lookUp(mattes, { job: first });
    expect(made.found).toBeUndefined();
    await made.keep(matte, "m@1");
  });

  it("where the storage fails", async () => {
    const index = { get: async () => ({ jobId: first.id, key: "x" }), set: async () => true };
    const mattes = await keptMattes({ index, storage: { read: fail, write: fail } });
    const made = await lookUp(mattes, { job: first });
    expect(made.found).toBeUndefined();
    await made.keep(matte, "m@1");
  });

  it("where the caller brings a mask, and where nobody knows the model", async () => {
    const mattes = await keptMattes();
    const edit = { models: precise("int8"), parameters: usual };
    expect(await mattes.lookUp(first, { source: photo, mask: matte }, edit)).toBeUndefined();
    const models = { ...sandboxModelClient, describe: fail };
    expect(await mattes.lookUp(first, { source: photo }, { ...edit, models })).toBeUndefined();
  });
});
