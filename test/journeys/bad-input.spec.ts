/** Invalid input gets a documented answer whose message says what to do, and nothing is left behind. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as images from "../../testing/images/odd-images.ts";
import { formWith, type LiveStack, startLiveStack } from "../../testing/stack/live-stack.ts";

let stack: LiveStack;
let site: Server;
let siteUrl: string;
let photo: Buffer;

beforeAll(async () => {
  photo = await images.jpeg();
  site = createServer((request, response) => {
    if (request.url === "/photo.jpg") response.setHeader("Content-Type", "text/plain").end(photo);
    else if (request.url === "/inside") response.writeHead(302, { location: "http://10.0.0.1/secret" }).end();
    else if (request.url === "/metadata") response.writeHead(302, { location: "http://169.254.169.254/latest/" }).end();
    else if (request.url === "/endless") response.writeHead(200).write(photo.subarray(0, 100));
    else if (request.url === "/large") response.writeHead(200, { "Content-Length": 200 * 1024 * 1024 }).write("x");
    else if (request.url === "/page") response.setHeader("Content-Type", "image/jpeg").end("<html>no photo</html>");
    else response.writeHead(404).end();
  });
  site.listen(0, "127.0.0.1");
  await new Promise((resolve) => site.once("listening", resolve));
  const { port } = site.address() as AddressInfo;
  siteUrl = `http://127.0.0.1:${port}`;
  stack = await startLiveStack({ PACKSHOT_SOURCE_TIMEOUT_MS: "10000" }, [`127.0.0.1:${port}`]);
}, 180_000);

afterAll(async () => {
  await stack?.stop();
  site?.closeAllConnections();
  site?.close();
});

async function credits(): Promise<number> {
  return ((await (await stack.call("GET", "/v1/account")).json()) as { credits: { remaining: number } }).credits
    .remaining;
}

/** A job leaves at most its own source in storage, until it expires. */
async function resultsOf(jobId: string): Promise<string[]> {
  return (await stack.storedFiles()).filter((file) => file.includes(jobId) && !file.endsWith("/source"));
}

describe("an image that cannot be edited is refused at once, and nothing of it is kept", () => {
  it.each([
    ["no image at all", images.notAnImage, 415, "unsupported_media_type"],
    ["a 0-byte file", () => Buffer.alloc(0), 415, "unsupported_media_type"],
    ["an SVG", images.svg, 415, "unsupported_media_type"],
    ["a 200-megapixel PNG bomb", images.pngBomb, 413, "image_too_large"],
  ])("%s", async (_name, make, status, code) => {
    const before = await credits();
    const { status: answered, body } = await stack.edit("mask", formWith(await make()));
    expect({ answered, code: body.code }).toEqual({ answered: status, code });
    expect(body.message.length).toBeGreaterThan(20);
    expect(await credits()).toBe(before);
    // The refusal comes first, and probes of the storage write a file for a moment.
    await expect.poll(stack.storedFiles).toEqual([]);
  });
});

describe("a job fails with a code, costs nothing and leaves no result", () => {
  it.each([
    ["a truncated JPEG", images.truncatedJpeg, "image_unreadable"],
    ["a 1×1 image", images.onePixel, "no_product_found"],
  ])("%s", async (_name, make, code) => {
    const { status, body } = await stack.edit("mask", formWith(await make()));
    expect({ status, job: body.status, code: body.error?.code }).toEqual({ status: 200, job: "failed", code });
    expect(body.resultUrl ?? null).toBeNull();
    expect(await resultsOf(body.id)).toEqual([]);
  });

  it.each([
    ["answers 404", "/nothing", "source_unreachable", false],
    ["redirects to a private address", "/inside", "source_forbidden", false],
    ["redirects to a metadata address", "/metadata", "source_forbidden", false],
    ["never ends", "/endless", "source_unreachable", true],
    ["is too large", "/large", "file_too_large", false],
    ["is an HTML page declared as an image", "/page", "unsupported_media_type", false],
  ] as const)("an imageUrl that %s", async (_name, path, code, retryable) => {
    const { body } = await stack.edit("mask", { imageUrl: siteUrl + path });
    expect([body.status, body.error?.code, body.error?.retryable]).toEqual(["failed", code, retryable]);
    expect(body.error.message).not.toMatch(/undici|ECONN|at .*\.ts/);
  });

  it("refunds failed jobs", async () => {
    const failed = await stack.edit("mask", { imageUrl: `${siteUrl}/nothing` });
    expect(failed.body.status).toBe("failed");
    const usage = async () =>
      (await (await stack.call("GET", "/v1/account/usage")).json()) as { data: { creditsRefunded: number }[] };
    await expect.poll(async () => (await usage()).data.at(-1)?.creditsRefunded).toBeGreaterThan(0);
    await expect.poll(credits).toBe(1_000_000 - (await completedJobs()));
  });
});

async function completedJobs(): Promise<number> {
  const list = (await (await stack.call("GET", "/v1/jobs?limit=100&status=completed")).json()) as { data: unknown[] };
  return list.data.length;
}

describe("an unusual image is edited as it looks", () => {
  it.each([
    ["a CMYK JPEG", images.cmykJpeg, 320, 240],
    ["an EXIF-rotated photo", images.rotatedJpeg, 240, 320],
    ["a 16-bit PNG", images.png16, 320, 240],
    ["an animated GIF", images.animatedGif, 320, 240],
    ["an animated WebP", images.animatedWebp, 320, 240],
    ["an image with alpha", images.withAlpha, 320, 240],
  ])("%s", async (_name, make, width, height) => {
    const { body } = await stack.edit("mask", formWith(await make()));
    expect({ status: body.status, error: body.error }).toEqual({ status: "completed", error: null });
    const bytes = Buffer.from(await (await stack.call("GET", body.resultUrl)).arrayBuffer());
    const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width, height, channels: 4 });
    const [x, y] = width === 320 ? [120, 125] : [240 - 125, 120];
    const [red, green, , alpha] = data.subarray((y * width + x) * 4);
    expect(alpha).toBeGreaterThan(200);
    expect(red! - green!).toBeGreaterThan(60);
  });
});

describe("an invalid request is refused with the field's name", () => {
  it.each([
    ["no source", {}, "imageUrl or uploadSessionId is required"],
    [
      "two sources",
      { imageUrl: "https://shop.example/a.jpg", uploadSessionId: "0192e000-0000-7000-8000-000000000000" },
      "uploadSessionId",
    ],
    ["an unknown parameter", { imageUrl: "https://shop.example/a.jpg", parameters: { sharpness: 3 } }, "sharpness"],
    ["another tool's parameter", { imageUrl: "https://shop.example/a.jpg", parameters: { theme: "oak" } }, "theme"],
    ["a seed out of range", { imageUrl: "https://shop.example/a.jpg", parameters: { seed: -1 } }, "seed"],
    ["an imageUrl that is not a URL", { imageUrl: "not a url" }, "imageUrl"],
  ])("%s", async (_name, body, word) => {
    const answer = await stack.edit("mask", body);
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 400, code: "invalid_request" });
    expect(answer.body.message).toContain(word);
    expect(answer.body.requestId).toBeTruthy();
  });

  it("an unknown tool", async () => {
    const answer = await stack.edit("upscale", { imageUrl: "https://shop.example/a.jpg" });
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 404, code: "not_found" });
  });

  it("two sources in a form", async () => {
    const answer = await stack.edit("mask", formWith(photo, { imageUrl: "https://shop.example/a.jpg" }));
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 400, code: "invalid_request" });
  });
});

describe("an upload takes what was declared, and nothing else", () => {
  async function session(sizeBytes: number, contentType = "image/jpeg") {
    const init = {
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ contentType, filename: "a.jpg", sizeBytes }),
    };
    const response = await stack.call("POST", "/v1/uploads", init);
    expect(response.status).toBe(201);
    return (await response.json()) as { uploadUrl: string; uploadSessionId: string };
  }
  const put = (url: string, bytes: Buffer, contentType = "image/jpeg") =>
    stack.call("PUT", url, { body: new Uint8Array(bytes), headers: { "Content-Type": contentType } });

  it.each([
    ["fewer bytes", (bytes: Buffer) => bytes.subarray(1), "image/jpeg"],
    ["more bytes", (bytes: Buffer) => Buffer.concat([bytes, bytes]), "image/jpeg"],
    ["another type", (bytes: Buffer) => bytes, "image/png"],
  ])("refuses %s", async (_name, change, type) => {
    const { uploadUrl, uploadSessionId } = await session(photo.length);
    const answer = await put(uploadUrl, change(photo), type);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(await answer.json()).toMatchObject({ code: expect.any(String), message: expect.any(String) });
    expect((await stack.storedFiles()).filter((file) => file.includes(uploadSessionId))).toEqual([]);
    const edit = await stack.edit("mask", { uploadSessionId });
    expect({ status: edit.status, code: edit.body.code }).toEqual({ status: 409, code: "upload_incomplete" });
  });

  it("checks the content in the job, not the name", async () => {
    const bytes = images.notAnImage();
    const { uploadUrl, uploadSessionId } = await session(bytes.length);
    expect((await put(uploadUrl, bytes)).ok).toBe(true);
    const { body } = await stack.edit("mask", { uploadSessionId });
    expect({ job: body.status, code: body.error?.code }).toEqual({ job: "failed", code: "unsupported_media_type" });
  });

  it.each(["application/octet-stream", "image/png"])("edits a JPEG that was declared as %s", async (contentType) => {
    const { uploadUrl, uploadSessionId } = await session(photo.length, contentType);
    expect((await put(uploadUrl, photo, contentType)).ok).toBe(true);
    expect((await stack.edit("mask", { uploadSessionId })).body).toMatchObject({ status: "completed", error: null });
  });

  it("refuses a file larger than the plan allows before a byte is sent", async () => {
    const init = {
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ contentType: "image/jpeg", filename: "a.jpg", sizeBytes: 101 * 1024 * 1024 }),
    };
    const response = await stack.call("POST", "/v1/uploads", init);
    expect({ status: response.status, code: ((await response.json()) as { code: string }).code }).toEqual({
      status: 413,
      code: "file_too_large",
    });
  });
});
