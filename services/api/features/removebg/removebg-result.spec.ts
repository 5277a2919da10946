/** What a client of the drop-in learns where its image is done and charged, and storage does not give it. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type ErrorCode, errorCatalog, PackshotError } from "@packshot/domain/errors.ts";
import { completeJob } from "@packshot/domain/jobs/job.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { StorageTimeout } from "@packshot/platform/storage/storage-fault.ts";
import { expect, it } from "vitest";
import { processingJob } from "../../../../testing/log/job-records.ts";
import { toPackshotError } from "../../http/respond.ts";
import { removeBgErrorResponse, sendResult } from "./removebg-result.ts";

it.each([
  ["fails", () => Promise.reject(new StorageTimeout("open", 1))],
  ["has lost the file", async () => undefined],
] satisfies [string, Storage["open"]][])("names the charge and where the image is when storage %s", async (_, open) => {
  const file = { key: "api/a/j/result.png", contentType: "image/png", bytes: 1 };
  const result = { result: file, thumbnail: file, model: "m@1", report: {}, timings: {}, inferenceMs: 0 };
  const job = completeJob(processingJob(), result, "m@1", { nowMs: Date.now(), retentionMs: 60_000 });
  const request = { edit: undefined as never, type: undefined, unsupported: [] };
  const server = createServer(async (_request, response) => {
    const storage = { open } as unknown as Storage;
    await sendResult({ storage }, response, { job, request, json: false }).catch((error: unknown) => {
      const { status, body } = removeBgErrorResponse(toPackshotError(error), "request");
      response.writeHead(status).end(JSON.stringify(body));
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  try {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const told = ["x-credits-charged", "x-packshot-job"].map((name) => response.headers.get(name));
    expect([response.status, ...told]).toEqual([503, "1", job.id]);
    const { errors } = (await response.json()) as { errors: { code: string; detail: string }[] };
    expect(errors[0]).toMatchObject({ code: "unavailable", detail: expect.stringContaining(`GET /v1/jobs/${job.id}`) });
    expect(errors[0]!.detail).toContain("cost 1");
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

it.each([
  ["source_unreachable", "imageUrl must lead to an image.", "image_url must lead to an image."],
  [
    "file_too_large",
    "The file behind imageUrl is larger than 9 bytes.",
    "The file behind image_url is larger than 9 bytes.",
  ],
  [
    "no_product_found",
    "No product stands out in the picture. Name it by point or region, or send a maskImage.",
    "No product stands out in the picture. Name it by roi.",
  ],
  [
    "no_product_found",
    "No product stands out in the region. Widen the region, or name the product by point.",
    "No product stands out in the roi. Widen the roi.",
  ],
  [
    "no_product_found",
    "No product stands out in the picture. It has only 60 × 60 pixels. Send a larger photo.",
    "No product stands out in the picture. It has only 60 × 60 pixels. Send a larger photo.",
  ],
  [
    "no_product_found",
    "No product stands out: the photo is transparent everywhere. To take it as opaque, set existingAlpha to ignore.",
    "No product stands out: the photo is transparent everywhere.",
  ],
  ["background_unusable", "The background: imageUrl answered 404.", "The background: bg_image_url answered 404."],
] as const)("names the client's own field in %s", (code, message, detail) => {
  const { body } = removeBgErrorResponse(new PackshotError(code, message), "request");
  expect(body).toMatchObject({ errors: [{ detail }] });
});

it.each([
  ["imageUrl", "image_url"],
  ["parameters.backgroundImage", "bg_image_url"],
  ["crop_margin", "crop_margin"],
])("names the client's own field where %s is wrong", (field, name) => {
  const { body } = removeBgErrorResponse(
    new PackshotError("invalid_request", "It is wrong.", { details: { field } }),
    "request",
  );
  const title = `Invalid value for parameter '${name}'`;
  expect(body).toMatchObject({ errors: [{ code: `invalid_${name}`, title }] });
});

const codes = Object.keys(errorCatalog) as ErrorCode[];

it.each(codes.filter((code) => !errorCatalog[code].retryable))("has no status for %s that asks for a retry", (code) => {
  const { status } = removeBgErrorResponse(new PackshotError(code, "As it is."), "request");
  expect([408, 425, 429, 503, 504]).not.toContain(status);
});
