import { readSettings } from "@packshot/platform/config/settings.ts";
import { pause } from "@packshot/platform/flow/pause.ts";
import { type ProbeAnswer, probePaths } from "@packshot/platform/lifecycle/readiness.ts";
import {
  type Command,
  CommandError,
  readArguments,
  stopSignal,
  untilAborted,
  wholeNumber,
} from "../command-line/command.ts";
import { environment } from "../command-line/environment.ts";
import { printText } from "../command-line/print.ts";
import { startStack } from "./stack.ts";

const help = `packshot up: run the whole service on this machine, in the foreground.

  packshot up --data-dir D --port N

  --data-dir D        folder of all data (default ./data), which the next start
                      goes on with
  --port N            port of the API (default 8080; 0 picks a free one)
  --workers N         worker processes, 1–16 (default 1)
  --allow-source H:P  lets imageUrl name this host:port although it is a
                      loopback or private address; H:* is every port. May be
                      repeated. Other such addresses are never fetched
  --new-keys          makes keys for a log whose own are lost

Starts nats-server, model server, API, worker and webhooks on loopback, each as
a process of its own, and brings the log's streams up to date ("packshot
migrate"). D/stack.json has the addresses, the API key and the operator's token
once all are ready; logs are in D/logs. A process that crashes is started
again. SIGTERM or Ctrl-C stops everything in order.

Every PACKSHOT_ setting of the environment is passed on
(docs/configuration.md).

  packshot up --data-dir data --port 8080 --allow-source localhost:3000`;

function checkSources(sources: readonly string[]): void {
  for (const source of sources) {
    if (!/^[^\s:/]+:(\d{1,5}|\*)$|^\[[0-9a-f:]+\]:(\d{1,5}|\*)$/i.test(source)) {
      throw new CommandError(`--allow-source must be HOST:PORT or HOST:*, not "${source}".`);
    }
  }
}

const readyEveryMs = 250;
const readyAnswerMs = 5_000;

/**
 * Resolves once the API at `metricsUrl` may be given work, or `signal` aborts. What it lacks until then, as a bucket that is
 * out of reach, is said when it changes.
 */
export async function untilReady(metricsUrl: string, say: (line: string) => void, signal: AbortSignal): Promise<void> {
  const url = new URL(probePaths.ready[0], metricsUrl);
  let told = "";
  while (!signal.aborted) {
    const answer = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(readyAnswerMs)]) }).catch(
      () => undefined,
    );
    if (answer?.ok) return void (await answer.body?.cancel());
    if (signal.aborted) return;
    const body = (await answer?.json().catch(() => undefined)) as ProbeAnswer["body"] | undefined;
    const lacks = Object.entries(body?.reasons ?? {}).map(([name, reason]) => `${name}: ${reason}`);
    const line = `the API is not ready: ${lacks.join("; ") || "it does not answer"}`;
    if (line !== told) say(line);
    told = line;
    await pause(readyEveryMs, signal);
  }
}

/** What the API has for people. The console is there once it is built, and unless it is switched off. */
export async function describePages(apiUrl: string, signal: AbortSignal): Promise<string> {
  const answer = await fetch(apiUrl, { signal: AbortSignal.any([signal, AbortSignal.timeout(readyAnswerMs)]) }).catch(
    () => undefined,
  );
  await answer?.body?.cancel();
  const docs = `${apiUrl}/docs has the documentation of the API`;
  return answer?.ok ? `${apiUrl} has the console, ${docs}` : docs;
}

async function run(args: readonly string[]): Promise<number> {
  const { values } = readArguments(
    args,
    {
      "data-dir": { type: "string", default: "./data" },
      port: { type: "string", default: "8080" },
      workers: { type: "string", default: "1" },
      "allow-source": { type: "string", multiple: true, default: [] },
      "new-keys": { type: "boolean", default: false },
    },
    0,
  );
  checkSources(values["allow-source"]);
  // Reports every invalid setting at once, before anything starts. Each service checks its own settings again.
  readSettings(environment, ["PACKSHOT_PLANS_FILE", "PACKSHOT_REDIS_TLS_CA_FILE"]);

  const say = (line: string) => printText(`${line}\n`);
  const signal = stopSignal();
  const stack = await startStack({
    dataDir: values["data-dir"],
    port: wholeNumber("--port", values.port, 0, 65_535),
    workers: wholeNumber("--workers", values.workers, 1, 16),
    allowSources: values["allow-source"],
    newKeys: values["new-keys"],
    environment,
    say,
    signal,
  });
  await untilReady(stack.file.metrics.api!, say, signal);
  const pages = signal.aborted ? "" : await describePages(stack.file.apiUrl, signal);
  if (!signal.aborted) {
    say(`\nPackshot is up: ${pages}`);
    say(`API key: ${stack.file.apiKey}`);
    say("Ctrl-C stops it.");
  }
  await untilAborted(signal);
  say("stopping …");
  await stack.stop();
  say("stopped");
  return 0;
}

export const up: Command = { summary: "run the whole service on this machine", help, run };
