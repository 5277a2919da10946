import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isAtLeast, natsServerVersionMin } from "@packshot/log/operate/examine.ts";
import { CommandError } from "../command-line/command.ts";

const toolsFolder = fileURLToPath(new URL("../../.tools", import.meta.url));

/**
 * The first nats-server that is new enough: the one that PACKSHOT_NATS_SERVER names, else on PATH, else where
 * `make setup` puts it. Throws a CommandError that says what to do.
 */
export function findNatsServer(environment: Readonly<Record<string, string | undefined>>): string {
  const { PACKSHOT_NATS_SERVER: named, PATH = "" } = environment;
  const folders = [...PATH.split(delimiter), toolsFolder].filter(Boolean);
  const candidates = named ? [named] : folders.map((folder) => join(folder, "nats-server"));
  const tooOld: string[] = [];
  for (const candidate of candidates) {
    try {
      accessSync(candidate, constants.X_OK);
    } catch {
      continue;
    }
    const version = /v(\d+\.\d+\.\d+)/.exec(
      spawnSync(candidate, ["--version"], { encoding: "utf8" }).stdout ?? "",
    )?.[1];
    if (version !== undefined && isAtLeast(version, natsServerVersionMin)) return candidate;
    tooOld.push(`${candidate} is ${version ?? "no nats-server"}`);
  }
  const seen = tooOld.length > 0 ? ` (${tooOld.join("; ")})` : "";
  throw new CommandError(
    `nats-server ${natsServerVersionMin} or newer was not found${seen}: run "make setup", or put one on PATH.`,
  );
}
