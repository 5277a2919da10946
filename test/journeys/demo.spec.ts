/** The two commands that a newcomer meets, as processes of their own: `cli/demo.ts` and `packshot up`. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { StackFile } from "../../cli/operator/stack-file.ts";
import { findNatsServer } from "../../cli/up/nats-server.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
let folder: string;
let started: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "packshot-demo-"));
});

afterEach(async () => {
  await Promise.all(started.map(stop));
  started = [];
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

function start(program: string, args: readonly string[]): ChildProcess {
  const child = spawn(program, args, {
    cwd: root,
    env: {
      ...process.env,
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      PACKSHOT_NATS_SERVER: findNatsServer(process.env),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.push(child);
  return child;
}

async function stop(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill("SIGTERM");
    await once(child, "exit");
  }
  return child.exitCode;
}

async function outputOf(child: ChildProcess): Promise<string> {
  const parts: Buffer[] = [];
  for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (part: Buffer) => parts.push(part));
  await once(child, "close");
  return Buffer.concat(parts).toString("utf8");
}

/** Resolves with the file once it exists; rejects with the output of the process when it ends before. */
async function stackFile(child: ChildProcess, dataDir: string): Promise<StackFile> {
  const path = join(dataDir, "stack.json");
  const said = outputOf(child).then((output) => Promise.reject(new Error(output)));
  said.catch(() => {});
  const appeared = new Promise<void>((resolve) => {
    const look = () => existsSync(path) && resolve();
    const watcher = watch(dataDir, look);
    child.once("close", () => watcher.close());
    look();
  });
  await Promise.race([appeared, said]);
  return JSON.parse(readFileSync(path, "utf8")) as StackFile;
}

function up(dataDir: string): ChildProcess {
  return start("npm", ["run", "-s", "packshot", "--", "up", "--data-dir", dataDir, "--port", "0"]);
}

const journeyTimeoutMs = 300_000;

test(
  "the demo takes its photo through all three tools and writes the results",
  async () => {
    const output = join(folder, "output");
    const child = start(process.execPath, [
      "cli/demo.ts",
      "--exit",
      "--output",
      output,
      "--data-dir",
      join(folder, "data"),
    ]);
    const said = await outputOf(child);
    expect(child.exitCode, said).toBe(0);
    expect(said.match(/job\.completed verified/g)?.length, said).toBe(4);

    const { width, height } = await sharp(join(root, "cli/demo/sample/mug.jpg")).metadata();
    const metadata = (name: string) => sharp(join(output, name)).metadata();
    expect(await metadata("mask.png")).toMatchObject({ format: "png", hasAlpha: true, width, height });
    expect(await metadata("ai-shadows.png")).toMatchObject({ format: "png", width, height });
    expect(await metadata("ai-bg.jpg")).toMatchObject({ format: "jpeg", width, height });
    expect(await metadata("mask-by-url.webp")).toMatchObject({ format: "webp", hasAlpha: true });
    for (const name of ["mask", "ai-shadows", "ai-bg", "mask-by-url"]) {
      expect(existsSync(join(output, `${name}-thumbnail.webp`)), name).toBe(true);
    }
  },
  journeyTimeoutMs,
);

test(
  "with ENGINE=generative the demo makes its scene by a stand-in, too, and says that it is one",
  async () => {
    const output = join(folder, "output");
    const data = join(folder, "data");
    const demo = ["cli/demo.ts", "--exit", "--engine", "generative", "--output", output, "--data-dir", data];
    const child = start(process.execPath, demo);
    const said = await outputOf(child);
    expect(child.exitCode, said).toBe(0);
    expect(said).toMatch(/find the image model .* a STAND-IN, which tints the rendered scene by the prompt/);
    expect(said).toMatch(
      /ai-bg, by the image model .* painted by stand-in@1 in 4 steps, 0 redraws → .*ai-bg-generative/,
    );
    const pixels = (name: string) => sharp(join(output, name)).raw().toBuffer();
    expect((await pixels("ai-bg.jpg")).equals(await pixels("ai-bg-generative.jpg"))).toBe(false);
  },
  journeyTimeoutMs,
);

test(
  "npm run packshot -- up stops cleanly on SIGTERM, and its next start finds account, key and jobs again",
  async () => {
    const data = mkdtempSync(join(folder, "data-"));
    const first = up(data);
    const before = await stackFile(first, data);
    const authorization = { Authorization: `Bearer ${before.apiKey}` };
    const form = new FormData();
    form.set("image", new Blob([new Uint8Array(readFileSync(join(root, "cli/demo/sample/mug.jpg")))]), "mug.jpg");
    const edit = await fetch(`${before.apiUrl}/v1/tools/mask/edit`, {
      method: "POST",
      headers: { ...authorization, Prefer: "wait=50" },
      body: form,
    });
    const job = (await edit.json()) as { id: string; status: string };
    expect(job).toMatchObject({ status: "completed" });
    expect(await stop(first)).toBe(0);
    expect(existsSync(join(data, "stack.json"))).toBe(false);

    const after = await stackFile(up(data), data);
    expect(after.apiKey).toBe(before.apiKey);
    const found = await fetch(`${after.apiUrl}/v1/jobs/${job.id}`, { headers: authorization });
    expect(await found.json()).toMatchObject({ id: job.id, status: "completed" });
  },
  journeyTimeoutMs,
);

describe("make up", () => {
  /** What make starts, by a node that says how it was started. */
  async function started(...settings: readonly string[]): Promise<string[]> {
    const bin = join(folder, "bin");
    mkdirSync(bin, { recursive: true });
    const says = '#!/bin/sh\necho "$@" "[$PACKSHOT_MODEL_DIR] [$PACKSHOT_IMAGE_MODEL]"\n';
    writeFileSync(join(bin, "node"), says, { mode: 0o755 });
    const child = start("make", ["--silent", "--old-file=setup", "up", `run=PATH="${bin}:$$PATH"`, ...settings]);
    return (await outputOf(child)).trim().split("\n");
  }

  test("serves no image model unless it is asked", async () => {
    expect(await started()).toEqual(["cli/packshot.ts up --data-dir data --port 8080 [] []"]);
  });

  test("with ENGINE=generative serves the stand-in, which it says, or the model that is named", async () => {
    expect(await started("ENGINE=generative")).toEqual([
      "scripts/write-stand-in.ts data/models [] []",
      "cli/packshot.ts up --data-dir data --port 8080 [] [stand-in]",
    ]);
    expect(await started("ENGINE=generative", "PACKSHOT_MODEL_DIR=/my models")).toEqual([
      "scripts/write-stand-in.ts /my models [/my models] []",
      "cli/packshot.ts up --data-dir data --port 8080 [/my models] [stand-in]",
    ]);
    expect(await started("ENGINE=generative", "PACKSHOT_IMAGE_MODEL=klein")).toEqual([
      "cli/packshot.ts up --data-dir data --port 8080 [] [klein]",
    ]);
  });
});

test("the version is the package's", async () => {
  const child = start(process.execPath, ["cli/packshot.ts", "--version"]);
  expect(await outputOf(child)).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test("the demo refuses an engine that there is not before it starts anything", async () => {
  const child = start(process.execPath, ["cli/demo.ts", "--engine", "diffusion", "--output", join(folder, "output")]);
  expect(await outputOf(child)).toBe('demo: ENGINE must be renderer or generative, not "diffusion".\n');
  expect(existsSync(join(folder, "output"))).toBe(false);
});

test("an operator's mistake is answered in one sentence, without a stack", async () => {
  const cases: readonly (readonly [args: readonly string[], said: string])[] = [
    [["up", "--data-dir", join(root, "README.md", "x")], "packshot: the data folder"],
    [["up", "--port", "99999"], "packshot: --port must be a whole number from 0 to 65535"],
    [["up", "--allow-source", "nonsense"], "packshot: --allow-source must be HOST:PORT"],
    [["upp"], 'packshot: unknown command "upp"'],
  ];
  for (const [args, said] of cases) {
    const child = start(process.execPath, ["cli/packshot.ts", ...args]);
    const output = await outputOf(child);
    expect(child.exitCode).toBe(1);
    expect(output.startsWith(said), output).toBe(true);
    expect(output.trim().split("\n").length, output).toBe(1);
  }
});
