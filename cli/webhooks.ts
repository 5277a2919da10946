import { styleText } from "node:util";
import { accessFlags, accessHelp, explained, openClient, serviceOf } from "./client/service-access.ts";
import { withoutQuery } from "./command-line/address.ts";
import {
  type Command,
  CommandError,
  readArguments,
  stopSignal,
  untilAborted,
  wholeNumber,
} from "./command-line/command.ts";
import { printLine, printNote, printStyled } from "./command-line/print.ts";
import { listen } from "./webhooks/listen.ts";

const help = `packshot webhooks: events of the account, for whoever writes a receiver.

  packshot webhooks listen [options]   print events as they come, until Ctrl-C

  --forward URL     post each event to this address too, as it came: the
                    signature stays valid. Its answer goes to the service, so
                    that a failure is delivered again, as in production
  --events A,B      only these kinds, such as job.completed,batch.completed
  --port N          of the listener on this machine (default: a free one)
  --public-url URL  where the service reaches the listener, as by a tunnel; a
                    stack on this machine needs none
  --json            print each event as it is, one a line
${accessHelp}

Registers a webhook, prints its secret, and removes it at the end.

  packshot webhooks listen --forward http://localhost:3000/hooks/packshot`;

const asItIs = (text: string) => text;
const inRed = (text: string) => styleText("red", text, { stream: process.stdout });

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, {
    ...accessFlags,
    forward: { type: "string" },
    events: { type: "string" },
    port: { type: "string", default: "0" },
    "public-url": { type: "string" },
    json: { type: "boolean", default: false },
  });
  if (positionals.length === 0) throw new CommandError('webhooks needs a subcommand: "packshot webhooks listen".');
  if (positionals.join(" ") !== "listen")
    throw new CommandError(`unknown subcommand of webhooks: "${positionals.join(" ")}"; use listen.`);
  for (const name of ["forward", "public-url"] as const) {
    const url = values[name];
    if (url !== undefined && !/^https?:\/\//.test(url))
      throw new CommandError(`--${name} must be an address like http://localhost:3000/hooks, not "${url}".`);
  }
  const port = wholeNumber("--port", values.port, 0, 65_535);
  const client = openClient(await serviceOf(values));
  const signal = stopSignal();
  const { forward, "public-url": publicUrl, json } = values;
  const listener = await explained(
    listen({
      client,
      port,
      forward,
      publicUrl,
      events: values.events?.split(","),
      onEvent: ({ line, isFault, raw }) => (json ? printLine(raw) : printStyled(line, isFault ? inRed : asItIs)),
    }),
  );
  // The lines of --json are events only.
  printNote(
    `Events come to ${withoutQuery(listener.url)}${forward === undefined ? "" : ` and go on to ${withoutQuery(forward)}`}`,
  );
  printNote(`Secret: ${listener.secret}`);
  printNote("Ctrl-C stops it.");
  await untilAborted(signal);
  await listener.stop();
  return 0;
}

export const webhooks: Command = { summary: "print and forward events as they come", help, run };
