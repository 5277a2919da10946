/** A headless service of model servers: one name and port, an address of loopback for each, resolved by a real name server. */
import { createHostResolver, type HostResolver } from "@packshot/platform/outbound/host-resolver.ts";
import { onFreePorts } from "../servers/free-ports.ts";
import { type NameServer, startNameServer } from "../servers/name-server.ts";
import { type ModelServerProcess, startModelServerProcess } from "./model-server-process.ts";

export interface ModelService {
  /** `dns:///name:port`. */
  readonly target: string;
  /** The server that the service starts with. */
  readonly first: ModelServerProcess;
  readonly resolve: HostResolver;
  /** Starts another server; the name has its address once it is ready, as in Kubernetes. */
  add(): Promise<ModelServerProcess>;
  /** Takes its address out of the name. */
  remove(server: ModelServerProcess): void;
  stop(): Promise<void>;
}

const name = "models.test";

export async function startModelService(
  modelDir: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<ModelService> {
  const inService = new Set<ModelServerProcess>();
  const started: ModelServerProcess[] = [];
  const hostOf = ({ address }: ModelServerProcess): string => address.split(":")[0]!;
  const names: NameServer = await startNameServer(({ answer }) => answer([...inService].map(hostOf)));
  let addresses = 1;
  const start = (port: number): Promise<ModelServerProcess> =>
    startModelServerProcess(modelDir, {
      PACKSHOT_MODEL_HOST: `127.0.0.${++addresses}`,
      PACKSHOT_MODEL_GRPC_PORT: String(port),
      PACKSHOT_MODEL_THREADS: "1",
      ...environment,
    });
  const keep = (server: ModelServerProcess): ModelServerProcess => {
    started.push(server);
    inService.add(server);
    return server;
  };
  const port = await onFreePorts(1, async ([free]) => {
    keep(await start(free!));
    return free!;
  });
  return {
    first: started[0]!,
    target: `dns:///${name}:${port}`,
    resolve: createHostResolver({ servers: [names.address], hostsFile: "/dev/null", resolvConf: "/dev/null" }),
    add: async () => keep(await start(port)),
    remove: (server) => void inService.delete(server),
    async stop() {
      await Promise.all(started.map((server) => server.kill()));
      await names.stop();
    },
  };
}
