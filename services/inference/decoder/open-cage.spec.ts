import { globSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { confinedModules } from "@packshot/platform/images/confined-modules.ts";
import { findCage } from "@packshot/platform/images/find-cage.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cageOf } from "./cage.ts";
import { openCage } from "./open-cage.ts";

let folder: string;
const logger = createLogger({ name: "test", level: "silent" });
const open = (cage: "on" | "off", launcher?: string) =>
  openCage({
    settings: { PACKSHOT_DECODER_CAGE: cage, PACKSHOT_MAX_PIXELS: 1_000_000 },
    logger,
    ...(launcher !== undefined && { launcher }),
  });

/** A launcher that says of the kernel what a spec wants. */
function launcherSaying(report: string): string {
  const path = join(folder, "launcher");
  writeFileSync(path, `#!/bin/sh\necho '${report}'\n`, { mode: 0o755 });
  return path;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "packshot-cage-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.runIf(process.platform === "linux")("on Linux", () => {
  it("refuses to start without a launcher, and says what to do", async () => {
    const missing = join(folder, "nowhere");
    await expect(open("on", missing)).rejects.toThrow(
      /nowhere is missing: "make setup" builds it.*PACKSHOT_DECODER_CAGE=off/,
    );
  });

  it("refuses to start where the kernel refuses the cage", async () => {
    const launcher = launcherSaying(
      '{"version":"x","landlock":0,"seccomp":false,"problem":"the kernel has no Landlock"}',
    );
    await expect(open("on", launcher)).rejects.toThrow(/the kernel refuses it: the kernel has no Landlock/);
  });

  it("refuses a launcher that says nothing", async () => {
    await expect(open("on", launcherSaying("hello"))).rejects.toThrow(/does not run: .*"make setup"/);
  });

  it("has no cage where it is off", async () => {
    expect(await open("off", join(folder, "nowhere"))).toBeUndefined();
  });

  it("refuses to start where the kernel allows the cage and no decoder starts in it", async () => {
    const launcher = launcherSaying('{"version":"x","landlock":7,"seccomp":true}');
    expect(findCage(launcher)).toMatchObject({ kind: "holds", report: { landlock: 7 } });
    await expect(open("on", launcher)).rejects.toThrow(/no decoder starts in the cage.*PACKSHOT_DECODER_CAGE=off/);
  });

  it("starts decoders with limits by the largest image", { tags: ["packshot-cage"] }, async () => {
    const { arguments: said } = (await open("on"))!;
    expect(said[said.indexOf("--data-bytes") + 1]).toBe(String(1024 ** 3 + 32_000_000));
  });

  it("has Node keep the modules of decoders, which write none", { tags: ["packshot-cage"] }, async () => {
    const { environment } = (await open("on"))!;
    expect(environment.NODE_COMPILE_CACHE).toBe(confinedModules("decoder"));
    const kept = globSync("*/*", { cwd: environment.NODE_COMPILE_CACHE! });
    expect(kept.length).toBeGreaterThan(20);
  });

  it("keeps none where their folder is closed, as another user's is", () => {
    const closed = join(folder, "closed");
    symlinkSync(closed, closed);
    const { environment, arguments: said } = cageOf({ launcher: "packshot-cage", maxPixels: 1, modules: closed });
    expect(environment).not.toHaveProperty("NODE_COMPILE_CACHE");
    expect(said).not.toContain(closed);
  });
});
