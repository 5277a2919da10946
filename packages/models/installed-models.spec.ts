import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { doctor } from "./doctor.ts";
import { listModels, pullModel, verifyModel } from "./installed-models.ts";
import { decodeModel, encodeModel } from "./onnx-file.ts";
import { tinySegmenter } from "./tiny-segmenter.ts";
import { isByteGraph } from "./wrap-for-bytes.ts";

const repository = fileURLToPath(new URL("../../models", import.meta.url));
const weights = Buffer.from(encodeModel(tinySegmenter({ width: 320, height: 320, channels: 3, depth: 1 })));
const sha256 = createHash("sha256").update(weights).digest("hex");
const md5 = createHash("md5").update(weights).digest("hex");

let home: string;
let bundledDir: string;
let modelDir: string;
let ranges: (string | undefined)[];
/** The server's response; by default the whole file, or the requested range. */
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let close: () => Promise<void>;

function serveRest(request: IncomingMessage, response: ServerResponse): void {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
  if (from >= weights.length) response.writeHead(416).end();
  else
    response.writeHead(from > 0 ? 206 : 200, { "Content-Length": weights.length - from }).end(weights.subarray(from));
}

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "packshot-pull-"));
  bundledDir = join(home, "bundled");
  modelDir = join(home, "models");
  mkdirSync(modelDir);
  ranges = [];
  answer = serveRest;
  const server = createServer((request, response) => {
    ranges.push(request.headers.range);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  close = () => new Promise((resolve) => void server.close(() => resolve()));
  cpSync(join(repository, "u2netp"), join(bundledDir, "u2netp"), { recursive: true });
  writeManifest({ sha256, md5: null, unverified: false });
  function writeManifest(source: object): void {
    const manifest = JSON.parse(readFileSync(join(repository, "u2netp", "packshot.json"), "utf8"));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/u2netp.onnx`;
    writeFileSync(
      join(bundledDir, "u2netp", "packshot.json"),
      JSON.stringify({ ...manifest, source: { ...manifest.source, url, ...source } }),
    );
  }
});
afterEach(async () => {
  await close();
  rmSync(home, { recursive: true });
});

const limits = { retryDelayMs: 1, stallTimeoutMs: 60_000 };
const pull = (more: object = {}) => pullModel({ name: "u2netp", bundledDir, modelDir, limits, ...more });

function setSource(source: object): void {
  const file = join(bundledDir, "u2netp", "packshot.json");
  const manifest = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...manifest, source: { ...manifest.source, ...source } }));
}

describe("pulling a model", () => {
  it("downloads, wraps and installs it in the layout that servers read", async () => {
    const seen: number[] = [];
    const pulled = await pull({ onProgress: (bytes: number) => seen.push(bytes) });
    expect(pulled).toMatchObject({ sha256, downloadedBytes: weights.length });
    expect(seen.at(-1)).toBe(weights.length);
    expect(readdirSync(join(modelDir, "u2netp")).sort()).toEqual(["1", "config.pbtxt", "packshot.json"]);
    expect(isByteGraph(decodeModel(readFileSync(pulled.file)))).toBe(true);
    expect(listModels({ bundledDir, modelDir })).toMatchObject([{ name: "u2netp", state: "here", file: pulled.file }]);
    expect(await verifyModel({ name: "u2netp", bundledDir, modelDir })).toMatchObject({ problems: [], hashed: true });
  });

  it("resumes after a broken connection", async () => {
    let broken = 0;
    let open: ServerResponse | undefined;
    answer = (request, response) => {
      if (broken++ > 2) return serveRest(request, response);
      const from = Number(/=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
      response.writeHead(from > 0 ? 206 : 200, { "Content-Length": weights.length - from });
      response.write(weights.subarray(from, from + 500));
      open = response;
    };
    await pull({ onProgress: () => open?.destroy() });
    expect(ranges[0]).toBeUndefined();
    expect(ranges.slice(1).every((range) => range !== undefined)).toBe(true);
  });

  it("resumes in another run after it gave up", async () => {
    let open: ServerResponse | undefined;
    answer = (_, response) => {
      response.writeHead(200, { "Content-Length": weights.length });
      response.write(weights.subarray(0, 700));
      open = response;
    };
    const once = { onProgress: () => open?.destroy(), limits: { ...limits, failuresMax: 1 } };
    await expect(pull(once)).rejects.toThrow("run the same command again");
    expect(existsSync(join(modelDir, "u2netp"))).toBe(false);
    answer = serveRest;
    await pull();
    expect(ranges.at(-1)).toBe("bytes=700-");
  });

  it("starts over when the server ignores ranges, and treats a stall as a failure", async () => {
    let calls = 0;
    answer = (_, response) => {
      calls += 1;
      response.writeHead(200, { "Content-Length": weights.length });
      if (calls === 1) response.write(weights.subarray(0, 300));
      else response.end(weights);
    };
    await pull({ limits: { ...limits, stallTimeoutMs: 500 } });
    expect(calls).toBeGreaterThan(1);
  });

  it("deletes a file with another hash and leaves the installed model unchanged", async () => {
    await pull();
    const before = readFileSync(join(modelDir, "u2netp", "1", "model.onnx"));
    setSource({ sha256: "0".repeat(64) });
    await expect(pull()).rejects.toThrow(`the file's SHA-256 is ${sha256}, not ${"0".repeat(64)}`);
    expect(readdirSync(join(modelDir, ".partial"))).toEqual([]);
    expect(Buffer.compare(readFileSync(join(modelDir, "u2netp", "1", "model.onnx")), before)).toBe(0);
  });

  it("puts back a model that a pull had moved away when it was cut off, whatever comes of the next one", async () => {
    const { file } = await pull();
    renameSync(join(modelDir, "u2netp"), join(modelDir, ".partial", "u2netp.old"));
    setSource({ sha256: "0".repeat(64) });
    await expect(pull()).rejects.toThrow("it was deleted");
    expect(existsSync(file)).toBe(true);
  });

  it("checks a file by its publisher's MD5 and size, and pins the SHA-256 that it has", async () => {
    setSource({ sha256: null, md5, sizeBytes: weights.length, unverified: true });
    expect((await pull()).sha256).toBe(sha256);
    expect(JSON.parse(readFileSync(join(modelDir, ".pins.json"), "utf8"))).toEqual({ u2netp: sha256 });
    expect(await verifyModel({ name: "u2netp", bundledDir, modelDir })).toMatchObject({ problems: [], hashed: true });

    // Another file, of which the publisher says that it is right: not in this folder, unless the operator says so, too.
    rmSync(join(modelDir, "u2netp"), { recursive: true });
    const other = Buffer.from(encodeModel(tinySegmenter({ width: 320, height: 320, channels: 3, depth: 2 })));
    answer = (_, response) => response.writeHead(200, { "Content-Length": other.length }).end(other);
    setSource({ md5: createHash("md5").update(other).digest("hex"), sizeBytes: other.length });
    await expect(pull()).rejects.toThrow(`not ${sha256}; it was deleted`);
    const accepted = createHash("sha256").update(other).digest("hex");
    expect((await pull({ acceptSha256: accepted })).sha256).toBe(accepted);
    expect((await pull()).sha256).toBe(accepted);
  });

  it("deletes a file with another MD5, or another size", async () => {
    setSource({ sha256: null, md5: "0".repeat(32), unverified: true });
    await expect(pull()).rejects.toThrow(`the file's MD5 is ${md5}, not ${"0".repeat(32)}`);
    setSource({ md5, sizeBytes: weights.length + 1 });
    await expect(pull()).rejects.toThrow(`the file has ${weights.length} bytes, not ${weights.length + 1}`);
    expect(readdirSync(join(modelDir, ".partial"))).toEqual([]);
    expect(existsSync(join(modelDir, ".pins.json"))).toBe(false);
  });

  it("requires a hash from the operator for a file of which no checksum is known", async () => {
    setSource({ sha256: null, unverified: true });
    await expect(pull()).rejects.toThrow("--accept-sha256");
    await expect(pull({ acceptSha256: "abc" })).rejects.toThrow("64 lower-case hex digits");
    expect(ranges).toEqual([]);
    await expect(pull({ acceptSha256: "1".repeat(64) })).rejects.toThrow("SHA-256");
    expect((await pull({ acceptSha256: sha256 })).sha256).toBe(sha256);
  });

  it("names the remedy for a wrong name, a missing file, a bundled model", async () => {
    await expect(pull({ name: "u3net" })).rejects.toThrow("known are u2netp");
    await expect(pull({ name: "../u2netp" })).rejects.toThrow("no model is called");
    answer = (_, response) => void response.writeHead(404).end();
    await expect(pull()).rejects.toThrow("answered 404; check the address");
    await expect(pullModel({ name: "packshot-mask", bundledDir: repository, modelDir })).rejects.toThrow(
      "part of Packshot",
    );
  });
});

describe("installed models", () => {
  it("lists every production choice with license, address and its publisher's checksum, and no hash that was not computed", () => {
    const listed = listModels({ bundledDir: repository });
    expect(listed.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        "birefnet-general",
        "birefnet-general-lite",
        "isnet-general-use",
        "packshot-mask",
        "u2net",
        "u2netp",
      ]),
    );
    for (const { name, state, url } of listed) {
      if (name === "packshot-mask") continue;
      const { source } = JSON.parse(readFileSync(join(repository, name, "packshot.json"), "utf8"));
      expect(source).toMatchObject({ sha256: null, md5: expect.stringMatching(/^[\da-f]{32}$/), unverified: true });
      expect({ state, url }).toEqual({ state: "available", url: source.url });
    }
  });

  it("verify finds a changed file", async () => {
    const { file } = await pull();
    writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.from([0])]));
    expect((await verifyModel({ name: "u2netp", bundledDir, modelDir })).problems[0]).toContain("pull it again");
    await expect(verifyModel({ name: "u2netp", bundledDir })).rejects.toThrow("packshot models pull u2netp");
  });

  it("verify finds an empty record", async () => {
    const { file } = await pull();
    const record = join(file, "..", "weights.json");
    writeFileSync(record, "");
    expect(await verifyModel({ name: "u2netp", bundledDir, modelDir })).toMatchObject({
      problems: [expect.stringMatching(/weights\.json: not JSON: .*: pull it again$/)],
      hashed: false,
    });
  });

  it("doctor reports machine, provider and models, and a fault when the requested GPU is missing", async () => {
    const findings = await doctor({ bundledDir: repository, executionProviders: ["cpu"] });
    expect(findings.map(({ check }) => check)).toEqual(["machine", "gpu", "onnxruntime on cpu", "model packshot-mask"]);
    expect(findings.filter(({ state }) => state === "fault")).toEqual([]);
    await pull();
    const withModel = await doctor({ bundledDir, modelDir, executionProviders: ["cpu"] });
    expect(withModel.at(-1)).toMatchObject({ check: "model u2netp", state: "ok" });
  });
});
