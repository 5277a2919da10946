import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { examineNats } from "@packshot/log/operate/examine.ts";
import { doctor as examineInference, type Finding } from "@packshot/models/doctor.ts";
import { findDefaultModelProblem } from "@packshot/models/model-repository.ts";
import { readSettings, type Settings, SettingsError } from "@packshot/platform/config/settings.ts";
import { type FoundCage, findCage } from "@packshot/platform/images/find-cage.ts";
import { checkRedis } from "@packshot/platform/redis/check-redis.ts";
import { readRedisSettings } from "@packshot/platform/redis/redis-settings.ts";
import { examineBucketOf } from "@packshot/platform/storage/bucket.ts";
import { findFolderProblem } from "@packshot/platform/storage/disk-folder.ts";
import { dataDirDefault } from "./client/service-access.ts";
import { type Command, readArguments, wholeNumber } from "./command-line/command.ts";
import { environment } from "./command-line/environment.ts";
import { printText } from "./command-line/print.ts";
import { modelFolders } from "./models.ts";
import { examineStack } from "./operator/examine-stack.ts";
import { diskOf, findLittleRoom, formatFree } from "./up/free-space.ts";
import { findNatsServer } from "./up/nats-server.ts";

const help = `packshot doctor: check whether this machine can run the service.

  packshot doctor [--data-dir D] [--wait SECONDS]

Checks settings, nats-server, disk, the folder of the storage, memory, GPU,
onnxruntime, model weights, what confines decoders, and each process of the
stack that "packshot up" runs in D (by default make up's), and says how to fix
what is wrong. With PACKSHOT_STORAGE=s3 it also puts, gets, lists and deletes a
file in the bucket, follows a link, and compares the clocks. Where
PACKSHOT_NATS_URL is set, it looks at those servers: whether they let it in,
their version, limits, replicas and clock, and by PACKSHOT_NATS_MONITOR_URLS
whether they write to disk before they confirm.

Exits with status 1 when a check fails. With --wait it checks again every ten
seconds until none does, or the seconds are over.

  packshot doctor --data-dir data`;

const betweenLooksMs = 10_000;

function natsServer(): Finding {
  const check = "nats-server";
  try {
    return { check, state: "ok", message: findNatsServer(environment) };
  } catch (error) {
    return { check, state: "fault", message: (error as Error).message };
  }
}

function disk(dataDir: string): Finding[] {
  const check = "disk";
  if (!existsSync(dataDir)) {
    return [{ check, state: "warning", message: `${dataDir} does not exist yet; packshot up creates it` }];
  }
  const found = diskOf(dataDir);
  if (found === undefined) return [];
  const problem = findLittleRoom(found);
  if (problem !== undefined) return [{ check, state: "fault", message: problem }];
  return [{ check, state: "ok", message: formatFree(found) }];
}

/** As `up` and the API try it; nothing is left there. */
export async function storageFinding(dir: string): Promise<Finding> {
  const check = "storage";
  const problem = await findFolderProblem(dir, { mayBeFull: false });
  if (problem === undefined) return { check, state: "ok", message: `${dir} can be written` };
  const message = `${dir} cannot be written: ${problem}; set PACKSHOT_STORAGE_DIR to another folder`;
  return { check, state: "fault", message };
}

/** The folder that the settings name with its disk, unless a data folder is given that has one of its own. */
async function storage(known: Settings | undefined, dataDir: string | undefined): Promise<Finding[]> {
  if (known === undefined) return [];
  if (known.PACKSHOT_STORAGE === "s3") return await examineBucketOf(known);
  const dir = known.PACKSHOT_STORAGE_DIR;
  if (environment.PACKSHOT_STORAGE_DIR) return [...disk(dir), await storageFinding(dir)];
  return [await storageFinding(dataDir === undefined ? dir : join(dataDir, "storage"))];
}

/** No fault: model servers elsewhere may have weights that this machine has not. */
export function defaultModelFinding(
  known: Pick<Settings, "PACKSHOT_DEFAULT_MODEL" | "PACKSHOT_SERVED_MODELS">,
  modelDir: string | undefined,
): Finding[] {
  const { PACKSHOT_DEFAULT_MODEL: model, PACKSHOT_SERVED_MODELS: served } = known;
  const problem = served.includes(model.split("@")[0]!)
    ? undefined
    : findDefaultModelProblem(model, modelFolders(modelDir));
  return problem === undefined ? [] : [{ check: "default model", state: "warning", message: problem }];
}

/** The one that the environment names, or the one in the data folder, where `models pull` puts weights and `up` looks. */
function modelDirOf(dataDir: string | undefined): string | undefined {
  if (environment.PACKSHOT_MODEL_DIR || dataDir === undefined) return environment.PACKSHOT_MODEL_DIR || undefined;
  const own = join(dataDir, "models");
  return existsSync(own) ? own : undefined;
}

/** Without settings where some are wrong. */
function settings(): { finding: Finding; settings?: Settings } {
  const check = "settings";
  try {
    const message = "every PACKSHOT_ setting of the environment is valid";
    return { finding: { check, state: "ok", message }, settings: readSettings(environment) };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return { finding: { check, state: "fault", message: error.message } };
  }
}

/** The log's servers where the environment names them, and otherwise the program that `up` would start. */
async function log(known: Settings | undefined): Promise<Finding[]> {
  const isNamed = (environment.PACKSHOT_NATS_URL ?? "") !== "";
  return known !== undefined && isNamed ? await examineNats(known) : [natsServer()];
}

/**
 * Without it `packshot up` works all the same, and a worker of its own only with PACKSHOT_DECODER_CAGE=off: whether one runs here is
 * not known where the variable is not set.
 */
export function decoderFinding(found: FoundCage, setting: string | undefined): Finding {
  const check = "decoders";
  if (found.kind !== "holds") {
    const message = `not confined: ${found.problem}`;
    if (setting !== "on" || found.kind === "no-platform") return { check, state: "warning", message };
    const needed = "a worker needs Linux 5.13 or later with Landlock, or PACKSHOT_DECODER_CAGE=off";
    return { check, state: "fault", message: `${message}; ${needed}` };
  }
  const { landlock } = found.report;
  const held = `Landlock (ABI ${landlock}${landlock < 4 ? ", which knows no TCP: seccomp refuses it" : ""}) and seccomp`;
  if (setting === "off")
    return { check, state: "warning", message: `not confined: PACKSHOT_DECODER_CAGE is off; ${held} would hold` };
  return { check, state: "ok", message: `confined by ${held}` };
}

/** Optional, so its absence is no fault. */
async function redis(read: Settings | undefined): Promise<Finding[]> {
  const redisSettings = read === undefined ? undefined : readRedisSettings(read);
  if (redisSettings === undefined) return [];
  return [{ check: "redis", ...(await checkRedis(redisSettings)) }];
}

async function examine(dataDir: string | undefined): Promise<Finding[]> {
  const ofSettings = settings();
  const modelDir = modelDirOf(dataDir);
  const ofInference = await examineInference({
    ...modelFolders(modelDir),
    executionProviders: ofSettings.settings?.PACKSHOT_EXECUTION_PROVIDERS ?? ["cpu"],
  });
  const ofStorage = await storage(ofSettings.settings, dataDir);
  const ofEngines = [...ofStorage, ...(await redis(ofSettings.settings))];
  return [
    ofSettings.finding,
    ...(await log(ofSettings.settings)),
    ...disk(dataDir ?? "."),
    decoderFinding(findCage(), environment.PACKSHOT_DECODER_CAGE),
    ...ofEngines,
    ...ofInference,
    ...(ofSettings.settings === undefined ? [] : defaultModelFinding(ofSettings.settings, modelDir)),
    ...(await examineStack(dataDir ?? dataDirDefault)),
  ];
}

async function look(dataDir: string | undefined): Promise<boolean> {
  const findings = await examine(dataDir);
  for (const { check, state, message } of findings) printText(`${state.padEnd(8)} ${check}: ${message}\n`);
  return findings.every(({ state }) => state !== "fault");
}

/** @param isWell looks once, at least. Resolves with what the last look found. */
export async function untilWell(
  isWell: () => Promise<boolean>,
  waitMs: number,
  betweenMs = betweenLooksMs,
): Promise<boolean> {
  const endsAtMs = performance.now() + waitMs;
  while (!(await isWell())) {
    const leftMs = endsAtMs - performance.now();
    if (leftMs <= 0) return false;
    await delay(Math.min(betweenMs, leftMs));
    if (leftMs <= betweenMs) return await isWell();
  }
  return true;
}

async function run(args: readonly string[]): Promise<number> {
  const { values } = readArguments(args, { "data-dir": { type: "string" }, wait: { type: "string", default: "0" } }, 0);
  const waitMs = wholeNumber("--wait", values.wait, 0, 3_600) * 1000;
  return (await untilWell(() => look(values["data-dir"]), waitMs)) ? 0 : 1;
}

export const doctor: Command = { summary: "check whether this machine can run the service", help, run };
