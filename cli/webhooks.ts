import { styleText } from "node:util";
import type { NewWebhook } from "@packshot/sdk/packshot.ts";
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
import { printJson, printLine, printNote, printStyled, printTable } from "./command-line/print.ts";
import { listen } from "./webhooks/listen.ts";
import { targetFlags, webhookTarget } from "./webhooks/webhook-target.ts";

const help = `packshot webhooks: events of the account, to a receiver, queue or topic.

  packshot webhooks list            with --json as JSON
  packshot webhooks add TARGET      registers one, and prints its secret
  packshot webhooks test ID         sends a webhook.test event to it
  packshot webhooks delete ID…      what waits for it is not sent
  packshot webhooks listen          prints events as they come, until Ctrl-C

  TARGET            an HTTPS address, --sqs URL, --sns ARN, --pubsub TOPIC or
                    --kafka PROXY/topics/T (or PROXY/v3/clusters/C/topics/T)
  --region R        of an SQS queue; --endpoint U of SNS or Pub/Sub elsewhere
  --format F        cloudevents; --events A,B: only these kinds of events
  --forward URL     listen: post each event to this address too, as it came,
                    with its signature; its answer goes to the service
  --port N          listen: the port on this machine; --public-url URL: where
                    the service reaches it, as by a tunnel
  --json            listen: print each event as it is, one a line
${accessHelp}

Keys are in AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, KAFKA_REST_USERNAME and
KAFKA_REST_PASSWORD; GOOGLE_APPLICATION_CREDENTIALS names Google's key file.`;

const asItIs = (text: string) => text;
const inRed = (text: string) => styleText("red", text, { stream: process.stdout });

const flags = {
  ...accessFlags,
  ...targetFlags,
  forward: { type: "string" },
  format: { type: "string" },
  events: { type: "string" },
  port: { type: "string", default: "0" },
  "public-url": { type: "string" },
  json: { type: "boolean", default: false },
} as const;

type Values = ReturnType<typeof readArguments<typeof flags>>["values"];
type Act = (names: readonly string[], values: Values) => Promise<void>;

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, flags, { list: 0, listen: 0 });
  const [verb, ...names] = positionals;
  if (verb === undefined) throw new CommandError('webhooks needs a subcommand: "packshot webhooks list".');
  const act = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (act === undefined)
    throw new CommandError(`unknown subcommand of webhooks: "${verb}"; use list, add, test, delete or listen.`);
  await act(names, values);
  return 0;
}

const verbs: Readonly<Record<string, Act>> = {
  async list(_names, values) {
    const webhooks = await explained(Array.fromAsync(openClient(await serviceOf(values)).webhooks.list()));
    if (values.json) printJson(webhooks);
    else if (webhooks.length === 0) printLine("no webhooks");
    else {
      printTable(
        ["id", "kind", "address", "status"],
        webhooks.map(({ id, kind, url, status, disabledReason }) => [
          id,
          kind,
          withoutQuery(url),
          disabledReason === null ? status : `${status}: ${disabledReason}`,
        ]),
      );
    }
  },
  async add(urls, values) {
    const target = await webhookTarget(urls, values);
    const { format, events } = values;
    const webhook = await explained(
      openClient(await serviceOf(values)).webhooks.create({
        ...target,
        format: format as NewWebhook["format"],
        events: events?.split(",") as NewWebhook["events"],
      }),
    );
    if (values.json) return printJson(webhook);
    printLine(`Webhook ${webhook.id}: events go to ${withoutQuery(webhook.url)}`);
    printLine(`Secret: ${webhook.secret}`);
    printNote(`It is shown only now. "packshot webhooks test ${webhook.id}" sends a first event.`);
  },
  async test(ids, values) {
    const client = openClient(await serviceOf(values));
    for (const id of someIds("test", ids)) {
      const { eventId } = await explained(client.webhooks.test(id));
      printLine(`Event ${eventId} is on its way.`);
    }
  },
  async delete(ids, values) {
    const client = openClient(await serviceOf(values));
    for (const id of someIds("delete", ids)) {
      await explained(client.webhooks.delete(id));
      printLine(`deleted ${id}`);
    }
  },
  listen: listenUntilStopped,
};

function someIds(verb: string, ids: readonly string[]): readonly string[] {
  if (ids.length > 0) return ids;
  throw new CommandError(`webhooks ${verb} needs a webhook's id; "packshot webhooks list" shows them.`);
}

async function listenUntilStopped(_names: readonly string[], values: Values): Promise<void> {
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
}

export const webhooks: Command = { summary: "register webhooks, queues and topics; print events", help, run };
