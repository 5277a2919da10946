/** `packshot make-secrets`: the keys, tokens and passwords of a deployment, for Docker Compose or for the chart. */
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { renderUsers } from "@packshot/log/operate/server-config.ts";
import { writeDurably } from "@packshot/platform/storage/durable-file.ts";
import { type Command, CommandError, readArguments } from "./command-line/command.ts";
import { printJson } from "./command-line/print.ts";

const help = `packshot make-secrets: make the keys, tokens and passwords of a deployment.

  packshot make-secrets --dir D [--owner UID:GID]
  packshot make-secrets --kubernetes NAME

  --dir D            into D/<service>/, one file each, what is missing there.
                     What exists is kept; D/nats gets nats-server's users
  --owner UID:GID    gives the folders and files to this user
  --kubernetes NAME  prints a Secret of this name for the chart's
                     existingSecret. Pipe it to "kubectl apply -f -", once:
                     other keys would break links and webhook secrets

"packshot bundle" carries images and chart to a cluster without a registry.

  packshot make-secrets --dir secrets --owner 10001:10001`;

/** The users of nats-server that a deployment needs. */
const natsUsers = ["api", "worker", "webhooks", "migrate"] as const;

/** Which services share a secret, by the name of its file. */
const sharers = {
  "link-key": ["api", "webhooks"],
  "master-key": ["api", "webhooks"],
  "admin-token": ["api"],
  "model-server-token": ["worker", "model-server"],
} as const;

function newSecret(): string {
  return randomBytes(32).toString("hex");
}

/** The same secret in the folder of each service; an existing one is spread, and never replaced. */
function share(dir: string, name: string, services: readonly string[]): string {
  const paths = services.map((service) => join(dir, service, name));
  const found = paths.filter((path) => existsSync(path)).map((path) => readFileSync(path, "utf8").trim());
  if (new Set(found).size > 1)
    throw new CommandError(`${paths.join(" and ")} differ: restore the right one, and remove the other.`);
  const secret = found[0] ?? newSecret();
  for (const path of paths) if (!existsSync(path)) writeSecret(path, `${secret}\n`);
  return secret;
}

function writeSecret(path: string, text: string): void {
  writeDurably(path, text, 0o400);
}

function fillFolders(dir: string): void {
  for (const service of [...natsUsers, "model-server", "nats"]) mkdirSync(join(dir, service), { recursive: true });
  for (const [name, services] of Object.entries(sharers)) share(dir, name, services);
  const users = natsUsers.map((service) => ({ service, password: share(dir, "nats-password", [service]) }));
  writeSecret(join(dir, "nats", "users.conf"), `${renderUsers(users)}\n`);
}

/** Folders below `owned` are volumes of services: only they themselves are given away, not what is in them. */
function giveTo(dir: string, owner: string): void {
  const [uid, gid] = owner.split(":").map(Number);
  if (!/^\d+:\d+$/.test(owner)) throw new CommandError(`--owner must be UID:GID, not "${owner}".`);
  const give = (path: string, mode: number) => {
    chmodSync(path, mode);
    chownSync(path, uid!, gid!);
  };
  for (const folder of readdirSync(dir)) {
    const isOfServices = folder === "owned";
    for (const name of readdirSync(join(dir, folder))) give(join(dir, folder, name), isOfServices ? 0o700 : 0o400);
    if (!isOfServices) give(join(dir, folder), 0o500);
  }
}

function kubernetesSecret(name: string): object {
  const keys = [
    ...["PACKSHOT_LINK_KEY", "PACKSHOT_MASTER_KEY", "PACKSHOT_ADMIN_TOKEN", "PACKSHOT_MODEL_SERVER_TOKEN"],
    ...[...natsUsers, "backup", "cluster"].map((user) => `NATS_${user.toUpperCase()}_PASSWORD`),
    "REDIS_PASSWORD",
  ];
  const stringData = Object.fromEntries(keys.map((key) => [key, newSecret()]));
  return { apiVersion: "v1", kind: "Secret", metadata: { name }, type: "Opaque", stringData };
}

async function run(args: readonly string[]): Promise<number> {
  const { values } = readArguments(
    args,
    {
      dir: { type: "string" },
      owner: { type: "string" },
      kubernetes: { type: "string" },
    },
    0,
  );
  if ((values.dir === undefined) === (values.kubernetes === undefined))
    throw new CommandError("make-secrets needs either --dir or --kubernetes.");
  if (values.kubernetes !== undefined) {
    printJson(kubernetesSecret(values.kubernetes));
    return 0;
  }
  fillFolders(values.dir!);
  if (values.owner !== undefined) giveTo(values.dir!, values.owner);
  return 0;
}

export const makeSecrets: Command = { summary: "make a deployment's keys, tokens and passwords", help, run };
