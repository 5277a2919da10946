/** The image model of `make demo ENGINE=generative`: the operator's own, or a stand-in where PACKSHOT_IMAGE_MODEL names none. */

import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { pause } from "@packshot/platform/flow/pause.ts";
import { CommandError } from "../command-line/command.ts";
import type { PublicClient } from "./public-client.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Its graphs are made by the specs' own builders, which are no part of what is installed. */
const writeStandIn = fileURLToPath(new URL("../../scripts/write-stand-in.ts", import.meta.url));
/** A worker asks the model server every two seconds, and tells the API by its next heartbeat. */
const announceTimeoutMs = 60_000;
const askEveryMs = 250;

interface DemoImageModel {
  /** Settings by which the stack serves it. */
  readonly settings: Environment;
  readonly about: string;
}

/** The folder of pulled models that the demo's stack looks into. */
export function modelFolderOf(dataDir: string, environment: Environment): string {
  return environment.PACKSHOT_MODEL_DIR || join(dataDir, "models");
}

/** undefined: the renderer alone makes scenes. */
export async function prepareImageModel(
  engine: string,
  dataDir: string,
  environment: Environment,
): Promise<DemoImageModel | undefined> {
  if (engine === "renderer") return undefined;
  if (engine !== "generative") throw new CommandError(`ENGINE must be renderer or generative, not "${engine}".`);
  const own = environment.PACKSHOT_IMAGE_MODEL;
  if (own) return { settings: {}, about: `${own}, which PACKSHOT_IMAGE_MODEL names` };
  // Beside the models that are there: another folder would hide them.
  await promisify(execFile)(process.execPath, [writeStandIn, modelFolderOf(dataDir, environment)]);
  return {
    settings: { PACKSHOT_IMAGE_MODEL: "stand-in" },
    about:
      "a STAND-IN, which tints the rendered scene by the prompt: it shows the way of an edit, not what an image model paints",
  };
}

/** Until a worker has said that its model server has the model; before, edits by it are refused. */
export async function untilGenerative(client: Pick<PublicClient, "get">): Promise<void> {
  const givenUp = AbortSignal.timeout(announceTimeoutMs);
  for (;;) {
    const { engines } = await client.get<{ engines: readonly string[] }>("/v1/tools/ai-bg");
    if (engines.includes("generative")) return;
    if (givenUp.aborted) throw new CommandError("no worker has found the image model; see the logs.");
    await pause(askEveryMs, givenUp);
  }
}
