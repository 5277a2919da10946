import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inboxPrefixOf, type NatsService, natsPermissions, natsServices } from "@packshot/log/operate/permissions.ts";
import {
  createNkeyPair,
  type NatsServerTls,
  nkeyUsers,
  nkeyVariable,
  passwordUsers,
  renderServerConfig,
  renderUsers,
} from "@packshot/log/operate/server-config.ts";
import { anyWords, type Command, CommandError, readArguments } from "./command-line/command.ts";
import { printText } from "./command-line/print.ts";

const help = `packshot nats: users and configuration of nats-servers of your own.

  packshot nats keys --dir D      an NKEY for each service: D/<service>.nk is
                                  its PACKSHOT_NATS_NKEY_SEED_FILE. Prints the
                                  public keys as variables for nats-server
  packshot nats config [options]  print a configuration of nats-server
  packshot nats permissions       print what each service may do, as JSON, for
                                  users with JWTs (nsc edit user --allow-pub …)
 Options of config:
  --users nkey|password|none   how services say who they are (default nkey), by
                               PACKSHOT_NATS_<SERVICE>_NKEY or _PASSWORD of its
                               environment (in quotes; a bcrypt hash will do)
  --rotate SERVICE             a second key: PACKSHOT_NATS_<SERVICE>_NKEY_NEXT
  --only users                 only that part, to include it in your own
  --name N, --store-dir D      of the server (default $POD_NAME and /data)
  --tls-dir D                  D has tls.crt, tls.key and ca.crt
  --verify-clients             clients must show a certificate of that ca.crt
  --cluster NAME --routes A,B  host:port of all servers of a cluster

Services: ${natsServices.join(", ")}.
Each service's answers come to subjects of its own. No file is ever replaced.`;

const options = {
  dir: { type: "string" },
  users: { type: "string", default: "nkey" },
  rotate: { type: "string", multiple: true },
  only: { type: "string" },
  name: { type: "string", default: "$POD_NAME" },
  "store-dir": { type: "string", default: "/data" },
  "tls-dir": { type: "string" },
  "verify-clients": { type: "boolean", default: false },
  cluster: { type: "string" },
  routes: { type: "string" },
} as const;

type Values = ReturnType<typeof readArguments<typeof options>>["values"];

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, options, anyWords);
  const [subcommand = ""] = positionals;
  const act = Object.hasOwn(subcommands, subcommand) ? subcommands[subcommand] : undefined;
  if (act === undefined || positionals.length > 1)
    throw new CommandError(`unknown subcommand of nats: "${positionals.join(" ")}"; use keys, config or permissions.`);
  printText(act(values));
  return 0;
}

const subcommands: Readonly<Record<string, (values: Values) => string>> = { keys, config, permissions };

function keys({ dir }: Values): string {
  if (dir === undefined) throw new CommandError("name a folder for the secrets with --dir.");
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const lines = natsServices.map((service) => {
    const { seed, publicKey } = createNkeyPair();
    const path = join(dir, `${service}.nk`);
    try {
      writeFileSync(path, `${seed}\n`, { mode: 0o600, flag: "wx" });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      throw new CommandError(`${path} is there already: name another folder, or remove the file.`);
    }
    return `${nkeyVariable(service)}=${publicKey}`;
  });
  return `${lines.join("\n")}\n`;
}

function config(values: Values): string {
  const users = usersOf(values);
  if (values.only === "users") return `${renderUsers(users ?? [])}\n`;
  if (values.only !== undefined) throw new CommandError('--only knows "users".');
  const tls = values["tls-dir"] === undefined ? undefined : tlsIn(values["tls-dir"], values["verify-clients"]);
  return renderServerConfig({
    name: values.name,
    listen: "0.0.0.0:4222",
    monitor: "0.0.0.0:8222",
    storeDir: values["store-dir"],
    ...(tls && { tls }),
    ...(users && { users }),
    ...clusterOf(values, tls),
  });
}

function usersOf({ users, rotate = [] }: Values) {
  const rotated = rotate.map((name) => {
    const service = natsServices.find((each) => each === name);
    if (service === undefined) throw new CommandError(`--rotate knows ${natsServices.join(", ")}, not "${name}".`);
    return service;
  });
  if (rotated.length > 0 && users !== "nkey") throw new CommandError("--rotate is for --users nkey.");
  if (users === "nkey") return nkeyUsers(rotated);
  if (users === "password") return passwordUsers();
  if (users === "none") return undefined;
  throw new CommandError(`--users is nkey, password or none, not "${users}".`);
}

function tlsIn(dir: string, verifiesClients: boolean): NatsServerTls {
  const file = (name: string) => join(dir, name);
  return { certFile: file("tls.crt"), keyFile: file("tls.key"), caFile: file("ca.crt"), verifiesClients };
}

function clusterOf({ cluster: name, routes }: Values, tls: NatsServerTls | undefined) {
  if ((name === undefined) !== (routes === undefined)) throw new CommandError("--cluster and --routes go together.");
  if (name === undefined || routes === undefined) return {};
  const urls = routes.split(",").map((route) => `nats://${route.trim()}`);
  return { cluster: { name, listen: "0.0.0.0:6222", routes: urls, ...(tls && { tls }) } };
}

function permissions(): string {
  const entry = (service: NatsService) => [
    service,
    { inboxPrefix: inboxPrefixOf(service), ...natsPermissions(service) },
  ];
  return `${JSON.stringify(Object.fromEntries(natsServices.map(entry)), undefined, 2)}\n`;
}

export const nats: Command = { summary: "users and configuration of nats-servers of your own", help, run };
