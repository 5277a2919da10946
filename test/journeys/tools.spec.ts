/**
 * The three tools over the public API as a client uses them, with the bundled weights and with weights from a folder.
 */
import { createHash, createHmac } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { jpeg, productPixels } from "../../testing/images/odd-images.ts";
import { jointStack } from "../../testing/joint/joint-stack.ts";
import { formWith, type LiveStack, type StackClient, startLiveStack } from "../../testing/stack/live-stack.ts";

const shared = process.env.PACKSHOT_SHARED ?? fileURLToPath(new URL("../../../shared", import.meta.url));
const u2netp = join(shared, "models", "u2netp.onnx");

async function imageAt(stack: StackClient, url: string) {
  const response = await stack.call("GET", url);
  expect(response.status).toBe(200);
  const bytes = Buffer.from(await response.arrayBuffer());
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  return {
    bytes,
    data,
    info,
    format: (await sharp(bytes).metadata()).format,
    type: response.headers.get("content-type"),
  };
}

describe("with the bundled weights, nothing downloaded", () => {
  const stack = jointStack();
  let photo: Buffer;
  const received: { headers: Record<string, unknown>; body: string }[] = [];
  let receiver: Server;
  let onDelivery: () => void = () => {};

  beforeAll(async () => {
    photo = await jpeg();
    receiver = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(204).end();
      onDelivery();
    });
    receiver.listen(0, "127.0.0.1");
    await new Promise((resolve) => receiver.once("listening", resolve));
  });
  afterAll(() => void receiver?.close());

  it("edits one upload with two tools, delivers webhooks, and deletes everything on request", async () => {
    const { port } = receiver.address() as AddressInfo;
    const json = { headers: { "Content-Type": "application/json" } };
    const hook = (await (
      await stack.call("POST", "/v1/webhooks", {
        ...json,
        body: JSON.stringify({ url: `http://127.0.0.1:${port}/hook` }),
      })
    ).json()) as { id: string; secret: string };
    const session = (await (
      await stack.call("POST", "/v1/uploads", {
        ...json,
        body: JSON.stringify({ contentType: "image/jpeg", filename: "mug.jpg", sizeBytes: photo.length }),
      })
    ).json()) as { uploadUrl: string; uploadSessionId: string };
    const put = await fetch(session.uploadUrl, {
      method: "PUT",
      body: new Uint8Array(photo),
      headers: { "Content-Type": "image/jpeg" },
    });
    expect(put.ok).toBe(true);

    const delivered = new Promise<void>((resolve) => (onDelivery = () => received.length >= 2 && resolve()));
    const { uploadSessionId } = session;
    const mask = await stack.edit("mask", {
      uploadSessionId,
      parameters: { seed: 1, mode: "standard" },
      metadata: { sku: "MUG-1" },
    });
    const shadows = await stack.edit("ai-shadows", { uploadSessionId, parameters: { seed: 1 } });
    for (const { body } of [mask, shadows]) expect(body).toMatchObject({ status: "completed", error: null });
    await delivered;

    const event = received.map(({ body }) => JSON.parse(body)).find(({ data }) => data.id === mask.body.id);
    expect(event).toMatchObject({
      event: "job.completed",
      data: {
        id: mask.body.id,
        tool: "mask",
        status: "completed",
        resultUrl: mask.body.resultUrl,
        thumbnailUrl: mask.body.thumbnailUrl,
        quality: mask.body.report.quality,
        reasons: mask.body.report.reasons,
        timings: mask.body.timings,
        creditsCharged: mask.body.creditsCharged,
      },
    });
    const { headers, body } = received.find((one) => one.body.includes(mask.body.id))!;
    const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
    const key = Buffer.from(hook.secret.replace("whsec_", ""), "base64");
    expect(headers["webhook-signature"]).toContain(createHmac("sha256", key).update(signed).digest("base64"));
    expect(headers["webhook-id"]).toBe(event.eventId);

    const fromEvent = await imageAt(stack, event.data.resultUrl);
    expect(fromEvent.type).toBe("image/png");
    const thumbnail = await imageAt(stack, event.data.thumbnailUrl);
    expect(Math.max(thumbnail.info.width, thumbnail.info.height)).toBeLessThanOrEqual(512);

    expect((await stack.call("DELETE", `/v1/jobs/${mask.body.id}`)).status).toBe(204);
    expect((await stack.call("GET", `/v1/jobs/${mask.body.id}`)).status).toBe(404);
    await expect
      .poll(async () => (await stack.storedFiles()).filter((file) => file.includes(mask.body.id)))
      .toEqual([]);
    expect((await stack.call("GET", event.data.resultUrl)).status).toBe(404);
  });

  it("mask: the product's own pixels, and nothing of the backdrop", async () => {
    const { body } = await stack.edit("mask", formWith(await sharp(photo).png().toBuffer()));
    const { data, info } = await imageAt(stack, body.resultUrl);
    const original = await sharp(photo).raw().toBuffer();
    let changed = 0;
    for (let i = 0; i < info.width * info.height; i++) {
      if (data[i * 4 + 3] !== 255) continue;
      for (let c = 0; c < 3; c++) if (data[i * 4 + c] !== original[i * 3 + c]) changed += 1;
    }
    expect(changed).toBe(0);
    const alphaAt = (x: number, y: number) => data[(y * info.width + x) * 4 + 3];
    expect([alphaAt(120, 125), alphaAt(280, 30), alphaAt(10, 10)]).toEqual([255, 0, 0]);
  });

  it("ai-shadows: a soft shadow, darkest where the product stands", async () => {
    const { body } = await stack.edit("ai-shadows", formWith(photo, { seed: "5" }));
    const { data, info } = await imageAt(stack, body.resultUrl);
    const alphas = new Set<number>();
    let soft = 0;
    for (let i = 0; i < info.width * info.height; i++) {
      const [red, green, blue, alpha] = data.subarray(i * 4, i * 4 + 4);
      if (alpha! > 0 && alpha! < 250 && red! + green! + blue! < 60) {
        soft += 1;
        alphas.add(alpha!);
      }
    }
    expect(soft).toBeGreaterThan(500);
    expect(alphas.size).toBeGreaterThan(30);
  });

  it("ai-bg: another scene for another theme, the same for the same seed, the product untouched in both", async () => {
    const source = await sharp(productPixels(), { raw: { width: 320, height: 240, channels: 3 } })
      .png()
      .toBuffer();
    const edit = (theme: string) => stack.edit("ai-bg", formWith(source, { theme, seed: "9", "output.format": "png" }));
    const oak = await edit("oak table, morning light");
    const again = await edit("oak table, morning light");
    const beach = await edit("beach at sunset");
    const [first, second, third] = await Promise.all(
      [oak, again, beach].map(({ body }) => imageAt(stack, body.resultUrl)),
    );
    const hash = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
    expect(hash(first!.bytes)).toBe(hash(second!.bytes));
    let different = 0;
    for (let i = 0; i < first!.data.length; i++) different += Math.abs(first!.data[i]! - third!.data[i]!) > 20 ? 1 : 0;
    expect(different / first!.data.length).toBeGreaterThan(0.3);
    const original = productPixels();
    for (const { data, info } of [first!, third!]) {
      for (const [x, y] of [
        [120, 125],
        [100, 90],
        [140, 160],
      ] as const) {
        const at = (y * info.width + x) * info.channels;
        expect([...data.subarray(at, at + 3)]).toEqual([
          ...original.subarray((y * 320 + x) * 3, (y * 320 + x) * 3 + 3),
        ]);
      }
    }
  });
});

describe.skipIf(!existsSync(u2netp))("with weights from PACKSHOT_MODEL_DIR", () => {
  let stack: LiveStack;
  beforeAll(async () => {
    stack = await startLiveStack({ PACKSHOT_MODEL_DIR: join(shared, "models") });
  }, 180_000);
  afterAll(() => stack?.stop());

  it("offers u2netp by name in addition to the bundled weights, and uses it on request", async () => {
    const tool = (await (await stack.call("GET", "/v1/tools/mask")).json()) as { models: { name: string }[] };
    expect(tool.models.map(({ name }) => name)).toEqual(expect.arrayContaining(["packshot-mask", "u2netp"]));
    const photo = readFileSync(join(shared, "photos", "white-wb07-brown-0.jpg"));
    const truth = await sharp(join(shared, "photos", "white-wb07-brown-0.mask.png"))
      .grayscale()
      .raw()
      .toBuffer();
    for (const model of ["u2netp", "packshot-mask"]) {
      const { body } = await stack.edit("mask", formWith(photo, { model }));
      expect(body).toMatchObject({ status: "completed", parameters: { model: `${model}@1` } });
      const { data } = await imageAt(stack, body.resultUrl);
      let both = 0;
      let either = 0;
      for (let i = 0; i < truth.length; i++) {
        const found = data[i * 4 + 3]! > 127;
        const wanted = truth[i]! > 127;
        if (found && wanted) both += 1;
        if (found || wanted) either += 1;
      }
      expect(both / either, model).toBeGreaterThan(0.9);
    }
  });

  it("refuses an unknown model and lists the known ones; an unknown version fails its job and is named", async () => {
    const { status, body } = await stack.edit("mask", formWith(await jpeg(), { model: "no-such-model" }));
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "invalid_request", details: { field: "parameters.model" } });
    expect(body.message).toMatch(/no-such-model.*packshot-mask/);
    const versioned = await stack.edit("mask", formWith(await jpeg(), { model: "packshot-mask@9" }));
    expect(versioned.body.error).toMatchObject({ code: "model_unavailable", message: expect.stringContaining("@9") });
  });
});
