import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { uuidv7 } from "@packshot/domain/ids.ts";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { openAccount } from "../../../../testing/api/accounts.ts";
import { startApis } from "../../../../testing/api/api-processes.ts";
import { apiClient, type ContractClient } from "../../../../testing/api/contract-client.ts";
import { pngClaiming } from "../../../../testing/images/odd-images.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";

const apis = suiteFixture(startApis);
let client: ContractClient;
let accountId: string;
let png: Buffer;

beforeAll(async () => {
  const [api] = apis.all;
  const account = await openAccount(api!, { limits: { maxFileSizeBytes: 300_000, concurrentJobs: 1_000 } });
  accountId = account.accountId;
  client = apiClient(api!.url, account.key);
  png = await sharp({ create: { width: 64, height: 48, channels: 3, background: "#c33" } })
    .png()
    .toBuffer();
});

function form(file: Uint8Array | undefined, fields: Readonly<Record<string, string>> = {}): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  if (file !== undefined) data.append("image", new Blob([Uint8Array.from(file)], { type: "image/png" }), "photo.png");
  return data;
}

const folderOfJob = (id: string) => join(apis.storageDir, "api", accountId, id);
const jobFolders = () => {
  const folder = join(apis.storageDir, "api", accountId);
  return existsSync(folder) ? readdirSync(folder).filter((name) => name !== "uploads") : [];
};

async function upload(bytes: Uint8Array): Promise<string> {
  const { body } = await client.call("POST", "/v1/uploads", {
    json: { contentType: "image/png", filename: "a.png", sizeBytes: bytes.length },
  });
  const { status } = await fetch(body.uploadUrl, {
    method: "PUT",
    headers: body.headers,
    body: Uint8Array.from(bytes),
  });
  expect(status).toBe(200);
  return body.uploadSessionId;
}

test("an edit of an imageUrl is answered with 202, and its job shows the parameters that took effect", async () => {
  const { status, body, headers } = await client.call("POST", "/v1/tools/ai-bg/edit", {
    json: { imageUrl: "HTTPS://shop.example/a.jpg", parameters: { theme: "oak table" }, metadata: { sku: "K-1" } },
  });
  expect(status).toBe(202);
  expect(Object.keys(body).sort()).toEqual(["createdAt", "creditsCharged", "id", "status", "statusUrl", "tool"]);
  expect(body).toMatchObject({ tool: "ai-bg", status: "queued", creditsCharged: 1 });
  expect(headers.get("location")).toBe(body.statusUrl);
  const { body: job } = await client.call("GET", new URL(body.statusUrl).pathname);
  expect(job).toMatchObject({
    id: body.id,
    metadata: { sku: "K-1" },
    startedAt: null,
    finishedAt: null,
    expiresAt: null,
  });
  expect(job.parameters).toEqual({ theme: "oak table", seed: expect.any(Number), engine: "renderer" });
});

test("one upload session serves several edits, each with its own copy of the source", async () => {
  const uploadSessionId = await upload(png);
  const ids: string[] = [];
  for (const tool of ["mask", "ai-shadows", "ai-bg"]) {
    const { status, body } = await client.call("POST", `/v1/tools/${tool}/edit`, { json: { uploadSessionId } });
    expect(status).toBe(202);
    ids.push(body.id);
  }
  await client.call("DELETE", `/v1/uploads/${uploadSessionId}`);
  for (const id of ids) expect(readFileSync(join(folderOfJob(id), "source"))).toEqual(png);
});

test("form fields are nested by dots, and numbers and booleans are parsed by the tool's schema", async () => {
  const { status, body } = await client.call("POST", "/v1/tools/mask/edit", {
    form: form(png, {
      seed: "7",
      alphaOnly: "true",
      "output.format": "webp",
      "output.width": "800",
      "output.padding": "0.1",
      "metadata.sku": "K-2",
    }),
  });
  expect(status).toBe(202);
  const { body: job } = await client.call("GET", `/v1/jobs/${body.id}`);
  expect(job.parameters).toEqual({ seed: 7, alphaOnly: true, output: { format: "webp", width: 800, padding: 0.1 } });
  expect(job.metadata).toEqual({ sku: "K-2" });
  expect(readFileSync(join(folderOfJob(body.id), "source"))).toEqual(png);
});

test("a mask comes as a file of the form, from an upload session or by its URL, and is the job's own", async () => {
  const withFile = form(png, { existingAlpha: "ignore", refine: "true" });
  withFile.append("maskImage", new Blob([Uint8Array.from(png)], { type: "image/png" }), "mask.png");
  const uploadSessionId = await upload(png);
  const imageUrl = "https://shop.example/a.jpg";
  const ids: string[] = [];
  for (const options of [
    { form: withFile },
    { form: form(png, { "maskImage.uploadSessionId": uploadSessionId }) },
    { json: { imageUrl, parameters: { maskImage: { uploadSessionId } } } },
  ]) {
    const { status, body } = await client.call("POST", "/v1/tools/mask/edit", options);
    expect(status).toBe(202);
    ids.push(body.id);
  }
  await client.call("DELETE", `/v1/uploads/${uploadSessionId}`);
  for (const id of ids) expect(readFileSync(join(folderOfJob(id), "mask"))).toEqual(png);
  const { body: job } = await client.call("GET", `/v1/jobs/${ids[0]}`);
  expect(job.parameters).toEqual({ existingAlpha: "ignore", refine: true, seed: expect.any(Number) });
  const { body: again, status } = await client.call("POST", `/v1/jobs/${ids[1]}/repeat`);
  expect(status).toBe(202);
  expect(readFileSync(join(folderOfJob(again.id), "mask"))).toEqual(png);

  const { status: byUrl } = await client.call("POST", "/v1/tools/ai-bg/edit", {
    json: { imageUrl, parameters: { maskImage: { imageUrl: "https://shop.example/m.png" } } },
  });
  expect(byUrl).toBe(202);
});

test.each(["maskImage", "paletteImage", "toneImage", "image"])(
  "a file %s that is no image is refused by its name",
  async (field) => {
    const files = form(field === "image" ? undefined : png, { tone: "match" });
    files.append(field, new Blob(["not an image"], { type: "image/png" }), "photo.png");
    const { status, body } = await client.call("POST", "/v1/tools/ai-bg/edit", { form: files });
    expect(status).toBe(415);
    expect(body).toMatchObject({ code: "unsupported_media_type", details: { field } });
    expect(body.message).toContain(`"${field}"`);
  },
);

test.each([
  ["maskImage", {}],
  ["paletteImage", {}],
  ["toneImage", { tone: "match" }],
  ["logo", { corner: "top-left" }],
  ["backgroundImage", {}],
])("a %s whose upload session is unknown or empty is refused by its name", async (name, others) => {
  const { body: empty } = await client.call("POST", "/v1/uploads", {
    json: { contentType: "image/png", filename: "a.png", sizeBytes: 10 },
  });
  const answers = [
    [uuidv7(), 404, "not_found"],
    [empty.uploadSessionId, 409, "upload_incomplete"],
  ] as const;
  for (const [uploadSessionId, expected, code] of answers) {
    const picture = name === "logo" ? { uploadSessionId, ...others } : { uploadSessionId };
    const parameters = { [name]: picture, ...(name === "logo" ? {} : others) };
    const tool = name === "backgroundImage" ? "ai-shadows" : "ai-bg";
    const json = { imageUrl: "https://shop.example/a.jpg", parameters };
    const { status, body } = await client.call("POST", `/v1/tools/${tool}/edit`, { json });
    expect(status, JSON.stringify(body)).toBe(expected);
    expect(body).toMatchObject({ code, details: { field: `parameters.${name}` } });
  }
});

test.each([
  ["no picture", {}, "needs one of imageUrl and uploadSessionId"],
  ["two pictures", { imageUrl: "https://shop.example/m.png", uploadSessionId: "u" }, "needs one of"],
  ["no URL", { imageUrl: "ftp://shop.example/m.png" }, "must begin with"],
])("a mask that names %s is refused", async (_, maskImage, message) => {
  const { status, body } = await client.call("POST", "/v1/tools/mask/edit", {
    json: { imageUrl: "https://shop.example/a.jpg", parameters: { maskImage } },
  });
  expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
});

test("a background's picture and a logo come from upload sessions, are the job's own, and come with a repeat", async () => {
  const uploadSessionId = await upload(png);
  const parameters = {
    background: { kind: "image", uploadSessionId },
    logo: { uploadSessionId, corner: "top-left" },
  };
  const { status, body } = await client.call("POST", "/v1/tools/mask/edit", {
    json: { imageUrl: "https://shop.example/a.jpg", parameters },
  });
  expect(status).toBe(202);
  await client.call("DELETE", `/v1/uploads/${uploadSessionId}`);
  const { body: again } = await client.call("POST", `/v1/jobs/${body.id}/repeat`);
  for (const id of [body.id, again.id]) {
    for (const name of ["background", "logo"]) expect(readFileSync(join(folderOfJob(id), name))).toEqual(png);
  }
});

test.each([
  [{ background: { kind: "image" } }, '"parameters.background" needs one of imageUrl and uploadSessionId'],
  [{ logo: { size: 0.2 } }, '"parameters.logo" needs one of imageUrl and uploadSessionId'],
  [{ logo: { imageUrl: "ftp://shop.example/l.png" } }, "must begin with"],
])("pictures that %j names are refused", async (parameters, message) => {
  const { status, body } = await client.call("POST", "/v1/tools/mask/edit", {
    json: { imageUrl: "https://shop.example/a.jpg", parameters },
  });
  expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
});

test("a background of another kind than image asks for no picture", async () => {
  const { status } = await client.call("POST", "/v1/tools/ai-shadows/edit", {
    form: form(png, { "background.kind": "gradient", "background.angle": "90", "outline.width": "0.02" }),
  });
  expect(status).toBe(202);
});

test("a picture to take colors from comes as a file, from an upload session or by its URL, and goes with the job", async () => {
  const withFile = form(png, { theme: "oak" });
  withFile.append("paletteImage", new Blob([Uint8Array.from(png)], { type: "image/png" }), "mood.png");
  const uploadSessionId = await upload(png);
  const imageUrl = "https://shop.example/a.jpg";
  const ids: string[] = [];
  for (const options of [
    { form: withFile },
    { json: { imageUrl, parameters: { paletteImage: { uploadSessionId } } } },
  ]) {
    const { status, body } = await client.call("POST", "/v1/tools/ai-bg/edit", options);
    expect(status).toBe(202);
    ids.push(body.id);
  }
  await client.call("DELETE", `/v1/uploads/${uploadSessionId}`);
  const { body: again, status } = await client.call("POST", `/v1/jobs/${ids[1]}/repeat`);
  expect(status).toBe(202);
  for (const id of [...ids, again.id]) expect(readFileSync(join(folderOfJob(id), "palette"))).toEqual(png);
  for (const id of ids) {
    expect((await client.call("DELETE", `/v1/jobs/${id}`)).status).toBe(204);
    await expect.poll(() => existsSync(folderOfJob(id))).toBe(false);
  }
  const byUrl = { imageUrl, parameters: { paletteImage: { imageUrl: "https://shop.example/mood.jpg" } } };
  expect((await client.call("POST", "/v1/tools/ai-bg/edit", { json: byUrl })).status).toBe(202);
});

test("a picture to take colors from is refused twice, from nowhere, and by tools that paint no scene", async () => {
  const imageUrl = "https://shop.example/a.jpg";
  const url = "https://shop.example/mood.jpg";
  for (const [paletteImage, message] of [
    [{}, "needs one of imageUrl and uploadSessionId"],
    [{ imageUrl: url, uploadSessionId: "u" }, "needs one of"],
    [{ imageUrl: "data:image/png;base64,AA" }, "data: URL"],
    [{ imageUrl: "file:///etc/passwd" }, "must begin with"],
    [{ uploadSessionId: "0193" }, "not found"],
    ["#ffffff", "must be of type object"],
  ] as const) {
    const { body } = await client.call("POST", "/v1/tools/ai-bg/edit", {
      json: { imageUrl, parameters: { paletteImage } },
    });
    expect(body.message).toMatch(new RegExp(message, "i"));
  }
  for (const [tool, fields, message] of [
    ["ai-bg", { "paletteImage.imageUrl": url }, "Give one paletteImage"],
    ["mask", {}, 'The tool mask takes no file "paletteImage".'],
    ["ai-shadows", {}, 'The tool ai-shadows takes no file "paletteImage".'],
  ] as const) {
    const withFile = form(png, fields);
    withFile.append("paletteImage", new Blob([Uint8Array.from(png)], { type: "image/png" }), "mood.png");
    const { status, body } = await client.call("POST", `/v1/tools/${tool}/edit`, { form: withFile });
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
  }
});

test("a picture whose light to match comes as a file, from an upload session or by its URL, for tone: match alone", async () => {
  const mug = "https://shop.example/a.jpg";
  const reference = { imageUrl: "https://shop.example/first-of-the-set.jpg" };
  const withFile = form(png, { tone: "match" });
  withFile.append("toneImage", new Blob([Uint8Array.from(png)], { type: "image/png" }), "first.png");
  const uploadSessionId = await upload(png);
  const ids: string[] = [];
  for (const options of [
    { form: withFile },
    { json: { imageUrl: mug, parameters: { tone: "match", toneImage: { uploadSessionId } } } },
  ]) {
    const { status, body } = await client.call("POST", "/v1/tools/mask/edit", options);
    expect(status).toBe(202);
    ids.push(body.id);
  }
  const { body: again } = await client.call("POST", `/v1/jobs/${ids[0]}/repeat`);
  for (const id of [...ids, again.id]) expect(readFileSync(join(folderOfJob(id), "tone"))).toEqual(png);
  for (const tool of ["mask", "ai-shadows", "ai-bg"]) {
    const json = { imageUrl: mug, parameters: { tone: "match", toneImage: reference } };
    expect((await client.call("POST", `/v1/tools/${tool}/edit`, { json })).status).toBe(202);
  }
  const unused = { imageUrl: mug, parameters: { tone: "neutral", toneImage: reference } };
  expect((await client.call("POST", "/v1/tools/mask/edit", { json: unused })).status).toBe(202);
  const missing = { imageUrl: mug, parameters: { tone: "match" } };
  const { status, body } = await client.call("POST", "/v1/tools/mask/edit", { json: missing });
  expect([status, body.message]).toEqual([400, expect.stringContaining('give the picture to match as "toneImage"')]);
  const withoutTone = form(png);
  withoutTone.append("toneImage", new Blob([Uint8Array.from(png)], { type: "image/png" }), "first.png");
  const refused = await client.call("POST", "/v1/tools/mask/edit", { form: withoutTone });
  expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('The file "toneImage" is for')]);
});

test("without a source every kind of request is refused with the same message", async () => {
  for (const options of [
    { json: {} },
    { json: { parameters: { seed: 1 } } },
    { form: form(undefined, { seed: "1" }) },
    {},
    { raw: "", headers: { "Content-Type": "application/json" } },
    { raw: new Blob([]).stream(), headers: { "Content-Type": "application/json" } },
    // A client's library may name a type although it sends nothing.
    { raw: "", headers: { "Content-Type": "text/plain" } },
  ]) {
    const { status, body } = await client.call("POST", "/v1/tools/ai-shadows/edit", options);
    expect([status, body.code, body.message]).toEqual([
      400,
      "invalid_request",
      expect.stringContaining("imageUrl or uploadSessionId is required"),
    ]);
  }
});

test("two sources are refused", async () => {
  const imageUrl = "https://shop.example/a.jpg";
  for (const options of [{ json: { imageUrl, uploadSessionId: "x" } }, { form: form(png, { imageUrl }) }]) {
    const { status, body } = await client.call("POST", "/v1/tools/mask/edit", options);
    expect([status, body.code]).toEqual([400, "invalid_request"]);
  }
});

test.each([
  ["mask", { theme: "oak" }, "parameters.theme"],
  ["ai-bg", { mode: "standard" }, "parameters.mode"],
  ["mask", { mode: "fast" }, "parameters.mode"],
  ["mask", { seed: -1 }, "parameters.seed"],
  ["mask", { seed: 2 ** 32 }, "parameters.seed"],
  ["mask", { seed: "7" }, "parameters.seed"],
  ["mask", { output: { format: "bmp" } }, "parameters.output.format"],
  ["mask", { output: { color: "red" } }, "parameters.output.color"],
  ["ai-shadows", { shadow: { opacity: 2 } }, "parameters.shadow.opacity"],
])("%s refuses the parameters %j naming %s", async (tool, parameters, field) => {
  const { status, body } = await client.call("POST", `/v1/tools/${tool}/edit`, {
    json: { imageUrl: "https://shop.example/a.jpg", parameters },
  });
  expect([status, body.code, body.details]).toEqual([400, "invalid_request", { field }]);
});

test.each([
  ["color", "red", "parameters.color"],
  ["seed", "seven", "parameters.seed"],
  ["output.width", "", "parameters.output.width"],
  ["__proto__.x", "1", "parameters.__proto__"],
])("the form field %s=%s is refused naming %s", async (name, value, field) => {
  const { status, body } = await client.call("POST", "/v1/tools/mask/edit", { form: form(png, { [name]: value }) });
  expect([status, body.code, body.details]).toEqual([400, "invalid_request", { field }]);
});

test("an unknown tool is not found", async () => {
  const { status, body } = await client.call("POST", "/v1/tools/upscale/edit", {
    json: { imageUrl: "https://a.example/b" },
  });
  expect([status, body.code]).toEqual([404, "not_found"]);
});

const bad: readonly (readonly [string, () => Promise<Uint8Array> | Uint8Array, number, string])[] = [
  ["text", () => Buffer.from("not an image"), 415, "unsupported_media_type"],
  ["nothing", () => Buffer.alloc(0), 415, "unsupported_media_type"],
  ["an SVG", () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 415, "unsupported_media_type"],
  ["a truncated header", async () => (await sharp(png).jpeg().toBuffer()).subarray(0, 40), 422, "image_unreadable"],
  ["a 200 MP bomb", () => pngClaiming(20_000, 10_000), 413, "image_too_large"],
  ["a file over the plan's size", () => Buffer.concat([png, Buffer.alloc(300_000)]), 413, "file_too_large"],
];

test.each(bad)(
  "a multipart file of %s is refused at once and leaves nothing behind",
  async (_what, bytes, status, code) => {
    const before = jobFolders();
    const reply = await client.call("POST", "/v1/tools/mask/edit", { form: form(await bytes()) });
    expect([reply.status, reply.body.code]).toEqual([status, code]);
    expect(jobFolders()).toEqual(before);
  },
);

test("a URL is not fetched before the edit is accepted", async () => {
  const { status } = await client.call("POST", "/v1/tools/mask/edit", { json: { imageUrl: "http://10.0.0.1/a.jpg" } });
  expect(status).toBe(202);
});

test("an upload session without bytes and an unknown one are refused and leave no job", async () => {
  const { body: open } = await client.call("POST", "/v1/uploads", {
    json: { contentType: "image/png", filename: "a.png", sizeBytes: 10 },
  });
  const before = jobFolders();
  const incomplete = await client.call("POST", "/v1/tools/mask/edit", {
    json: { uploadSessionId: open.uploadSessionId },
  });
  expect([incomplete.status, incomplete.body.code]).toEqual([409, "upload_incomplete"]);
  const unknown = await client.call("POST", "/v1/tools/mask/edit", { json: { uploadSessionId: "nothing" } });
  expect([unknown.status, unknown.body.code]).toEqual([404, "not_found"]);
  expect(jobFolders()).toEqual(before);
});

test("metadata is limited to sixteen keys and two kilobytes", async () => {
  const imageUrl = "https://shop.example/a.jpg";
  const many = Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`k${i}`, "v"]));
  for (const metadata of [many, { k: "x".repeat(2_049) }, { k: "é".repeat(1_030) }, { k: 1 }]) {
    const { status, body } = await client.call("POST", "/v1/tools/mask/edit", { json: { imageUrl, metadata } });
    expect([status, body.code]).toEqual([400, "invalid_request"]);
  }
});
