/** The model server as a process of its own, as in production: settings by environment. */
import { serviceArguments } from "../../cli/up/services.ts";
import { readyLine, startService } from "../../cli/up/start-service.ts";

export interface ModelServerProcess {
  readonly pid: number;
  /** `host:port` of its gRPC. */
  readonly address: string;
  /** `host:port` of its probes and metrics. */
  readonly http: string;
  /** The text of /metrics. */
  metrics(): Promise<string>;
  /** Resolves with how the process ended, whoever ended it. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
  /** As by `kill -9`. */
  kill(): Promise<void>;
}

/** Listens on 127.0.0.1, or where `environment` says. */
export async function startModelServerProcess(
  modelDir: string,
  environment: Readonly<Record<string, string>> = {},
  onLine: (line: string) => void = () => {},
): Promise<ModelServerProcess> {
  const { ready, pid, ended, stop, kill } = await startService({
    name: "model-server",
    args: serviceArguments("modelServer"),
    environment: {
      ...process.env,
      PACKSHOT_MODEL_DIR: modelDir,
      PACKSHOT_MODEL_GRPC_PORT: "0",
      PACKSHOT_MODEL_HTTP_PORT: "0",
      PACKSHOT_LOG_LEVEL: "warn",
      ...environment,
    },
    waitForReady: readyLine,
    onLine,
  });
  const host = environment.PACKSHOT_MODEL_HOST ?? "127.0.0.1";
  return {
    pid,
    address: `${host}:${ready.grpcPort}`,
    http: `${host}:${ready.httpPort}`,
    metrics: async () => await (await fetch(`http://${host}:${ready.httpPort}/metrics`)).text(),
    ended,
    stop,
    kill,
  };
}
