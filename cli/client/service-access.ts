/** Which service a command talks to: the one that is named, or the stack of a data folder on this machine. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CommandError } from "../command-line/command.ts";
import { environment } from "../command-line/environment.ts";
import type { StackFile } from "../operator/stack-file.ts";

export interface Service {
  readonly baseUrl: string;
  readonly apiKey: string;
}

export const accessFlags = {
  url: { type: "string" },
  key: { type: "string" },
  "data-dir": { type: "string" },
} as const;

export const accessHelp = `  --url U, --key K  the service and its API key (or PACKSHOT_URL, PACKSHOT_KEY)
  --data-dir D      without them: the stack of this folder (default: make up's)`;

interface AccessValues {
  readonly url?: string | undefined;
  readonly key?: string | undefined;
  readonly "data-dir"?: string | undefined;
}

const root = fileURLToPath(new URL("../..", import.meta.url));
/** The folder that `make up` uses. */
export const dataDirDefault = join(root, "data");
const demoDataDir = join(root, ".packshot", "demo");
const probeTimeoutMs = 3_000;

/** undefined: no service is named, and no stack runs. */
export async function findService(values: AccessValues): Promise<Service | undefined> {
  const baseUrl = values.url ?? environment.PACKSHOT_URL;
  if (baseUrl !== undefined && baseUrl !== "") {
    if (!URL.canParse(baseUrl) || !/^https?:/i.test(baseUrl))
      throw new CommandError(`"${baseUrl}" is no address of a service: it must be like https://packshot.example.`);
    const apiKey = values.key ?? environment.PACKSHOT_KEY;
    if (!apiKey) throw new CommandError(`${baseUrl} needs an API key: give it with --key, or set PACKSHOT_KEY.`);
    return { baseUrl, apiKey };
  }
  const folders = values["data-dir"] === undefined ? [dataDirDefault, demoDataDir] : [values["data-dir"]];
  for (const folder of folders) {
    const stack = await runningStack(folder);
    if (stack !== undefined) return { baseUrl: stack.apiUrl, apiKey: values.key ?? stack.apiKey };
  }
  return undefined;
}

export async function serviceOf(values: AccessValues): Promise<Service> {
  const service = await findService(values);
  if (service !== undefined) return service;
  const folder = values["data-dir"] ?? dataDirDefault;
  throw new CommandError(
    `no stack runs in ${folder}: start it with "packshot up --data-dir ${folder}", or name a service with --url and --key.`,
  );
}

/** A launcher that was killed leaves its file behind, so the API is asked. */
async function runningStack(folder: string): Promise<StackFile | undefined> {
  let file: StackFile;
  try {
    file = JSON.parse(readFileSync(join(folder, "stack.json"), "utf8")) as StackFile;
  } catch {
    return undefined;
  }
  try {
    const answer = await fetch(`${file.apiUrl}/healthz`, { signal: AbortSignal.timeout(probeTimeoutMs) });
    await answer.body?.cancel();
    return file;
  } catch {
    return undefined;
  }
}
