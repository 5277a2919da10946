/**
 * The node as n8n loads it: built, by `require`, in a folder without packages. A stand-in plays n8n, and the service is real.
 * @module-tag long
 */
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drawnMug } from "../../testing/images/drawn-mug.ts";
import { jointStack } from "../../testing/joint/joint-stack.ts";
import type { PackshotApi } from "./credentials-main.ts";
import type { ExecuteFunctions, NodeItem, NodeProperty } from "./n8n-host.ts";
import type { Packshot } from "./packshot-node-main.ts";

const stack = jointStack();
const home = fileURLToPath(new URL(".", import.meta.url));
const manifest = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
let folder: string;
let node: Packshot;
let credentials: PackshotApi;

/** The class has the name that the file has before its first dot. */
function load<T>(path: string): T {
  const file = basename(path);
  const found = createRequire(import.meta.url)(join(folder, file));
  return new found[file.slice(0, file.indexOf("."))]();
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "packshot-n8n-"));
  execFileSync("npx", ["vite", "build", "--outDir", folder, "--emptyOutDir"], { cwd: home, stdio: "ignore" });
  node = load(manifest.n8n.nodes[0]);
  credentials = load(manifest.n8n.credentials[0]);
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Host {
  readonly items: readonly { readonly bytes?: Buffer; readonly parameters?: Readonly<Record<string, unknown>> }[];
  readonly goesOn?: boolean;
  readonly apiKey?: string;
  readonly execution?: string;
}

/** Files are kept by the host, as n8n does; parameters that nobody set have their defaults. */
async function execute({ items, goesOn = false, apiKey = stack.file.apiKey, execution = randomUUID() }: Host) {
  const kept = new Map<object, Buffer>();
  const host: ExecuteFunctions = {
    getExecutionId: () => execution,
    getNode: () => ({ name: "Packshot" }),
    getInputData: () => items.map(() => ({ json: {} })),
    getNodeParameter: (name, item) =>
      items[item]!.parameters?.[name] ??
      node.description.properties.find((property: NodeProperty) => property.name === name)!.default,
    getCredentials: async (name) => (name === credentials.name ? { url: stack.file.apiUrl, apiKey } : {}),
    continueOnFail: () => goesOn,
    helpers: {
      assertBinaryData(item) {
        if (items[item]!.bytes === undefined)
          throw new Error("This operation expects the node's input data to contain a file");
        return { mimeType: "image/jpeg" };
      },
      getBinaryDataBuffer: async (item) => items[item]!.bytes!,
      async prepareBinaryData(bytes, fileName, mimeType) {
        const data = { fileName, mimeType };
        kept.set(data, bytes);
        return data;
      },
    },
  };
  const [made] = await node.execute.call(host);
  const fileOf = ({ binary }: NodeItem, property = "data") => kept.get(binary![property]!)!;
  return { made: made!, fileOf };
}

test("each item's file is edited, and its result is a file of the item that follows", async () => {
  const red = { bytes: await drawnMug("#aa2020"), parameters: { parameters: '{"output":{"width":64}}' } };
  const parameters = { parameters: { output: { width: 80, format: "webp" } }, resultProperty: "cutOut" };
  const { made, fileOf } = await execute({ items: [red, { bytes: await drawnMug("#2020aa"), parameters }] });
  expect(made).toMatchObject([
    { json: { quality: "ok", creditsCharged: 1 }, pairedItem: { item: 0 } },
    {
      binary: { cutOut: { mimeType: "image/webp", fileName: expect.stringMatching(/\.webp$/) } },
      pairedItem: { item: 1 },
    },
  ]);
  expect(await sharp(fileOf(made[0]!)).metadata()).toMatchObject({ format: "png", width: 64, hasAlpha: true });
  expect(await sharp(fileOf(made[1]!, "cutOut")).metadata()).toMatchObject({ format: "webp", width: 80 });
});

test("a fault ends the workflow, or is an item of its own where the workflow wants to go on", async () => {
  const items = [{ bytes: Buffer.from("no photo") }, {}, { bytes: await drawnMug("#20aa20") }];
  await expect(execute({ items })).rejects.toMatchObject({ name: "PackshotError" });
  const { made } = await execute({ items, goesOn: true });
  expect(made).toMatchObject([
    { json: { code: expect.stringMatching(/^\w+$/) }, pairedItem: { item: 0 } },
    { json: { error: expect.stringContaining("expects") } },
    { json: { quality: "ok" }, pairedItem: { item: 2 } },
  ]);
});

test("a wrong key is told of, and an address that the service may not fetch", async () => {
  const bytes = await drawnMug("#404060");
  await expect(execute({ items: [{ bytes }], apiKey: "ps_live_wrong" })).rejects.toMatchObject({
    code: "unauthenticated",
  });
  const parameters = { source: "address", imageUrl: "http://169.254.169.254/mug.jpg" };
  await expect(execute({ items: [{ parameters }] })).rejects.toMatchObject({ code: "source_forbidden" });
});

test("the credentials' test asks for the account with the key", async () => {
  const { baseURL, url } = credentials.test.request;
  const filled = (text: string) =>
    text
      .replace(/^=/, "")
      .replace("{{$credentials.url}}", stack.file.apiUrl)
      .replace("{{$credentials.apiKey}}", stack.file.apiKey);
  const { Authorization } = credentials.authenticate.properties.headers;
  const answer = await fetch(filled(baseURL) + url, { headers: { Authorization: filled(Authorization) } });
  expect(answer.status).toBe(200);
  expect(credentials.properties.find(({ name }) => name === "apiKey")?.typeOptions).toEqual({ password: true });
});

test("an execution that is tried again pays for nothing twice, and another one is another edit", async () => {
  const items = [{ bytes: await drawnMug("#aa2020") }, { bytes: await drawnMug("#2020aa") }];
  const jobsOf = async (execution: string) =>
    (await execute({ items, execution })).made.map(({ json }) => (json as { jobId: string }).jobId);
  const first = await jobsOf("1");
  expect(new Set(first).size).toBe(2);
  expect(await jobsOf("1")).toEqual(first);
  expect(await jobsOf("2")).not.toEqual(first);
});
