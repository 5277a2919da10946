import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { createDiskLinks, type DiskLinks } from "./disk-links.ts";

const links = createDiskLinks({ publicUrl: "https://photos.example/", linkKeys: [randomBytes(32)] });
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

it("refuses a second signature, and another spelling of the same one", () => {
  const url = new URL(links.signGet("api/a/j/result.png", get));
  const signature = url.searchParams.get("signature")!;
  expect(verify("GET", `${url}&signature=${signature}`)).toEqual({ kind: "forbidden" });
  expect(verify("GET", `${url}%3D`)).toEqual({ kind: "forbidden" });
  expect(verify("GET", url.href)).toMatchObject({ kind: "get" });
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

it("accepts links of every key while a key is rotated, and signs with the first one", () => {
  const older = randomBytes(32);
  const newer = randomBytes(32);
  const before = withKeys(older);
  const accepting = withKeys(older, newer);
  const signing = withKeys(newer, older);
  const after = withKeys(newer);
  const put = { expiresAtMs: get.expiresAtMs, contentType: "image/png", sizeBytes: 1 };
  const oldLinks = [before.signGet("api/a", get), before.signPut("api/a", put).url];
  const newLinks = [signing.signGet("api/a", get), signing.signPut("api/a", put).url];
  expect(accepting.signGet("api/a", get)).toBe(oldLinks[0]);
  expect(after.signGet("api/a", get)).toBe(newLinks[0]);
  for (const accepts of [accepting, signing]) {
    expect([...oldLinks, ...newLinks].map((url) => kindOf(accepts, url))).toEqual(["get", "put", "get", "put"]);
  }
  expect(oldLinks.map((url) => kindOf(after, url))).toEqual(["forbidden", "forbidden"]);
  expect(newLinks.map((url) => kindOf(before, url))).toEqual(["forbidden", "forbidden"]);
});

function withKeys(...linkKeys: Buffer[]): DiskLinks {
  return createDiskLinks({ publicUrl: "https://photos.example/", linkKeys });
}

function kindOf(accepting: DiskLinks, url: string): string {
  const { pathname, searchParams } = new URL(url);
  return accepting.verifyLink(searchParams.has("size") ? "PUT" : "GET", pathname, searchParams, nowMs).kind;
}
