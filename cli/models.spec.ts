/** `packshot models pull` in one line, as a process of its own, with real weights behind a server of this machine. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const shared = process.env.PACKSHOT_SHARED ?? join(root, "../shared");
const file = join(shared, "models/u2netp.onnx");
/** The addresses of weights are in the manifests, so the program runs in a copy of the source tree whose manifest is another. */
let home: string;
let weights: Buffer;
let ranges: (string | undefined)[];
/** Bytes after which the connection breaks. */
let breaksAfter: number | undefined;
let close: () => Promise<void>;

function serve(from: number, response: ServerResponse): void {
  const rest = weights.subarray(from);
  response.writeHead(from > 0 ? 206 : 200, { "Content-Length": rest.length });
  if (breaksAfter === undefined) return void response.end(rest);
  response.write(rest.subarray(0, breaksAfter), () => response.destroy());
  breaksAfter = undefined;
}

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "packshot-models-"));
  if (!existsSync(file)) return;
  weights = readFileSync(file);
  ranges = [];
  const server = createServer((request, response) => {
    ranges.push(request.headers.range);
    serve(Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0), response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  close = () => new Promise((resolve) => void server.close(() => resolve()));
  for (const name of ["cli", "models/u2netp"]) cpSync(join(root, name), join(home, name), { recursive: true });
  for (const name of ["node_modules", "package.json"]) symlinkSync(join(root, name), join(home, name));
  const manifestFile = join(home, "models/u2netp/packshot.json");
  const manifest = JSON.parse(readFileSync(manifestFile, "utf8"));
  const source = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/u2netp.onnx`,
    md5: createHash("md5").update(weights).digest("hex"),
    sizeBytes: weights.length,
  };
  writeFileSync(manifestFile, JSON.stringify({ ...manifest, source: { ...manifest.source, ...source } }));
});
afterEach(async () => {
  await close?.();
  rmSync(home, { recursive: true });
});

async function packshot(...args: string[]) {
  const { PACKSHOT_MODEL_DIR: _, ...environment } = process.env;
  const child = spawn(process.execPath, [join(home, "cli/packshot.ts"), ...args], { env: environment });
  const [stdout, stderr, [status]] = await Promise.all([
    child.stdout.toArray(),
    child.stderr.toArray(),
    once(child, "close"),
  ]);
  return { status, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
}

test.skipIf(!existsSync(file))(
  "one line says the license, goes on where a connection broke, checks the publisher's MD5, and pins the SHA-256",
  async () => {
    breaksAfter = 1_000_000;
    const sha256 = createHash("sha256").update(weights).digest("hex");
    const pulled = await packshot("models", "pull", "u2netp");
    expect(pulled).toMatchObject({ status: 0, stderr: "" });
    const [license, from] = pulled.stdout.split("\n");
    expect([license, from]).toEqual([
      "u2netp: license Apache-2.0; trained on DUTS",
      expect.stringMatching(/^from http:.*, 4\.5 MB$/),
    ]);
    expect(pulled.stdout).toContain(`u2netp is installed: ${join(home, "data/models/u2netp/1/model.onnx")}\n`);
    expect(pulled.stdout).toContain(sha256);
    expect([ranges[0], /^bytes=[1-9]\d*-$/.test(ranges[1] ?? "")]).toEqual([undefined, true]);
    expect((await packshot("models", "verify")).stdout).toMatch(/^u2netp: matches its recorded hash/);
    const asked = ranges.length;
    const kept = await packshot("models", "pull", "u2netp", "--keep-verified");
    expect(kept).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^u2netp: matches its recorded hash .*\n$/),
    });
    expect(ranges).toHaveLength(asked);
    const other = await packshot("models", "pull", "u2netp", "--keep-verified", "--accept-sha256", "0".repeat(64));
    expect(other).toMatchObject({ status: 1, stderr: expect.stringContaining(`not ${"0".repeat(64)}`) });

    // As a power cut leaves them.
    for (const emptied of ["1/weights.json", "packshot.json"]) {
      writeFileSync(join(home, "data/models/u2netp", emptied), "");
      const mended = await packshot("models", "pull", "u2netp", "--keep-verified");
      expect(mended, emptied).toMatchObject({ status: 0, stderr: "" });
      expect(mended.stdout, emptied).toMatch(new RegExp(`^u2netp: .*${emptied}`));
    }
    expect((await packshot("models", "verify")).stdout).toMatch(/^u2netp: matches its recorded hash/);

    // Whoever holds the publisher's address cannot change what was pulled before.
    weights = Buffer.concat([weights, Buffer.from([0])]);
    const manifestFile = join(home, "models/u2netp/packshot.json");
    const manifest = JSON.parse(readFileSync(manifestFile, "utf8"));
    const md5 = createHash("md5").update(weights).digest("hex");
    const source = { ...manifest.source, md5, sizeBytes: weights.length };
    writeFileSync(manifestFile, JSON.stringify({ ...manifest, source }));
    const swapped = await packshot("models", "pull", "u2netp");
    expect(swapped).toMatchObject({ status: 1, stderr: expect.stringContaining(`not ${sha256}; it was deleted`) });
    expect(readdirSync(join(home, "data/models")).toSorted()).toEqual([".partial", ".pins.json", "u2netp"]);
  },
);
