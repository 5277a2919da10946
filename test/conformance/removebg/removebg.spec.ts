/** Clients of remove.bg that others wrote, and requests as its documentation shows them, against the whole stack. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadContract } from "../../../services/api/http/contract.ts";
import { productPixels } from "../../../testing/images/odd-images.ts";
import { jointStack } from "../../../testing/joint/joint-stack.ts";
import { installPythonClient, type NpmClient, npmClientOf } from "./clients.ts";

const clientTimeoutMs = 120_000;
const contract = loadContract(
  new URL("../../../services/api/features/removebg/removebg-openapi.yaml", import.meta.url),
);
const isResult = contract.compile({ $ref: "#/components/schemas/Result" });

const stack = jointStack();
let server: Server;
let folder: string;
let photo: Buffer;
let photoPath: string;
let photoUrl: string;

beforeAll(async () => {
  // 1,280 × 960: more than a quarter of a megapixel.
  const raw = { raw: { width: 320, height: 240, channels: 3 as const } };
  photo = await sharp(productPixels(), raw).resize(1280, 960).jpeg({ quality: 92 }).toBuffer();
  folder = await mkdtemp(join(tmpdir(), "packshot-removebg-"));
  photoPath = join(folder, "photo.jpg");
  await writeFile(photoPath, photo);
  server = createServer((_request, response) => response.writeHead(200, { "Content-Type": "image/jpeg" }).end(photo));
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  photoUrl = `http://127.0.0.1:${port}/photo.jpg`;
});

afterAll(async () => {
  server?.close();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

async function decode(bytes: Buffer) {
  const { format, hasAlpha } = await sharp(bytes).metadata();
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const pixel = (x: number, y: number) => {
    const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
    return [...data.subarray(at, at + info.channels)];
  };
  return { format, hasAlpha, width: info.width, height: info.height, pixel };
}

/** The product is there, and where it is not the image is transparent. */
async function expectCutOut(bytes: Buffer, width: number, height: number): Promise<void> {
  const { pixel, ...image } = await decode(bytes);
  expect(image).toEqual({ format: "png", hasAlpha: true, width, height });
  expect(pixel(0.375, 0.52)[3]).toBe(255);
  expect(pixel(0.9, 0.1)[3]).toBe(0);
}

const previewWidth = 577;
const previewHeight = 433;

describe("the package removebg of PyPI", { tags: ["python"] }, () => {
  it("removes backgrounds of files, URLs and base64, and reads an error", { timeout: 300_000 }, async () => {
    const script = fileURLToPath(new URL("client.py", import.meta.url));
    const { apiUrl, apiKey } = stack.file;
    const args = [script, `${apiUrl}/v1.0/removebg`, apiKey, photoPath, photoUrl, folder];
    const { stdout } = await promisify(execFile)(installPythonClient(), args, { timeout: clientTimeoutMs });
    expect(stdout).toBe("refused 403 auth_failed\n");
    await expectCutOut(await readFile(join(folder, "by-url.png")), previewWidth, previewHeight);
    await expectCutOut(await readFile(join(folder, "by-base64.png")), 1280, 960);
    // Its second call overwrote the file of its first: opaque, so a JPEG whatever its name says.
    const green = await decode(await readFile(`${photoPath}_no_bg.png`));
    expect(green).toMatchObject({ format: "jpeg", width: 1280, height: 960 });
    const [r, g, b] = green.pixel(0.9, 0.1) as [number, number, number];
    expect([r < 4, Math.abs(g - 128) < 4, b < 4]).toEqual([true, true, true]);
  });
});

describe("the package remove.bg of npm, with another address", () => {
  let client: NpmClient;
  beforeAll(() => {
    client = npmClientOf(stack.file.apiUrl);
  }, 300_000);

  it("removes the background of a file", { timeout: clientTimeoutMs }, async () => {
    const { apiKey } = stack.file;
    const outputFile = join(folder, "by-npm.png");
    const result = await client.removeBackgroundFromImageFile({ apiKey, path: photoPath, size: "full", outputFile });
    await expectCutOut(await readFile(outputFile), 1280, 960);
    expect(result).toMatchObject({ creditsCharged: "1", detectedType: "product", resultWidth: "1280" });
    expect(Number(result.rateLimitRemaining)).toBeLessThan(Number(result.rateLimit));
    expect(Number(result.rateLimitReset) * 1000).toBeGreaterThan(Date.now());
  });

  it("crops, scales and colors one of base64 and one of a URL", { timeout: clientTimeoutMs }, async () => {
    const { apiKey } = stack.file;
    const options = { apiKey, crop: true, crop_margin: "10%", bg_color: "ffffff", size: "auto" };
    const base64 = await client.removeBackgroundFromImageBase64({ ...options, base64img: photo.toString("base64") });
    const cropped = await decode(Buffer.from(base64.base64img, "base64"));
    // The width is 120 % of the product's, so 10 % are free on each side.
    const isWhite = (x: number) => cropped.pixel(x, 0.5).every((value) => value > 250);
    expect([0.02, 0.07, 0.11, 0.89, 0.93, 0.98].map(isWhite)).toEqual([true, true, false, false, true, true]);
    expect([cropped.format, cropped.width > 400 && cropped.width < 540]).toEqual(["jpeg", true]);
    const scaled = await client.removeBackgroundFromImageUrl({
      apiKey,
      url: photoUrl,
      scale: "50%",
      position: "center",
    });
    await expectCutOutInMiddle(Buffer.from(scaled.base64img, "base64"));
  });

  it("gets errors in their shape", { timeout: clientTimeoutMs }, async () => {
    const { apiKey } = stack.file;
    const gone = photoUrl.replace(/:\d+/, ":9");
    const refused = client.removeBackgroundFromImageUrl({ apiKey, url: gone });
    await expect(refused).rejects.toMatchObject([{ code: "failed_image_download" }]);
  });
});

async function expectCutOutInMiddle(bytes: Buffer): Promise<void> {
  const { pixel, ...image } = await decode(bytes);
  expect(image).toMatchObject({ width: previewWidth, height: previewHeight });
  expect([pixel(0.5, 0.5)[3], pixel(0.5, 0.2)[3], pixel(0.2, 0.5)[3]]).toEqual([255, 0, 0]);
}

describe("requests as the documentation of remove.bg shows them", () => {
  async function removeBackground(
    fields: Readonly<Record<string, string>>,
    { accept, background }: { accept?: string; background?: Buffer } = {},
  ) {
    const form = new FormData();
    form.set("image_file", new Blob([new Uint8Array(photo)]), "photo.jpg");
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    if (background !== undefined) form.set("bg_image_file", new Blob([new Uint8Array(background)]), "background.png");
    const headers = { "X-Api-Key": stack.file.apiKey, ...(accept === undefined ? {} : { Accept: accept }) };
    const response = await fetch(`${stack.file.apiUrl}/v1.0/removebg`, { method: "POST", headers, body: form });
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  }

  it("answers with the image, or with the same image in JSON", { timeout: clientTimeoutMs }, async () => {
    const image = await removeBackground({});
    const json = await removeBackground({}, { accept: "application/json" });
    const anything = await removeBackground({}, { accept: "application/json, text/plain, */*" });
    expect([image.status, json.status, anything.headers.get("content-type")]).toEqual([200, 200, "image/png"]);
    expect(image.headers.get("x-content-type-options")).toBe("nosniff");
    await expectCutOut(image.bytes, previewWidth, previewHeight);
    const body = JSON.parse(json.bytes.toString());
    expect(isResult(body)).toBe(true);
    expect(body.data.result_b64).toBe(image.bytes.toString("base64"));
    const box = { top: body.data.foreground_top, left: body.data.foreground_left };
    expect(box).toEqual({
      top: Number(image.headers.get("x-foreground-top")),
      left: Number(image.headers.get("x-foreground-left")),
    });
    expect([image.headers.get("x-width"), image.headers.get("x-height")]).toEqual(["577", "433"]);
    // The body begins at 65 of 320 pixels from the left and at 55 of 240 from the top.
    expect(Math.abs(box.left - (65 / 320) * previewWidth)).toBeLessThanOrEqual(3);
    expect(Math.abs(box.top - (55 / 240) * previewHeight)).toBeLessThanOrEqual(3);
    expect(image.headers.get("x-packshot-unsupported")).toBeNull();
  });

  it("lays the product over a picture, and cuts off what is outside the region", {
    timeout: clientTimeoutMs,
  }, async () => {
    const background = await sharp({ create: { width: 40, height: 30, channels: 3, background: "#0000ff" } })
      .png()
      .toBuffer();
    const { status, bytes, headers } = await removeBackground(
      { size: "full", roi: "0% 0% 480px 100%", type: "car", image_filename: "a.jpg" },
      { background },
    );
    expect([status, headers.get("content-type"), headers.get("x-type")]).toEqual([200, "image/jpeg", "car"]);
    expect(headers.get("x-packshot-unsupported")).toBe("type=car, image_filename");
    const { pixel } = await decode(bytes);
    const isBlue = ([r, g, b]: number[]) => r! < 40 && g! < 40 && b! > 215;
    expect([isBlue(pixel(0.9, 0.1)), isBlue(pixel(0.42, 0.52)), isBlue(pixel(0.3, 0.52))]).toEqual([true, true, false]);
  });

  it("gives the matte alone, a shadow, and an error of the edit", { timeout: clientTimeoutMs }, async () => {
    const matte = await decode((await removeBackground({ channels: "alpha" })).bytes);
    expect([matte.pixel(0.375, 0.52)[0], matte.pixel(0.9, 0.1)[0]]).toEqual([255, 0]);
    const shadow = await removeBackground({ shadow_type: "3D", shadow_opacity: "80" });
    expect(shadow.status).toBe(200);
    const { data } = await sharp(shadow.bytes).extractChannel(3).raw().toBuffer({ resolveWithObject: true });
    expect(data.filter((alpha) => alpha > 10 && alpha < 245).length / data.length).toBeGreaterThan(0.01);
    const outside = await removeBackground({ roi: "0px 0px 5000px 100px" });
    expect(outside.status).toBe(400);
    expect(JSON.parse(outside.bytes.toString())).toMatchObject({ errors: [{ code: "roi_exceeds_bounds" }] });
  });
});
