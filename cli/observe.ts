import { type Command, readArguments, stopSignal, untilAborted, wholeNumber } from "./command-line/command.ts";
import { environment } from "./command-line/environment.ts";
import { printLine, printNote } from "./command-line/print.ts";
import { startPrometheus } from "./observe/prometheus.ts";

const scrapeEverySeconds = 5;

const help = `packshot observe: run Prometheus beside a stack on this machine.

  packshot observe [--data-dir D] [--port N]

  --data-dir D   data folder of the running stack (default ./data); Prometheus
                 keeps its data in D/prometheus
  --port N       port of Prometheus on loopback (default 9090)

Scrapes every process of the stack every ${scrapeEverySeconds} seconds, also after the stack was
started again, and evaluates the alert rules of deploy/prometheus. Needs
"prometheus" on PATH (Debian's package has it). deploy/grafana has a dashboard.

  packshot observe --data-dir data --port 9090`;

async function run(args: readonly string[]): Promise<number> {
  const { values } = readArguments(
    args,
    {
      "data-dir": { type: "string", default: "./data" },
      port: { type: "string", default: "9090" },
    },
    0,
  );
  const port = wholeNumber("--port", values.port, 1, 65_535);
  const signal = stopSignal();
  const dataDir = values["data-dir"];
  const prometheus = await startPrometheus({ dataDir, port, scrapeEverySeconds, environment, signal });
  printLine(`Prometheus is up: ${prometheus.url} (alerts at ${prometheus.url}/alerts)`);
  printLine("Ctrl-C stops it; the stack runs on.");
  const ended = await Promise.race([untilAborted(signal), prometheus.ended]);
  await prometheus.stop();
  if (ended === undefined) return 0;
  printNote(`prometheus ${ended}`);
  return 1;
}

export const observe: Command = { summary: "run Prometheus beside the stack, with the alert rules", help, run };
