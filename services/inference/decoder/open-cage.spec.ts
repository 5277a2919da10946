import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findCage } from "@packshot/platform/images/find-cage.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
  it("refuses to start without a launcher, and says what to do", () => {
    const missing = join(folder, "nowhere");
    expect(() => open("on", missing)).toThrow(/nowhere is missing: "make setup" builds it.*PACKSHOT_DECODER_CAGE=off/);
  });

  it("refuses to start where the kernel refuses the cage", () => {
    const launcher = launcherSaying(
      '{"version":"x","landlock":0,"seccomp":false,"problem":"the kernel has no Landlock"}',
    );
    expect(() => open("on", launcher)).toThrow(/the kernel refuses it: the kernel has no Landlock/);
  });

  it("refuses a launcher that says nothing", () => {
    expect(() => open("on", launcherSaying("hello"))).toThrow(/does not run/);
  });

  it("has no cage where it is off", () => {
    expect(open("off", join(folder, "nowhere"))).toBeUndefined();
  });

  it("starts decoders by the launcher, with limits by the largest image", () => {
    const launcher = launcherSaying('{"version":"x","landlock":7,"seccomp":true}');
    expect(findCage(launcher)).toMatchObject({ kind: "holds", report: { landlock: 7 } });
    const { arguments: said } = open("on", launcher)!;
    expect(said[said.indexOf("--data-bytes") + 1]).toBe(String(1024 ** 3 + 32_000_000));
  });
});
