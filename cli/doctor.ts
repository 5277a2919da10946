import { statfsSync } from "node:fs";
import { doctor as examineInference, type Finding } from "@packshot/models/doctor.ts";
import { readSettings, SettingsError } from "@packshot/platform/config/settings.ts";
import { findNatsServer } from "./up/find-nats-server.ts";
import { type Command, readArguments } from "./command-line/command.ts";
import { environment } from "./command-line/environment.ts";
import { modelFolders } from "./models.ts";

const GiB = 1024 ** 3;
const diskWanted = 2 * GiB;

const help = `packshot doctor: check whether this machine can run the service.

  packshot doctor [--data-dir D]

Checks settings, nats-server, disk, memory, GPU, onnxruntime and model weights, and says how to fix what is wrong.
Exits with status 1 when a check fails.`;

function natsServer(): Finding {
  const check = "nats-server";
  try {
    return { check, state: "ok", message: findNatsServer(environment) };
  } catch (error) {
    return { check, state: "fault", message: (error as Error).message };
  }
}

function disk(dataDir: string): Finding {
  const check = "disk";
  try {
    const { bavail, bsize } = statfsSync(dataDir);
    const free = `${((bavail * bsize) / GiB).toFixed(1)} GiB free in ${dataDir}`;
    if (bavail * bsize >= diskWanted) return { check, state: "ok", message: free };
    return {
      check,
      state: "fault",
      message: `${free}: at least 2 GiB is needed, because sources and results are kept for an hour`,
    };
  } catch {
    return { check, state: "warning", message: `${dataDir} does not exist yet; packshot up creates it` };
  }
}

function settings(): Finding & { executionProviders: readonly string[] } {
  try {
    const { PACKSHOT_EXECUTION_PROVIDERS: executionProviders } = readSettings(environment);
    return {
      check: "settings",
      state: "ok",
      message: "every PACKSHOT_ setting of the environment is valid",
      executionProviders,
    };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return { check: "settings", state: "fault", message: error.message, executionProviders: ["cpu"] };
  }
}

async function run(args: readonly string[]): Promise<number> {
  const { values } = readArguments(args, { "data-dir": { type: "string", default: "." } });
  const ofSettings = settings();
  const ofInference = await examineInference({
    ...modelFolders(environment.PACKSHOT_MODEL_DIR),
    executionProviders: ofSettings.executionProviders,
  });
  const findings: Finding[] = [ofSettings, natsServer(), disk(values["data-dir"]), ...ofInference];
  for (const { check, state, message } of findings) process.stdout.write(`${state.padEnd(8)} ${check}: ${message}\n`);
  return findings.some(({ state }) => state === "fault") ? 1 : 0;
}

export const doctor: Command = { summary: "check whether this machine can run the service", help, run };
