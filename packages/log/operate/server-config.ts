/**
 * The configuration of a nats-server for Packshot's log: `packshot up`, the tests and operators' clusters run it with the
 * same one. A value that begins with `$` is a variable of nats-server's environment, so that no secret stands in it.
 */

import { nkeys } from "@nats-io/transport-node";
import { type NatsService, natsPermissions, natsServices, type SubjectRules } from "./permissions.ts";

export interface NatsServerConfig {
  readonly name: string;
  /** `host:port`; port -1 takes a free one. */
  readonly listen: string;
  /** Monitoring address: health, metrics, and what `packshot doctor` looks at. */
  readonly monitor: string;
  readonly storeDir: string;
  /** Writes are on disk minutes after they were confirmed: for a restore, which can be repeated. */
  readonly syncsLate?: boolean;
  /** Where it writes its ports and process id, for whoever starts it. */
  readonly portsFileDir?: string;
  readonly pidFile?: string;
  readonly tls?: NatsServerTls;
  readonly cluster?: NatsClusterConfig;
  /** Everybody may do everything when absent. */
  readonly users?: readonly NatsUser[];
}

export interface NatsServerTls {
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile: string;
  /** Clients must show a certificate of that authority. */
  readonly verifiesClients?: boolean;
}

export interface NatsClusterConfig {
  readonly name: string;
  readonly listen: string;
  /** `nats://host:port` of all members. */
  readonly routes: readonly string[];
  /** Members show each other certificates. */
  readonly tls?: NatsServerTls;
}

/**
 * `nkey`: the public one, which is no secret. `password`: its bcrypt hash, or the password itself. The operator may do
 * everything, with tools of their own.
 */
export type NatsUser = { readonly service: NatsService | "operator" } & (
  | { readonly nkey: string }
  | { readonly password: string }
);

export function renderServerConfig(config: NatsServerConfig): string {
  const { cluster, tls, users } = config;
  const lines = [
    `server_name: ${text(config.name)}`,
    `listen: ${text(config.listen)}`,
    `http: ${text(config.monitor)}`,
    ...(config.portsFileDir === undefined ? [] : [`ports_file_dir: ${text(config.portsFileDir)}`]),
    ...(config.pidFile === undefined ? [] : [`pid_file: ${text(config.pidFile)}`]),
    // The largest message is an account record. nats-server refuses more than this by default too; here it is written
    // out.
    "max_payload: 1MB",
    "jetstream {",
    `  store_dir: ${text(config.storeDir)}`,
    // What streams may take is PACKSHOT_LOG_MAX_BYTES. By default nats-server promises them no more than three quarters of
    // what is free when it starts: on a disk that has filled up it would not start with the streams that it has.
    "  max_file_store: 1PB",
    // An accepted edit survives a power cut: every write is on disk before it is confirmed.
    `  sync_interval: ${config.syncsLate === true ? "2m" : "always"}`,
    "  limits { batch { max_inflight_per_stream: 400 } }",
    "}",
    ...(tls === undefined ? [] : renderTls(tls, tls.verifiesClients === true)),
    ...(cluster === undefined ? [] : renderCluster(cluster)),
    ...(users === undefined ? [] : [renderUsers(users)]),
  ];
  return `${lines.join("\n")}\n`;
}

function renderCluster({ name, listen, routes, tls }: NatsClusterConfig): string[] {
  return [
    "cluster {",
    `  name: ${text(name)}`,
    `  listen: ${text(listen)}`,
    `  routes: [${routes.map(text).join(", ")}]`,
    ...(tls === undefined ? [] : renderTls(tls, true).map((line) => `  ${line}`)),
    "}",
  ];
}

function renderTls({ certFile, keyFile, caFile }: NatsServerTls, verify: boolean): string[] {
  const files = { cert_file: certFile, key_file: keyFile, ca_file: caFile };
  const lines = Object.entries(files).map(([name, path]) => `  ${name}: ${text(path)}`);
  return ["tls {", ...lines, `  verify: ${verify}`, "}"];
}

/** The part that says who may do what, also for a file that another configuration includes. */
export function renderUsers(users: readonly NatsUser[]): string {
  return ["authorization {", "  users: [", ...users.flatMap(renderUser), "  ]", "}"].join("\n");
}

function renderUser(user: NatsUser): string[] {
  const { service } = user;
  const identity =
    "nkey" in user ? [`nkey: ${text(user.nkey)}`] : [`user: ${text(service)}`, `password: ${text(user.password)}`];
  return [
    `    { # ${service}`,
    ...identity.map((line) => `      ${line}`),
    ...(service === "operator" ? [] : renderPermissions(service)),
    "    }",
  ];
}

function renderPermissions(service: NatsService): string[] {
  const { publish, subscribe } = natsPermissions(service);
  return [
    "      permissions: {",
    ...renderRules("publish", publish),
    ...renderRules("subscribe", subscribe),
    "      }",
  ];
}

function renderRules(kind: string, { allow, deny }: SubjectRules): string[] {
  const list = (name: string, subjects: readonly string[]) => [
    `          ${name}: [`,
    ...subjects.map((subject) => `            ${JSON.stringify(subject)}`),
    "          ]",
  ];
  return [`        ${kind}: {`, ...list("allow", allow), ...(deny.length === 0 ? [] : list("deny", deny)), "        }"];
}

/** In quotes, within which nats-server replaces no variables: `$JS.API` is none. */
function text(value: string): string {
  return /^\$[A-Z_][A-Z0-9_]*$/.test(value) ? value : JSON.stringify(value);
}

/** Variable of nats-server's environment with the service's public NKEY. */
export function nkeyVariable(service: NatsService): string {
  return `PACKSHOT_NATS_${service.toUpperCase()}_NKEY`;
}

/** Variable with the service's password or its bcrypt hash. */
function passwordVariable(service: NatsService): string {
  return `PACKSHOT_NATS_${service.toUpperCase()}_PASSWORD`;
}

/** @param rotated services whose next key counts too, out of a second variable */
export function nkeyUsers(rotated: readonly NatsService[] = []): NatsUser[] {
  return natsServices.flatMap((service) => {
    const variables = [nkeyVariable(service), ...(rotated.includes(service) ? [`${nkeyVariable(service)}_NEXT`] : [])];
    return variables.map((variable) => ({ service, nkey: `$${variable}` }));
  });
}

export function passwordUsers(): NatsUser[] {
  return natsServices.map((service) => ({ service, password: `$${passwordVariable(service)}` }));
}

export interface NkeyPair {
  /** What the service has in a file: `SU…`. Secret. */
  readonly seed: string;
  /** What nats-server knows: `U…`. */
  readonly publicKey: string;
}

export function createNkeyPair(): NkeyPair {
  const pair = nkeys.createUser();
  return { seed: Buffer.from(pair.getSeed()).toString(), publicKey: pair.getPublicKey() };
}
