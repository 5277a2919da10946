import { spawnSync } from "node:child_process";
import { statfsSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readSettings, SettingsError } from "@packshot/platform/config/settings.ts";
import { findNatsServer } from "@packshot/platform/nats/nats-server.ts";
import { type Command, readArguments } from "./command-line.ts";
import { environment } from "./environment.ts";
import { knownModels } from "./models.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const GiB = 1024 ** 3;
const memoryWanted = 2 * GiB;
const diskWanted = 2 * GiB;

const help = `packshot doctor: can this machine run the service?

  packshot doctor [--data-dir D]

Checks Node, nats-server, settings, memory, disk, model weights and GPU. The status is 1 when something must be put right.`;

type Finding = readonly [verdict: "ok" | "note" | "fault", what: string];

function natsServer(): Finding {
  try {
    const path = findNatsServer({
      explicit: environment.PACKSHOT_NATS_SERVER,
      searchPath: environment.PATH ?? "",
      toolsFolder: join(root, ".tools"),
    });
    return ["ok", `nats-server: ${path}`];
  } catch (error) {
    return ["fault", (error as Error).message];
  }
}

function settings(): Finding {
  try {
    readSettings(environment);
    return ["ok", "settings of the environment"];
  } catch (error) {
    if (error instanceof SettingsError) return ["fault", error.message];
    throw error;
  }
}

function memory(): Finding {
  const found = `memory: ${(totalmem() / GiB).toFixed(1)} GiB, ${availableParallelism()} cores`;
  return totalmem() >= memoryWanted ? ["ok", found] : ["note", `${found}; large photos want 2 GiB`];
}

function disk(dataDir: string): Finding {
  try {
    const { bavail, bsize } = statfsSync(dataDir);
    const free = bavail * bsize;
    const found = `disk: ${(free / GiB).toFixed(1)} GiB free in ${dataDir}`;
    return free >= diskWanted
      ? ["ok", found]
      : ["fault", `${found}; files are kept for an hour and want 2 GiB at least`];
  } catch {
    return ["note", `${dataDir} is not there yet; "packshot up" makes it`];
  }
}

function weights(): Finding {
  const here = knownModels().filter((model) => model.weights.length > 0);
  const names = here.map(({ manifest }) => manifest.name).join(", ");
  return here.length > 0
    ? ["ok", `models with weights: ${names}`]
    : ["fault", "no model has weights: check out models/packshot-mask again"];
}

function gpu(): Finding {
  const { status, stdout } = spawnSync("nvidia-smi", ["--query-gpu=name,memory.total", "--format=csv,noheader"], {
    encoding: "utf8",
  });
  if (status !== 0) return ["note", "no NVIDIA GPU is visible: models run on the CPU"];
  return ["ok", `GPU: ${stdout.trim().split("\n").join("; ")}; PACKSHOT_EXECUTION_PROVIDERS=cuda uses it`];
}

async function run(args: readonly string[]): Promise<number> {
  const { values } = readArguments(args, { "data-dir": { type: "string", default: "." } });
  const findings: Finding[] = [
    ["ok", `Node ${process.versions.node}`],
    natsServer(),
    settings(),
    memory(),
    disk(values["data-dir"]),
    weights(),
    gpu(),
  ];
  for (const [verdict, what] of findings) process.stdout.write(`${verdict.padEnd(6)} ${what}\n`);
  return findings.some(([verdict]) => verdict === "fault") ? 1 : 0;
}

export const doctor: Command = { summary: "check whether this machine can run the service", help, run };
