/** The images, without an engine: exactly the files that the Dockerfile copies, with a production install, start each process. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serviceArguments } from "../../cli/up/services.ts";
import { copiedFiles, readStages } from "../../testing/deploy/dockerfile.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const stages = readStages();
const stage = (name: string) => stages.find((one) => one.name === name)!;
const read = (path: string) => readFileSync(join(root, path), "utf8");
const timeoutMs = 600_000;
/** Paths below `folder`. */
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .toSorted();
/** A part of something that is built before has no folder of its own. */
const isPart = ({ name }: { readonly name: string }) => name === "packshot:part-of";

test("images have exact tags, run as a user by number, and hold nothing that a process does not need", () => {
  const text = read("deploy/docker/Dockerfile");
  for (const [, image] of text.matchAll(/^ARG \w+_IMAGE=(\S+)$/gm)) expect(image).toMatch(/:\d+\.\d+\.\d+-[\w-]+$/);
  expect(text.match(/^USER .*$/gm)).toEqual(["USER 10001:10001", "USER 10001:10001"]);
  const { devDependencies } = JSON.parse(read("package.json")) as { devDependencies: { node: string } };
  expect(text).toContain(`ARG NODE_IMAGE=node:${devDependencies.node}-`);
  const copied = copiedFiles(stage("services")).map(({ from }) => from);
  expect(copied.filter((path) => /\.spec\.ts$|^(test|testing|bench|training|docs)\//.test(path))).toEqual([]);
  expect(copied).toEqual(expect.arrayContaining(["services/api/openapi.yaml", "proto/health.proto", "cli/try.ts"]));
});

test("the install copies the manifest of every workspace", () => {
  const { workspaces } = JSON.parse(read("package.json")) as { workspaces: readonly string[] };
  const manifests = workspaces.flatMap((pattern) => globSync(`${pattern}/package.json`, { cwd: root }));
  const copied = copiedFiles(stage("manifests"));
  expect(copied.map(({ to }) => to)).toEqual(expect.arrayContaining(manifests));
  expect(copied.filter(({ from, to }) => from !== to)).toEqual([]);
});

test("CUDA's wheels have hashes, and onnxruntime's has the version of the package", () => {
  const wheels = [
    ...read("deploy/docker/cuda-requirements.txt").matchAll(/^(\S+)==(\S+) --hash=sha256:([0-9a-f]{64})$/gm),
  ];
  expect(wheels).toHaveLength(8);
  const { dependencies } = JSON.parse(read("packages/models/package.json")) as { dependencies: Record<string, string> };
  expect(wheels.find(([, name]) => name === "onnxruntime-gpu")?.[2]).toBe(dependencies["onnxruntime-node"]);
  expect(copiedFiles(stage("cuda")).map(({ from }) => from)).toEqual([
    "deploy/docker/unpack-cuda.py",
    "deploy/docker/cuda-requirements.txt",
  ]);
});

describe("the files of the image, with a production install", () => {
  let folder: string;
  let install: ReturnType<typeof spawnSync>;
  const noRegistry = () => /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENOTCACHED/.test(String(install.stderr));

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "packshot-image-"));
    for (const { from, to } of [...["manifests", "services", "compiled"].flatMap((name) => copiedFiles(stage(name)))]) {
      mkdirSync(dirname(join(folder, to)), { recursive: true });
      copyFileSync(join(root, from), join(folder, to));
    }
    const [command] = stage("packages").instructions.flatMap((line) => /npm ci [^&]*/.exec(line)?.[0] ?? []);
    const [, ...args] = command!.trim().split(" ");
    install = spawnSync("npm", [...args, "--prefer-offline"], { cwd: folder, encoding: "utf8" });
  }, timeoutMs);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const start = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    spawn(process.execPath, args, { cwd: folder, env: { PATH: process.env.PATH, NODE_ENV: "production", ...env } });
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    spawnSync(process.execPath, args, {
      cwd: folder,
      encoding: "utf8",
      env: { PATH: process.env.PATH, NODE_ENV: "production", ...env },
    });

  /** The folder of modules as V8 compiles them, each name filled once. */
  const compiledModules = (name: string) => {
    const cache = join(folder, ".cache", name);
    if (existsSync(cache)) return cache;
    const { status, stderr } = run(["deploy/docker/fill-compile-cache.ts", cache]);
    expect(status, stderr).toBe(0);
    return cache;
  };

  test("npm ci installs what the lock file says, without a package for development", ({ skip }) => {
    if (install.status !== 0 && noRegistry()) skip("no registry can be reached");
    expect(install.status, String(install.stderr)).toBe(0);
    for (const name of ["vitest", "typescript", "@biomejs/biome", "node"])
      expect(existsSync(join(folder, "node_modules", name)), name).toBe(false);
  });

  test("the command line and doctor run", ({ skip }) => {
    if (install.status !== 0 && noRegistry()) skip("no registry can be reached");
    // What one command has compiled, the next ones find.
    const packshot = (...args: readonly string[]) =>
      run(["cli/packshot.ts", ...args], { NODE_COMPILE_CACHE: join(folder, ".cache", "commands") });
    expect(packshot("--help")).toMatchObject({ status: 0, stdout: expect.stringContaining("migrate") });
    const commands = ["migrate", "accounts", "keys", "models", "ledger", "doctor", "try"];
    for (const command of commands) expect(packshot(command, "--help")).toMatchObject({ status: 0 });
    expect(packshot("doctor").stdout).toMatch(/ok +onnxruntime on cpu/);
    expect(packshot("models", "verify")).toMatchObject({ status: 0 });
  });

  test("API and webhook service load, and miss their keys", ({ skip }) => {
    if (install.status !== 0 && noRegistry()) skip("no registry can be reached");
    for (const main of ["services/api/api-main.ts", "services/webhooks/webhooks-main.ts"]) {
      const { status, stderr } = run([main]);
      expect(status).not.toBe(0);
      expect(stderr).toMatch(/PACKSHOT_LINK_KEY is missing/);
    }
  });

  test("the model server serves its models, and the worker waits for a nats-server", async ({ skip }) => {
    if (install.status !== 0 && noRegistry()) skip("no registry can be reached");
    const server = start(["services/inference/model-server-main.ts"], {
      PACKSHOT_MODEL_GRPC_PORT: "0",
      PACKSHOT_MODEL_HTTP_PORT: "0",
    });
    const [ready] = await once(server.stdout.setEncoding("utf8"), "data");
    expect(JSON.parse(ready)).toMatchObject({ models: ["packshot-mask@1"] });
    server.kill();
    await once(server, "exit");

    const worker = start(["services/inference/worker-main.ts"], { PACKSHOT_NATS_URL: "nats://127.0.0.1:1" });
    const [line] = await once(worker.stderr.setEncoding("utf8"), "data");
    expect(line).toContain("nats");
    worker.kill();
    await once(worker, "exit");
  });

  test("the image has each module compiled that a service loads", { timeout: timeoutMs }, async ({ skip }) => {
    if (install.status !== 0 && noRegistry()) skip("no registry can be reached");
    const cache = { NODE_COMPILE_CACHE: compiledModules("compiled") };
    const compiled = () => filesIn(cache.NODE_COMPILE_CACHE);
    const before = compiled();
    const server = start([...serviceArguments("modelServer", folder)], {
      ...cache,
      PACKSHOT_MODEL_GRPC_PORT: "0",
      PACKSHOT_MODEL_HTTP_PORT: "0",
    });
    await once(server.stdout, "data");
    server.kill();
    await once(server, "exit");
    expect(compiled()).toEqual(before);
  });

  test("modules compiled twice are the same bytes", { timeout: timeoutMs }, ({ skip }) => {
    if (install.status !== 0 && noRegistry()) skip("no registry can be reached");
    const digests = (cache: string) => {
      const digest = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");
      return filesIn(cache).map((path) => `${path} ${digest(join(cache, path))}`);
    };
    const first = digests(compiledModules("compiled"));
    expect(first.length).toBeGreaterThan(1_000);
    for (const program of ["image-inspector", "decoder"])
      expect(first.filter((line) => line.startsWith(`confined/${program}/`)).length, program).toBeGreaterThan(20);
    expect(digests(compiledModules("compiled-again"))).toEqual(first);
  });

  test("the SBOM of this processor's image lists exactly the installed packages", ({ skip }) => {
    if (install.status !== 0 && noRegistry()) skip("no registry can be reached");
    const bill = mkdtempSync(join(tmpdir(), "packshot-sbom-"));
    try {
      execFileSync("sh", ["deploy/docker/write-sbom.sh", bill], { cwd: root, stdio: "ignore" });
      const image = process.arch === "arm64" ? "arm64" : "amd64";
      const { components } = JSON.parse(readFileSync(join(bill, `packshot-${image}.cdx.json`), "utf8")) as {
        components: readonly {
          type: string;
          name: string;
          version: string;
          properties?: readonly { name: string }[];
        }[];
      };
      const lock = JSON.parse(readFileSync(join(folder, "node_modules/.package-lock.json"), "utf8")) as {
        packages: Record<string, { version: string; link?: boolean }>;
      };
      const installed = Object.entries(lock.packages)
        .filter(([path, { link }]) => path.includes("node_modules/") && !link)
        .map(([path, { version }]) => `${path.split("node_modules/").at(-1)}@${version}`);
      const packages = components.filter(({ type, properties = [] }) => type === "library" && !properties.some(isPart));
      const listed = packages.map(({ name, version }) => `${name}@${version}`);
      expect([...new Set(listed)].toSorted()).toEqual([...new Set(installed)].toSorted());
      const cuda = readFileSync(join(bill, "packshot-cuda.cdx.json"), "utf8");
      expect(cuda).toContain("pkg:pypi/nvidia-cudnn-cu13@");
    } finally {
      rmSync(bill, { recursive: true });
    }
  });
});
