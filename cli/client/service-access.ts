/** Which service a command talks to: the one that is named, or the stack of a data folder on this machine. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Packshot, PackshotError } from "@packshot/sdk/packshot.ts";
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

/** A person at a terminal would rather wait for an hourly rate than begin anew. */
const retryAfterMsMax = 600_000;

export function openClient(service: Service): Packshot {
  return new Packshot({ ...service, retryAfterMsMax });
}

/** What went wrong, as a sentence with what to do about it. */
export function sentenceOf(error: PackshotError): string {
  const advice = advices[error.code];
  const said = error.message.replace(/\.$/, "");
  if (advice === undefined) return `${said} (${error.code}).`;
  return `${said}: ${advice}${advice.endsWith("?") ? "" : "."}`;
}

const advices: Readonly<Record<string, string>> = {
  unauthenticated: "give a key that works with --key or PACKSHOT_KEY",
  insufficient_credits: "ask the operator for credits (packshot accounts grant)",
  api_disabled: "ask the operator, who has suspended the account",
  connection_failed: "does the service run, and is its address right?",
  timed_out: "is the service overloaded, or behind a proxy that holds requests?",
  rate_limit_exceeded: "the account's hourly rate is used up; try again later",
  scope_missing: "use a key with that scope",
};

/** Rejects with a CommandError where the service refused or was not there. */
export async function explained<T>(pending: Promise<T>): Promise<T> {
  try {
    return await pending;
  } catch (error) {
    throw error instanceof PackshotError ? new CommandError(sentenceOf(error)) : error;
  }
}
