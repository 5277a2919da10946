/** Prometheus beside a running stack: it scrapes every process of the stack and evaluates the rules of deploy/prometheus. */

import { mkdirSync, readFileSync, unwatchFile, watchFile, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CommandError } from "../command-line/command.ts";
import type { StackFile } from "../operator/stack-file.ts";
import { guardedByStdin, type Service, startService } from "../up/start-service.ts";

const rulesPath = fileURLToPath(new URL("../../deploy/prometheus/packshot-rules.yml", import.meta.url));

const readyTimeoutMs = 60_000;
const stackCheckEveryMs = 2_000;

export interface PrometheusOptions {
  /** The stack's folder. Prometheus keeps its data in `prometheus/` there. */
  readonly dataDir: string;
  readonly port: number;
  readonly scrapeEverySeconds: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

export interface Prometheus {
  readonly url: string;
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

/** Rejects with a CommandError when there is no stack, or no `prometheus` on PATH. */
export async function startPrometheus(options: PrometheusOptions): Promise<Prometheus> {
  const { dataDir, port, scrapeEverySeconds } = options;
  const folder = join(dataDir, "prometheus");
  const stackPath = join(dataDir, "stack.json");
  const targetsPath = join(folder, "targets.json");
  const stack = readStack(stackPath);
  mkdirSync(folder, { recursive: true });
  writeTargets(stack, targetsPath);
  const configPath = join(folder, "prometheus.yml");
  writeFileSync(configPath, prometheusConfig({ targetsPath, scrapeEverySeconds }));
  const url = `http://127.0.0.1:${port}`;
  const server = await launch(options, { folder, configPath });
  // A stack that is started again has other ports; Prometheus reads its targets again when their file changes.
  const onChange = () => {
    try {
      writeTargets(readStack(stackPath), targetsPath);
    } catch {
      // The file is just being replaced, or the stack is gone: the next change comes.
    }
  };
  watchFile(stackPath, { interval: stackCheckEveryMs, persistent: false }, onChange);
  return {
    url,
    ended: server.ended,
    async stop() {
      unwatchFile(stackPath, onChange);
      await server.stop();
    },
  };
}

async function launch(
  { port, environment, signal }: PrometheusOptions,
  { folder, configPath }: { readonly folder: string; readonly configPath: string },
): Promise<Service<true>> {
  const args = [
    `--config.file=${configPath}`,
    `--storage.tsdb.path=${join(folder, "data")}`,
    `--web.listen-address=127.0.0.1:${port}`,
    "--log.format=json",
  ];
  return await startService({
    name: "prometheus",
    ...guardedByStdin("prometheus", args),
    environment,
    readyTimeoutMs,
    ...(signal && { signal }),
    waitForReady: ({ untilLine }) => untilLine((line) => line.includes("ready to receive web requests") || undefined),
  }).catch((error: Error) => {
    if (!/not found/.test(error.message)) throw error;
    throw new CommandError('prometheus is not on PATH: install it, for example with "apt-get install prometheus".');
  });
}

function readStack(stackPath: string): StackFile {
  try {
    return JSON.parse(readFileSync(stackPath, "utf8")) as StackFile;
  } catch {
    throw new CommandError(`${stackPath} cannot be read: start the stack first, for example with "make up".`);
  }
}

function writeTargets(stack: StackFile, targetsPath: string): void {
  const targets = Object.entries(stack.metrics).map(([name, url]) => ({
    targets: [new URL(url).host],
    labels: { process: name },
  }));
  writeFileSync(targetsPath, JSON.stringify(targets, null, 2));
}

/** JSON is YAML. */
function prometheusConfig(of: { readonly targetsPath: string; readonly scrapeEverySeconds: number }): string {
  const every = `${of.scrapeEverySeconds}s`;
  const config = {
    global: { scrape_interval: every, evaluation_interval: every },
    rule_files: [rulesPath],
    scrape_configs: [{ job_name: "packshot", file_sd_configs: [{ files: [of.targetsPath], refresh_interval: "10s" }] }],
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}
