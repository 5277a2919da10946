import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { createServer, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PackshotError } from "@packshot/domain/errors.ts";
import type { InspectImage } from "@packshot/platform/images/image-header.ts";
import { createImageInspector, type ImageInspector } from "@packshot/platform/images/image-inspector.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { pngClaiming } from "../../../testing/images/odd-images.ts";

const limits = {
  fileBytesMax: 1_000_000,
  maxPixels: 1_000_000,
  inspectImage: ((...question) => inspector.inspectImage("acme", ...question)) as InspectImage,
  acquireSlot: () => () => {},
};
/** More than what the server reads of a refused body and what the sockets buffer. */
const readBytesMax = 64 * 1024 * 1024;

let temporaryFolder: string;
let editForm: typeof import("./edit-form.ts");
let drainBody: typeof import("./request-body.ts").drainBody;
let inspector: ImageInspector;
let server: Server;
let png: Buffer;

interface Reply {
  readonly fields?: Record<string, string>;
  readonly bytes?: number;
  readonly sha256?: string;
  readonly contentType?: string;
  readonly isStored?: boolean;
  readonly code?: string;
  readonly message?: string;
  readonly field?: string;
}

/** Tells when the server has finished with a request, however it ended. */
const finished = new Map<string, PromiseWithResolvers<Reply>>();

async function handle(request: IncomingMessage): Promise<Reply> {
  try {
    return await editForm.withEditForm(request, limits, async ({ fields, file }) => {
      if (file === undefined) return { fields };
      const { path, ...rest } = file;
      const isStored =
        createHash("sha256")
          .update(await readFile(path))
          .digest("hex") === file.sha256;
      return { fields, ...rest, isStored };
    });
  } catch (error) {
    const { code, message, details } = error as PackshotError;
    return { code, message, ...(details as { field?: string }) };
  }
}

beforeAll(async () => {
  temporaryFolder = await mkdtemp(join(tmpdir(), "packshot-form-spec-"));
  // A temporary folder of this spec's own shows which files stay.
  vi.stubEnv("TMPDIR", temporaryFolder);
  editForm = await import("./edit-form.ts");
  ({ drainBody } = await import("./request-body.ts"));
  inspector = createImageInspector({
    folder: editForm.formsFolder,
    logger: createLogger({ name: "test", level: "fatal" }),
  });
  await inspector.start();
  server = createServer(async (request, response) => {
    const reply = await handle(request);
    response.end(JSON.stringify(reply));
    drainBody(request);
    finished.get(request.url!)?.resolve(reply);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  png = await sharp({ create: { width: 64, height: 48, channels: 3, background: "#c33" } })
    .png()
    .toBuffer();
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await inspector.stop();
  await rm(temporaryFolder, { recursive: true });
  vi.unstubAllEnvs();
});

const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const type = "multipart/form-data; boundary=b";

function part(headers: string, body: string | Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`--b\r\nContent-Disposition: form-data; ${headers}\r\n\r\n`),
    Buffer.from(body),
    Buffer.from("\r\n"),
  ]);
}

const field = (name: string, value: string) => part(`name="${name}"`, value);
const image = (bytes: string | Buffer, headers = 'name="image"; filename="a.png"') => part(headers, bytes);

async function post(parts: readonly Buffer[]): Promise<Reply> {
  const body = Buffer.concat([...parts, Buffer.from("--b--\r\n")]);
  const response = await fetch(url(), { method: "POST", headers: { "Content-Type": type }, body });
  return (await response.json()) as Reply;
}

async function filesLeft(): Promise<string[]> {
  return await readdir(editForm.formsFolder).catch(() => []);
}

it("hashes the image while it writes it, and removes it afterward", async () => {
  const large = Buffer.concat([png, randomBytes(limits.fileBytesMax - png.length)]);
  for (const bytes of [png, large]) {
    expect(await post([field("seed", "7"), image(bytes), field("output.width", "800")])).toEqual({
      fields: { seed: "7", "output.width": "800" },
      bytes: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      contentType: "image/png",
      filename: "a.png",
      isStored: true,
    });
  }
  expect(await filesLeft()).toEqual([]);
});

it("reads names as UTF-8, and __proto__ like any other name", async () => {
  const reply = await post([field("metadata.größe", "XL"), field("__proto__", "1"), field("constructor.name", "2")]);
  expect(Object.entries(reply.fields!)).toEqual([
    ["metadata.größe", "XL"],
    ["__proto__", "1"],
    ["constructor.name", "2"],
  ]);
});

it.each<[string, () => readonly Buffer[], string, string | undefined]>([
  [
    "a file without a filename",
    () => [part('name="image"\r\nContent-Type: application/octet-stream', png)],
    "no filename",
    "image",
  ],
  ["a file with an empty filename", () => [image(png, 'name="image"; filename=""')], "no filename", "image"],
  ["a small file without a filename and a type", () => [field("image", "x")], "no filename", "image"],
  [
    "another file without a filename",
    () => [part('name="a"\r\nContent-Type: application/octet-stream', "x")],
    "no filename",
    "a",
  ],
  ["a file of another name", () => [image(png, 'name="photo"; filename="a"')], '"photo" is not expected', "photo"],
  ["two photos", () => [image(png), image(png)], 'the file "image" twice', "image"],
  ["a file without a field name", () => [image(png, 'filename="a.png"')], "has no name", undefined],
  [
    "a field without a name",
    () => [Buffer.from("--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n")],
    "has no name",
    undefined,
  ],
  ["65 fields", () => Array.from({ length: 65 }, (_, i) => field(`a${i}`, "x")), "more than 64 fields", undefined],
  ["a field over 4 KiB", () => [field("theme", "x".repeat(4097))], '"theme" is too long', "theme"],
  ["a name over 200 bytes", () => [field("x".repeat(201), "x")], "longer than 200 bytes", undefined],
  ["a name with brackets", () => [field("output[width]", "1")], "names nest by dots", "output[width]"],
  ["a list", () => [field("seed[]", "1")], "names nest by dots", "seed[]"],
  ["a field that is given twice", () => [field("seed", "1"), field("seed", "2")], '"seed" is given twice', "seed"],
  ["bytes that are not UTF-8", () => [part('name="theme"', Buffer.from([0xff]))], "not valid UTF-8", "theme"],
  ["a broken part header", () => [Buffer.from("--b\r\n:\r\n\r\n")], "cannot be read", undefined],
])("refuses %s and leaves nothing behind", async (_what, parts, words, name) => {
  for (const more of [[], [image(png)]]) {
    const reply = await post([...parts(), ...more]);
    expect([reply.code, reply.field]).toEqual(["invalid_request", name]);
    expect(reply.message).toContain(words);
  }
  expect(await filesLeft()).toEqual([]);
});

it("accepts as many fields, and as long ones, as its limits allow", async () => {
  const fields = Array.from({ length: 64 }, (_, i) => field(`a${i}`, "x".repeat(4096)));
  expect(Object.keys((await post([...fields, image(png)])).fields!)).toHaveLength(64);
});

it("refuses a declared length over the limit before it reads a byte", async () => {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: 2000000\r\n\r\n`);
  const reply = await new Promise<string>((resolve) => socket.once("data", (data) => resolve(data.toString())));
  expect(reply).toContain("file_too_large");
  socket.destroy();
});

/** Sends the parts and then noise without an end, until the response is there. */
async function postEndless(start: readonly Buffer[]): Promise<{ reply: Reply; sentBytes: number }> {
  const noise = Buffer.alloc(64 * 1024, "a");
  const request = httpRequest(url(), { method: "POST", headers: { "Content-Type": type } });
  const answered = Promise.withResolvers<string>();
  let isAnswered = false;
  request.on("response", (response) => {
    isAnswered = true;
    response.setEncoding("utf8").once("data", answered.resolve);
  });
  request.on("error", () => {});
  request.write(Buffer.concat(start));
  let sentBytes = 0;
  while (!isAnswered && sentBytes < readBytesMax) {
    sentBytes += noise.length;
    await new Promise<void>((resolve) => void request.write(noise, () => resolve()));
    await new Promise((resolve) => setImmediate(resolve));
  }
  const reply = JSON.parse(await answered.promise) as Reply;
  request.destroy();
  return { reply, sentBytes };
}

const openImage = (bytes: string | Buffer) => image(bytes).subarray(0, -2);

it.each<[string, () => readonly Buffer[], string]>([
  ["text", () => [openImage("not an image")], "unsupported_media_type"],
  ["an image that claims 200 MP", () => [openImage(pngClaiming(20_000, 10_000))], "image_too_large"],
  ["a file over the limit", () => [openImage(png)], "file_too_large"],
  ["a file of another name", () => [image(png, 'name="a"; filename="a"').subarray(0, -2)], "invalid_request"],
  [
    "a file without a filename",
    () => [part('name="image"\r\nContent-Type: application/octet-stream', "")],
    "invalid_request",
  ],
  ["a second file", () => [image(png), openImage(png)], "invalid_request"],
  ["too many fields", () => Array.from({ length: 66 }, (_, i) => field(`a${i}`, "x")), "invalid_request"],
  ["no part at all", () => [Buffer.from("preamble")], "file_too_large"],
  ["bytes after the end of the form", () => [field("seed", "1"), Buffer.from("--b--\r\n")], "file_too_large"],
])("answers at once when an endless body begins with %s", async (_what, start, code) => {
  const { reply, sentBytes } = await postEndless(start());
  expect(reply.code).toBe(code);
  expect(sentBytes).toBeLessThan(readBytesMax);
  await expect.poll(filesLeft).toEqual([]);
});

it("leaves nothing behind when the client disconnects", async () => {
  const path = `/${randomUUID()}`;
  const over = Promise.withResolvers<Reply>();
  finished.set(path, over);
  const request = httpRequest(url() + path, { method: "POST", headers: { "Content-Type": type } });
  request.on("error", () => {});
  request.write(openImage(Buffer.concat([png, Buffer.alloc(100_000)])));
  await expect.poll(filesLeft).toHaveLength(1);
  request.destroy();
  expect((await over.promise).code).toBe("request_timeout");
  expect(await filesLeft()).toEqual([]);
});

it("removes what a killed process left of its forms, and nothing that may be in use", async () => {
  const { formsFolder, sweepStaleForms } = editForm;
  await mkdir(formsFolder, { recursive: true });
  const left = randomUUID();
  const used = randomUUID();
  for (const name of [left, used]) await writeFile(join(formsFolder, name), "bytes");
  const twoHoursAgo = new Date(Date.now() - 7_200_000);
  await utimes(join(formsFolder, left), twoHoursAgo, twoHoursAgo);
  await sweepStaleForms();
  const names = await readdir(formsFolder);
  expect([names.includes(left), names.includes(used)]).toEqual([false, true]);
  await rm(join(formsFolder, used));
});

it.each([
  "multipart/form-data; boundary=a/b",
  "multipart/form-data; boundary=a/b; charset=UTF-8",
  "Multipart/Form-Data;charset=UTF-8;Boundary= a/b ",
  'multipart/form-data; boundary="a/b";',
  "multipart/form-data; charset; boundary=a/b",
])("reads a form of the type %s", async (contentType) => {
  const parts = Buffer.concat([field("seed", "7"), image(png)]).toString("latin1");
  const body = Buffer.from(`${parts.replaceAll("--b\r\n", "--a/b\r\n")}--a/b--\r\n`, "latin1");
  const response = await fetch(url(), { method: "POST", headers: { "Content-Type": contentType }, body });
  expect(await response.json()).toMatchObject({ fields: { seed: "7" }, contentType: "image/png", isStored: true });
});

it.each([
  ["multipart/form-data", {}, "has no boundary", "invalid_request"],
  ["multipart/form-data; boundary=", {}, "has no boundary", "invalid_request"],
  [type, { "Content-Encoding": "gzip" }, "without compression", "unsupported_media_type"],
])("says what is wrong with the headers %s, %j", async (contentType, more, words, code) => {
  const headers = { "Content-Type": contentType, ...more };
  const response = await fetch(url(), { method: "POST", headers, body: Buffer.concat([image(png)]) });
  const reply = (await response.json()) as Reply;
  expect([reply.code, reply.message]).toEqual([code, expect.stringContaining(words)]);
});

const encoded = (encoding: string, disposition = 'name="image"; filename="a.png"') =>
  `${disposition}\r\nContent-Transfer-Encoding: ${encoding}`;

it("decodes what a client sends as base64, and takes other encodings of a part as they are", async () => {
  const lines = png.toString("base64").replaceAll(/.{76}/g, "$&\r\n");
  const theme = Buffer.from("größe").toString("base64");
  for (const [file, encoding] of [
    [lines, "BASE64"],
    [png, "binary"],
    [png, "8bit"],
  ] as const) {
    const reply = await post([part(encoded("base64", 'name="theme"'), theme), part(encoded(encoding), file)]);
    expect(reply).toMatchObject({ fields: { theme: "größe" }, bytes: png.length, contentType: "image/png" });
  }
  expect(await filesLeft()).toEqual([]);
});

it.each<[string, () => Buffer, string, string]>([
  ["a file that is no base64", () => part(encoded("base64"), png), '"image" is not base64', "invalid_request"],
  [
    "a text that is no base64",
    () => part(encoded("base64", 'name="seed"'), "7!"),
    '"seed" is not base64',
    "invalid_request",
  ],
  [
    "a file in quoted-printable",
    () => part(encoded("quoted-printable"), png),
    "Content-Transfer-Encoding",
    "invalid_request",
  ],
  [
    "a text in quoted-printable",
    () => part(encoded("quoted-printable", 'name="theme"'), "a=20b"),
    "Content-Transfer-Encoding",
    "invalid_request",
  ],
  [
    "base64 of more than the limit",
    () => part(encoded("base64"), Buffer.concat([png, randomBytes(limits.fileBytesMax)]).toString("base64")),
    "allows files of",
    "file_too_large",
  ],
])("refuses %s and leaves nothing behind", async (_what, given, words, code) => {
  const reply = await post([given(), field("output.width", "5")]);
  expect([reply.code, reply.message]).toEqual([code, expect.stringContaining(words)]);
  expect(await filesLeft()).toEqual([]);
});
