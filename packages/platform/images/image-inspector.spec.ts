import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { getCompileCacheDir } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, it, test, vi } from "vitest";
import { tiffOf } from "../../../testing/images/bombs.ts";
import { pngClaiming } from "../../../testing/images/odd-images.ts";
import { createLogger } from "../telemetry/logger.ts";
import { confinedModules } from "./confined-modules.ts";
import { cageLauncher } from "./find-cage.ts";
import { createImageInspector, type ImageInspector, type ImageInspectorDeps } from "./image-inspector.ts";
import { inspectImage } from "./inspect-image.ts";

const limits = { maxPixels: 100_000_000 };
const account = "acme";
const logger = createLogger({ name: "test", level: "fatal" });
const hostileMain = fileURLToPath(new URL("../../../testing/images/hostile-inspector-main.ts", import.meta.url));
const onLinux = existsSync("/proc/self/environ");

let folder: string;
let inspectors: ImageInspector[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "packshot-inspector-"));
});

afterEach(async () => {
  await Promise.all(inspectors.map((inspector) => inspector.stop()));
  inspectors = [];
  rmSync(folder, { recursive: true });
  vi.unstubAllEnvs();
});

async function start(deps: Partial<ImageInspectorDeps> = {}): Promise<ImageInspector> {
  const inspector = createImageInspector({ folder, logger, ...deps });
  inspectors.push(inspector);
  await inspector.start();
  return inspector;
}

const photo = (width = 30) =>
  sharp({ create: { width, height: 20, channels: 3, background: "#c33" } })
    .jpeg()
    .toBuffer();

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const variablesOf = (pid: number) =>
  readFileSync(`/proc/${pid}/environ`, "utf8")
    .split("\0")
    .map((line) => line.split("=")[0])
    .filter((name) => name !== "");

describe("the inspector of a process that holds keys", () => {
  it("finds what inspectImage finds, in bytes and in a file", async () => {
    const inspector = await start();
    const path = join(folder, "photo");
    const images = [
      await photo(),
      (await photo()).subarray(0, 24),
      pngClaiming(20_000, 10_000),
      Buffer.from("<svg/>"),
      Buffer.alloc(0),
      Buffer.alloc(64 * 1024, "no image\n"),
      tiffOf({ tags: [37_724], bytes: 5_000_000 }),
    ];
    for (const image of images) {
      writeFileSync(path, image);
      for (const source of [image, path]) {
        const [asked, found] = await Promise.allSettled([
          inspector.inspectImage(account, source, limits),
          inspectImage(source, limits),
        ]);
        if (found.status === "fulfilled") expect(asked).toEqual(found);
        else expect(asked).toMatchObject({ reason: { code: found.reason.code, message: found.reason.message } });
      }
    }
  });

  it("answers many questions, each with its own header", async () => {
    const inspector = await start();
    const widths = Array.from({ length: 40 }, (_, i) => i + 1);
    const headers = await Promise.all(
      widths.map(async (width) => inspector.inspectImage(account, await photo(width), limits)),
    );
    expect(headers.map(({ width }) => width)).toEqual(widths);
  });

  test.runIf(onLinux)("gives its processes no variable of its environment", async () => {
    vi.stubEnv("PACKSHOT_MASTER_KEY", "6".repeat(64));
    const inspector = await start();
    for (const pid of inspector.pids())
      expect(variablesOf(pid).filter((name) => name !== "PWD")).toEqual(["UV_THREADPOOL_SIZE", "NODE_COMPILE_CACHE"]);
  });

  it("keeps compiled modules where no process with keys reads them", async () => {
    await start();
    const modules = confinedModules("image-inspector")!;
    expect(modules).not.toContain(getCompileCacheDir());
    await expect.poll(() => globSync("*/*", { cwd: modules }).length).toBeGreaterThan(20);
  });

  const limitOf = (pid: number) =>
    /^Max data size +(\S+) +(\S+)/m.exec(readFileSync(`/proc/${pid}/limits`, "utf8"))!.slice(1);

  test.runIf(existsSync(cageLauncher))("limits their memory without a shell", async () => {
    const inspector = await start();
    expect(inspector.pids().map(limitOf)).toEqual(Array(2).fill(["872415232", "872415232"]));
    // A shell adds some of its own.
    expect(inspector.pids().map(variablesOf)).toEqual(Array(2).fill(["UV_THREADPOOL_SIZE", "NODE_COMPILE_CACHE"]));
  });

  test.runIf(onLinux)("limits their memory by a shell where there is no launcher", async () => {
    const inspector = await start({ launcher: join(folder, "missing") });
    expect(inspector.pids().map(limitOf)).toEqual(Array(2).fill(["872415232", "872415232"]));
  });

  const launcherSaying = (script: string, mode = 0o755) => {
    const launcher = join(folder, "launcher");
    writeFileSync(launcher, script, { mode });
    return launcher;
  };

  test.runIf(onLinux).each([
    ["is older", "#!/bin/sh\necho 'usage: packshot-cage check' >&2\nexit 1\n", 0o755, "usage: packshot-cage check"],
    ["is another platform's", "\xcf\xfa\xed\xfe", 0o755, "limits no memory"],
    ["may not be run", "#!/bin/sh\n", 0o644, "EACCES"],
  ])("limits their memory by a shell where the launcher %s, and says how to mend it", async (_, script, mode, said) => {
    const warnings: object[] = [];
    const warn = (fields: object) => void warnings.push(fields);
    const launcher = launcherSaying(script, mode);
    const inspector = await start({ launcher, logger: { ...logger, warn } as typeof logger });
    expect(inspector.pids().map(limitOf)).toEqual(Array(2).fill(["872415232", "872415232"]));
    expect(warnings).toEqual([{ problem: expect.stringMatching(new RegExp(`^${launcher} .*${said}.*"make setup"`)) }]);
  });

  test.runIf(existsSync(cageLauncher))("tries the launcher once, however often a process is replaced", async () => {
    const calls = join(folder, "calls");
    const launcher = launcherSaying(`#!/bin/sh\necho "$1" >>${calls}\nexec ${cageLauncher} "$@"\n`);
    const inspector = await start({ launcher });
    const before = inspector.pids();
    for (const pid of before) process.kill(pid, "SIGKILL");
    await expect.poll(() => inspector.pids().filter((pid) => !before.includes(pid))).toHaveLength(2);
    await inspector.inspectImage(account, await photo(), limits);
    const made = readFileSync(calls, "utf8").split("\n");
    expect(made.filter((call) => call === "check")).toHaveLength(1);
    expect(made.filter((call) => call === "limit").length).toBeGreaterThanOrEqual(4);
  });

  it("lets its processes read no file outside of its folder", async () => {
    const inspector = await start({ folder: join(folder, "forms") });
    const path = join(folder, "photo");
    writeFileSync(path, await photo());
    await expect(inspector.inspectImage(account, path, limits)).rejects.toMatchObject({ code: "image_unreadable" });
    mkdirSync(join(folder, "forms"));
    renameSync(path, join(folder, "forms", "photo"));
    expect(await inspector.inspectImage(account, join(folder, "forms", "photo"), limits)).toMatchObject({ width: 30 });
  });

  it("tries an image once more when its process dies, and the next images in the process that replaces it", async () => {
    const inspector = await start();
    const before = inspector.pids();
    const asking = Array.from({ length: 20 }, async () => inspector.inspectImage(account, await photo(), limits));
    for (const pid of before) process.kill(pid, "SIGKILL");
    await Promise.all(asking);
    expect(inspector.pids()).not.toEqual(expect.arrayContaining([before[0]]));
  });

  test.runIf(onLinux)("refuses what is too much to wait, and answers the rest when it can", async () => {
    const inspector = await start({ answerTimeoutMs: 60_000 });
    const image = await photo();
    const pids = inspector.pids();
    for (const pid of pids) process.kill(pid, "SIGSTOP");
    const asked = Array.from({ length: 600 }, (_, i) => inspector.inspectImage(`account ${i % 6}`, image, limits));
    const outcomes = Promise.allSettled(asked);
    const refusal = { code: "unavailable", retryAfterSeconds: 1 };
    await expect(inspector.inspectImage(account, image, limits)).rejects.toMatchObject(refusal);
    for (const pid of pids) process.kill(pid, "SIGCONT");
    const refused = (await outcomes).filter((outcome) => outcome.status === "rejected");
    expect(refused.map(({ reason }) => reason)).toEqual(refused.map(() => expect.objectContaining(refusal)));
    expect(asked.length - refused.length).toBeGreaterThanOrEqual(512);
  });

  test.runIf(onLinux)("lets one account wait for no more than its share of the places", async () => {
    const inspector = await start({ answerTimeoutMs: 60_000 });
    const image = await photo();
    const pids = inspector.pids();
    for (const pid of pids) process.kill(pid, "SIGSTOP");
    const asked = Array.from({ length: 200 }, () => inspector.inspectImage("greedy", image, limits));
    const outcomes = Promise.allSettled(asked);
    await expect(inspector.inspectImage("greedy", image, limits)).rejects.toMatchObject({ code: "unavailable" });
    const neighbor = inspector.inspectImage("neighbor", image, limits);
    for (const pid of pids) process.kill(pid, "SIGCONT");
    expect(await neighbor).toMatchObject({ width: 30 });
    const answered = (await outcomes).filter(({ status }) => status === "fulfilled");
    expect(answered).toHaveLength(129);
  });

  it("works until it is stopped, although its whole process group is asked to end", async () => {
    const inspector = await start();
    const pids = inspector.pids();
    await Promise.all(pids.map(async () => inspector.inspectImage(account, await photo(), limits)));
    for (const pid of pids) for (const signal of ["SIGTERM", "SIGINT"]) process.kill(pid, signal);
    await Promise.all(pids.map(async () => inspector.inspectImage(account, await photo(), limits)));
    expect(inspector.pids()).toEqual(pids);
  });

  it("stops with its processes", async () => {
    const inspector = await start();
    const pids = inspector.pids();
    await inspector.stop();
    expect(pids.filter(isAlive)).toEqual([]);
    await expect(inspector.inspectImage(account, await photo(), limits)).rejects.toMatchObject({ code: "unavailable" });
  });

  test("its processes end when the process that holds the keys is killed", async () => {
    const module = JSON.stringify(fileURLToPath(new URL("./image-inspector.ts", import.meta.url)));
    const script = `
      import { createImageInspector } from ${module};
      const inspector = createImageInspector({ folder: ${JSON.stringify(folder)}, logger: console });
      await inspector.start();
      process.stdout.write(JSON.stringify(inspector.pids()) + "\\n");
    `;
    const owner = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(createInterface(owner.stdout), "line")) as [string];
    const pids = JSON.parse(line) as number[];
    owner.kill("SIGKILL");
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
  });
});

describe("an image that takes over its process", () => {
  const hostile = (deps: Partial<ImageInspectorDeps> = {}) => start({ main: hostileMain, ...deps });

  it.each(["crash", "answer at length", "answer something else", "answer as nobody may"])(
    "is refused as damaged when it makes the process %s",
    async (act) => {
      const inspector = await hostile();
      await expect(inspector.inspectImage(account, Buffer.from(act), limits)).rejects.toMatchObject({
        code: "image_unreadable",
        message: "The image is damaged: its header cannot be read.",
      });
      expect(await inspector.inspectImage(account, Buffer.from("another"), limits)).toMatchObject({ width: 1 });
    },
  );

  it("is refused when the process hangs, and holds up no other image", async () => {
    const inspector = await hostile({ answerTimeoutMs: 200 });
    const hanging = inspector.inspectImage(account, Buffer.from("hang"), limits);
    const outcome = expect(hanging).rejects.toMatchObject({ code: "image_unreadable" });
    expect(await inspector.inspectImage(account, Buffer.from("another"), limits)).toMatchObject({ width: 1 });
    await outcome;
  });

  it("is not tried again when it was late", async () => {
    const inspector = await hostile({ answerTimeoutMs: 200 });
    const before = inspector.pids();
    await expect(inspector.inspectImage(account, Buffer.from("hang"), limits)).rejects.toMatchObject({
      code: "image_unreadable",
    });
    // A second try would have cost the other process, too.
    expect(before.filter(isAlive)).toHaveLength(1);
    expect(await inspector.inspectImage(account, Buffer.from("another"), limits)).toMatchObject({ width: 1 });
  });

  it("holds up no image of other accounts, however many of them one account sends", async () => {
    const inspector = await hostile({ answerTimeoutMs: 60_000 });
    const hanging = Array.from({ length: 4 }, () => inspector.inspectImage("hostile", Buffer.from("hang"), limits));
    const outcomes = Promise.allSettled(hanging);
    const photos = ["a", "b", "c"].map((name) => inspector.inspectImage("ordinary", Buffer.from(name), limits));
    expect(await Promise.all(photos)).toEqual(photos.map(() => expect.objectContaining({ width: 1 })));
    await inspector.stop();
    expect((await outcomes).map(({ status }) => status)).toEqual(hanging.map(() => "rejected"));
  });

  test.runIf(onLinux)("is refused when it takes more memory than a process may have", async () => {
    const inspector = await hostile({ answerTimeoutMs: 60_000 });
    await expect(inspector.inspectImage(account, Buffer.from("take memory"), limits)).rejects.toMatchObject({
      code: "image_unreadable",
    });
    expect(await inspector.inspectImage(account, Buffer.from("another"), limits)).toMatchObject({ width: 1 });
  });
});

test("a process that cannot be started fails the inspector's start", async () => {
  await expect(start({ main: join(folder, "missing.ts") })).rejects.toThrow(/image inspector ended with status 1/);
});
