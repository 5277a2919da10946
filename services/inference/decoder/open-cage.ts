/** Opens the cage that a worker's decoders start in, or says why there is none. */

import { spawn } from "node:child_process";
import { globSync, mkdirSync } from "node:fs";
import { type Settings, SettingsError } from "@packshot/platform/config/settings.ts";
import { findCage } from "@packshot/platform/images/find-cage.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { type Cage, cageOf, confinedCommand } from "./cage.ts";
import { tryCage } from "./decoder-process.ts";

/** No photo waits for it yet. */
const firstStartTimeoutMs = 60_000;

export interface OpenCageDeps {
  readonly settings: Pick<Settings, "PACKSHOT_DECODER_CAGE" | "PACKSHOT_MAX_PIXELS">;
  readonly logger: Logger;
  /** For tests: another program than the launcher. */
  readonly launcher?: string;
}

/**
 * @returns undefined where photos are decoded in the worker itself
 * @throws SettingsError where the cage is wanted and Linux gives none, or no decoder starts in it
 */
export async function openCage({ settings, logger, launcher }: OpenCageDeps): Promise<Cage | undefined> {
  if (settings.PACKSHOT_DECODER_CAGE === "off") {
    logger.warn({}, "PACKSHOT_DECODER_CAGE is off: the worker's own threads decode what clients send");
    return undefined;
  }
  const found = findCage(launcher);
  if (found.kind === "holds") {
    const { landlock, version } = found.report;
    const cage = cageOf({ launcher: found.launcher, maxPixels: settings.PACKSHOT_MAX_PIXELS });
    await compileModules(cage);
    await tryCage(cage, firstStartTimeoutMs).catch((error: unknown) => {
      throw unconfined(`no decoder starts in the cage: ${(error as Error).message}`);
    });
    logger.info({ landlock, version }, "decoders run in a cage");
    return cage;
  }
  const { problem } = found;
  if (found.kind !== "no-platform") throw unconfined(problem);
  logger.warn({ problem }, "decoders are not confined: the worker's own threads decode what clients send");
  return undefined;
}

/**
 * Runs the program outside of the cage, with nothing to decode, so that Node keeps what it compiles: in the cage it can only read that. The
 * container image comes with these modules.
 */
async function compileModules(cage: Cage): Promise<void> {
  const { environment } = cage;
  const folder = environment.NODE_COMPILE_CACHE;
  // Node's folder below it has its version and the user in its name.
  const filled = `${process.version}-*-${process.getuid?.()}/*`;
  if (folder === undefined || globSync(filled, { cwd: folder }).length > 0) return;
  try {
    mkdirSync(folder, { recursive: true });
  } catch {
    return; // Nothing can be kept there: decoders compile their modules at each start.
  }
  const [program, ...rest] = confinedCommand(cage);
  const child = spawn(program!, rest, {
    env: environment,
    cwd: "/",
    stdio: ["pipe", "ignore", "ignore"],
    timeout: firstStartTimeoutMs,
  });
  child.stdin.on("error", () => {}).end(); // However it ends, the cage is tried next.
  await new Promise((resolve) => child.once("close", resolve).once("error", resolve));
}

function unconfined(problem: string): SettingsError {
  return new SettingsError([
    `decoders cannot be confined: ${problem}; PACKSHOT_DECODER_CAGE=off lets the worker's own threads decode what clients send`,
  ]);
}
