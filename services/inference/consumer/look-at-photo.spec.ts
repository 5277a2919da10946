import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { LookRequest } from "@packshot/domain/batches/photo-look.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { parseAllowList } from "@packshot/platform/outbound/address-guard.ts";
import { StorageTimeout } from "@packshot/platform/storage/storage-fault.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { EditInput, EditOutput } from "../edits/edit.ts";
import { runEdit } from "../edits/tools/run-edit.ts";
import { sandboxModelClient, sandboxModelName } from "../model-client/model-client.ts";
import { createLookAtPhoto, type LookDeps } from "./look-at-photo.ts";
import { createMemoryBudget } from "./memory-budget.ts";

let shop: Server;
beforeAll(async () => {
  shop = createServer((_request, response) => response.end(Buffer.alloc(2_000, "photo"))).listen(0, "127.0.0.1");
  await once(shop, "listening");
});
afterAll(() => void shop.close());

const noSignal = new AbortController().signal;
const header = { format: "jpeg", contentType: "image/jpeg", width: 10, height: 10, pages: 1 } as const;

function look(changes: Partial<LookDeps> = {}) {
  const memory = createMemoryBudget({ bytesMax: 2 ** 30 });
  const lookAtPhoto = createLookAtPhoto({
    storage: { read: async () => undefined },
    models: sandboxModelClient,
    runEdit,
    inspectImage: async () => header,
    allowSources: parseAllowList("127.0.0.1:*"),
    allowConnections: parseAllowList([]),
    sourceTimeoutMs: 10_000,
    maxPixels: 10_000_000,
    defaultModel: sandboxModelName,
    memory,
    ...changes,
  });
  return { memory, lookAtPhoto };
}

const requestOf = (source: LookRequest["source"], change: Partial<LookRequest> = {}): LookRequest => ({
  id: uuidv7(),
  accountId: uuidv7(),
  live: true,
  source,
  parameters: {},
  bytesMax: 1_000_000,
  deadlineAtMs: Date.now() + 60_000,
  ...change,
});

const atShop = () =>
  ({ kind: "url", imageUrl: `http://127.0.0.1:${(shop.address() as AddressInfo).port}/1.jpg` }) as const;
const test = (name: string) => ({ kind: "url", imageUrl: `https://test.packshot.invalid/${name}` }) as const;

it("says of a photo what an edit's report would, and holds no memory afterwards", async () => {
  const { memory, lookAtPhoto } = look();
  const answer = await lookAtPhoto(requestOf(test("mug.jpg"), { live: false }), noSignal);
  expect(answer).toMatchObject({
    report: { quality: expect.any(String), source: { border: 0, checks: expect.arrayContaining([expect.anything()]) } },
  });
  expect(memory.reservedBytes).toBe(0);
});

it("fetches what the guard allows, as many bytes as it may, and edits with the row's own way to find the product", async () => {
  const edits: EditInput[] = [];
  const report = { quality: "review", reasons: ["doubtful"], source: { border: 3 }, shadow: {} };
  const { lookAtPhoto } = look({
    runEdit: async (input) => {
      edits.push(input);
      return { report } as unknown as EditOutput;
    },
  });
  const parameters = { point: { x: "10%", y: "50%" }, model: "other" } as const;
  const { shadow: _, ...told } = report;
  expect(await lookAtPhoto(requestOf(atShop(), { parameters }), noSignal)).toEqual({ report: told });
  expect(edits[0]).toMatchObject({ tool: "mask", parameters: { ...parameters, output: { width: 64 } } });
  expect(edits[0]!.source).toHaveLength(2_000);
  // A link leads into a bucket, whose hosts have a list of their own.
  const link = requestOf({ kind: "link", url: atShop().imageUrl });
  expect(await lookAtPhoto(link, noSignal)).toMatchObject({ error: { code: "source_forbidden" } });
  const small = requestOf(atShop(), { bytesMax: 1_000 });
  expect(await lookAtPhoto(small, noSignal)).toMatchObject({ error: { code: "file_too_large" } });
  expect(edits).toHaveLength(1);
});

it("tells why an edit would fail, and of a fault of ours only that the photo was not looked at", async () => {
  const failing = (error: Error) => look({ runEdit: () => Promise.reject(error) }).lookAtPhoto;
  const noProduct = new PackshotError("no_product_found", "No product stands out in the picture.");
  expect(await failing(noProduct)(requestOf(atShop()), noSignal)).toEqual({
    error: { code: "no_product_found", message: "No product stands out in the picture." },
  });
  for (const fault of [new StorageTimeout("read", 1), new Error("a bug"), new PackshotError("unavailable", "no log")]) {
    expect(await failing(fault)(requestOf(atShop()), noSignal)).toMatchObject({ unseen: { code: "unavailable" } });
  }
  for (const code of ["model_unavailable", "deadline_exceeded", "internal_error"] as const) {
    const passing = new PackshotError(code, "Try again.", { details: { refused: true } });
    const answer = await failing(passing)(requestOf(atShop()), noSignal);
    expect(answer).toEqual({ unseen: { code, message: "Try again." } });
  }
  const unknown = new PackshotError("model_unavailable", "No server has u2net.");
  expect(await failing(unknown)(requestOf(atShop()), noSignal)).toMatchObject({ error: { code: "model_unavailable" } });
  const away = new PackshotError("source_unreachable", "The server answered 404.");
  expect(await failing(away)(requestOf(atShop()), noSignal)).toMatchObject({ error: { code: "source_unreachable" } });
  const stopped = AbortSignal.abort(new Error("stopping"));
  expect(await look().lookAtPhoto(requestOf(atShop()), stopped)).toMatchObject({ unseen: { code: "unavailable" } });
  const failed = requestOf(test("failed/image_unreadable"), { live: false });
  expect(await look().lookAtPhoto(failed, noSignal)).toMatchObject({ error: { code: "image_unreadable" } });
});

it("reads an upload's bytes from storage", async () => {
  const keys: string[] = [];
  const { lookAtPhoto } = look({
    storage: {
      async read(key) {
        keys.push(key);
        return undefined;
      },
    },
  });
  const answer = await lookAtPhoto(requestOf({ kind: "file", key: "uploads/a/b" }), noSignal);
  expect([keys, answer]).toEqual([["uploads/a/b"], { error: expect.objectContaining({ code: "source_unreachable" }) }]);
});
