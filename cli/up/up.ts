import { readSettings } from "@packshot/platform/config/settings.ts";
import { type Command, CommandError, readArguments, wholeNumber } from "../command-line/command.ts";
import { environment } from "../command-line/environment.ts";
import { startStack } from "./stack.ts";

const help = `packshot up: run the whole service on this machine, in the foreground.

  npm run -s packshot -- up --data-dir D --port N

  --data-dir D            folder of everything it keeps (default ./data); a later start finds it all again
  --port N                port of the API (default 8080; 0 takes a free one)
  --workers N             worker processes, 1–16 (default 1)
  --allow-source H:P      let imageUrl name this host:port although it is loopback or private; may be repeated,
                          H:* allows every port. Without it no such address is fetched.

Starts nats-server, model server, API, worker and webhooks, each a process of its own on loopback, and writes
D/stack.json (addresses, API key, operator token) once every part is ready. Logs are in D/logs. SIGTERM or Ctrl-C stops
everything in order. A part that crashes is started again. Any PACKSHOT_… setting of the environment is handed on
(docs/configuration.md).`;

function checkSources(sources: readonly string[]): void {
  for (const source of sources) {
    if (!/^[^\s:/]+:(\d{1,5}|\*)$|^\[[0-9a-f:]+\]:(\d{1,5}|\*)$/i.test(source)) {
      throw new CommandError(`--allow-source wants HOST:PORT or HOST:*, not "${source}".`);
    }
  }
}

const parentCheckEveryMs = 500;

/**
 * Aborts at SIGTERM or Ctrl-C; a second Ctrl-C ends the process at once (its children notice and stop). Started by npm,
 * it also stops when npm is gone: `kill -9` of `npm run` would otherwise leave a stack that nobody holds.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const parent = process.ppid;
  if (environment.npm_lifecycle_event !== undefined) {
    setInterval(() => process.ppid !== parent && controller.abort("npm gone"), parentCheckEveryMs).unref();
  }
  for (const name of ["SIGTERM", "SIGINT"] as const) {
    process.on(name, () => {
      if (controller.signal.aborted && name === "SIGINT") process.exit(130);
      controller.abort(name);
    });
  }
  return controller.signal;
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    // A timer holds the process open when nothing else does.
    const timer = setInterval(() => {}, 60_000);
    signal.addEventListener("abort", () => {
      clearInterval(timer);
      resolve();
    });
  });
}

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, {
    "data-dir": { type: "string", default: "./data" },
    port: { type: "string", default: "8080" },
    workers: { type: "string", default: "1" },
    "allow-source": { type: "string", multiple: true, default: [] },
  });
  if (positionals.length > 0)
    throw new CommandError(`"${positionals[0]}" means nothing to up; --help shows what there is.`);
  checkSources(values["allow-source"]);
  // Every fault at once, before anything starts; each service would say the same of its own.
  readSettings(environment);

  const say = (line: string) => process.stdout.write(`${line}\n`);
  const signal = stopSignal();
  const stack = await startStack({
    dataDir: values["data-dir"],
    port: wholeNumber("--port", values.port, 0, 65_535),
    workers: wholeNumber("--workers", values.workers, 1, 16),
    allowSources: values["allow-source"],
    environment,
    say,
    signal,
  });
  say(`\nPackshot is up: ${stack.file.apiUrl} (documentation at ${stack.file.apiUrl}/docs)`);
  say(`API key: ${stack.file.apiKey}`);
  say("Ctrl-C stops it.");
  await untilAborted(signal);
  say("stopping …");
  await stack.stop();
  say("stopped");
  return 0;
}

export const up: Command = { summary: "run the whole service on this machine", help, run };
