import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inboxPrefixOf, natsPermissions, type NatsService, natsServices } from "@packshot/platform/nats/permissions.ts";
import { type NatsServerTls, renderServerConfig, renderUsers } from "@packshot/platform/nats/server-config.ts";
import { createNkeyPair, nkeyUsers, nkeyVariable, passwordUsers } from "@packshot/platform/nats/service-users.ts";
import { type Command, CommandError, readArguments } from "./command-line/command.ts";

const help = `packshot nats: users and configuration of nats-servers of your own.

  packshot nats keys --dir D          make an NKEY for each service
  packshot nats config [options]      print a configuration of nats-server
  packshot nats permissions           print what each service may do, as JSON

  keys writes D/<service>.nk, the secret that the service gets as PACKSHOT_NATS_NKEY_SEED_FILE, and prints the public keys
  as variables of nats-server's environment. It never replaces a file.

  config:
  --users nkey|password|none          how services say who they are (default nkey). nats-server's environment has
                                      PACKSHOT_NATS_<SERVICE>_NKEY, or _PASSWORD (in quotes; a bcrypt hash will do)
  --rotate SERVICE                    a second key of it counts too: PACKSHOT_NATS_<SERVICE>_NKEY_NEXT
  --only users                        only that part, to include it in a configuration of yours
  --name N, --store-dir D             of the server (default $POD_NAME and /data; the name may be a variable)
  --tls-dir D                         D has tls.crt, tls.key and ca.crt: for clients and between servers
  --verify-clients                    clients must show a certificate of that ca.crt, too
  --cluster NAME --routes A,B,C       host:port of all servers of a cluster

  permissions: for users with JWTs, whose permissions an account's owner sets (nsc edit user --allow-pub …). Each
  service's answers come to subjects of its own, so that their prefix belongs to it.

Services: ${natsServices.join(", ")}. The model server needs none.`;

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
  const { values, positionals } = readArguments(args, options);
  const [subcommand = ""] = positionals;
  const act = Object.hasOwn(subcommands, subcommand) ? subcommands[subcommand] : undefined;
  if (act === undefined || positionals.length > 1)
    throw new CommandError(`unknown subcommand of nats: "${positionals.join(" ")}"; use keys, config or permissions.`);
  process.stdout.write(act(values));
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
