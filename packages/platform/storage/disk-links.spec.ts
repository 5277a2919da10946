import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { createDiskLinks } from "./disk-links.ts";

const links = createDiskLinks({ publicUrl: "https://photos.example/", linkKey: randomBytes(32) });
const nowMs = 1_000_000;
const get = { expiresAtMs: nowMs + 1_000, contentType: "image/png" };

function verify(method: string, url: string, atMs = nowMs) {
  const { pathname, searchParams } = new URL(url);
  return links.verifyLink(method, pathname, searchParams, atMs);
}

it("accepts a link that it signed, until it expires", () => {
  const url = links.signGet("api/a/j/result.png", { ...get, filename: "mug.png" });
  expect(url.startsWith("https://photos.example/storage/api/a/j/result.png?")).toBe(true);
  const opened = {
    kind: "get",
    key: "api/a/j/result.png",
    contentType: "image/png",
    filename: "mug.png",
    expiresAtMs: get.expiresAtMs,
  };
  expect(verify("GET", url)).toEqual(opened);
  expect(verify("HEAD", url)).toEqual(opened);
  expect(verify("GET", url, get.expiresAtMs)).toEqual({ kind: "expired" });
});

it.each(["expires", "type", "signature"])("refuses a link whose %s was changed or left out", (name) => {
  const url = new URL(links.signGet("api/a/j/result.png", get));
  url.searchParams.set(name, name === "expires" ? String(get.expiresAtMs + 1) : "AAAA");
  expect(verify("GET", url.href)).toEqual({ kind: "forbidden" });
  url.searchParams.delete(name);
  expect(verify("GET", url.href)).toEqual({ kind: "forbidden" });
});

it("refuses another key, an added parameter, and a read link used for writing", () => {
  const url = links.signGet("api/a/j/result.png", get);
  expect(verify("GET", url.replace("/j/", "/k/"))).toEqual({ kind: "forbidden" });
  expect(verify("GET", `${url}&filename=evil.html`)).toEqual({ kind: "forbidden" });
  expect(verify("PUT", url)).toEqual({ kind: "forbidden" });
  expect(verify("DELETE", url)).toEqual({ kind: "forbidden" });
});

it("signs type and size of an upload", () => {
  const put = links.signPut("api/a/uploads/u/source", {
    expiresAtMs: nowMs + 1,
    contentType: "image/jpeg",
    sizeBytes: 42,
  });
  expect(put).toMatchObject({ method: "PUT", headers: { "Content-Type": "image/jpeg" } });
  expect(verify("PUT", put.url)).toEqual({
    kind: "put",
    key: "api/a/uploads/u/source",
    contentType: "image/jpeg",
    sizeBytes: 42,
  });
});
