/** `packshot status`: whether a service answers, what it says of itself, and what the account may do. */
import type { Account } from "@packshot/sdk/packshot.ts";
import { accessFlags, accessHelp, explained, openClient, type Service, serviceOf } from "./client/service-access.ts";
import { withoutQuery } from "./command-line/address.ts";
import { type Command, CommandError, readArguments } from "./command-line/command.ts";
import { printJson, printLine } from "./command-line/print.ts";

const help = `packshot status: whether the service runs, and what the account has.

  packshot status [--json]

  --json            print it as JSON
${accessHelp}

Exits with status 1 when the service does not answer or refuses the key, and
with 3 when it answers and is not ready.

  packshot status --url https://packshot.example --key ps_live_…`;

const healthTimeoutMs = 10_000;
const notReady = 3;

interface Health {
  readonly isReady: boolean;
  /** Why not, where it says so. */
  readonly said: string;
}

async function run(args: readonly string[]): Promise<number> {
  const { values } = readArguments(
    args,
    {
      ...accessFlags,
      json: { type: "boolean", default: false },
    },
    0,
  );
  const service = await serviceOf(values);
  const client = openClient(service);
  const health = await healthOf(service);
  const account = await explained(client.account.get());
  const tools = await explained(Array.fromAsync(client.tools.list()));
  if (values.json) printJson({ url: service.baseUrl, ready: health.isReady, health: health.said, account, tools });
  else print(service, health, account, tools.map(({ id, creditsPerEdit }) => `${id} (${creditsPerEdit})`).join(", "));
  return health.isReady ? 0 : notReady;
}

async function healthOf({ baseUrl }: Service): Promise<Health> {
  try {
    const url = `${baseUrl.replace(/\/+$/, "")}/healthz`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(healthTimeoutMs) });
    return { isReady: answer.ok, said: await answer.text() };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException };
    const why = cause?.code ?? cause?.message ?? message;
    throw new CommandError(`${withoutQuery(baseUrl)} does not answer (${why}): does the service run?`);
  }
}

function print({ baseUrl }: Service, health: Health, account: Account, tools: string): void {
  const { credits, limits, jobs } = account;
  const rows = [
    ["service", `${withoutQuery(baseUrl)}, ${health.isReady ? "ready" : `not ready: ${health.said}`}`],
    ["account", `${account.accountId}, plan ${account.plan}${account.apiEnabled ? "" : ", suspended"}`],
    ["credits", `${credits.remaining} left until ${credits.periodEndsAt.slice(0, 10)}`],
    ["jobs", `${jobs?.running ?? 0} of ${limits.concurrentJobs} at once, ${jobs?.waiting ?? 0} waiting`],
    ["tools", `${tools} credits for an edit`],
  ];
  for (const [name, text] of rows) printLine(`${name!.padEnd(8)} ${text}`);
}

export const status: Command = { summary: "whether the service runs, and what the account has", help, run };
