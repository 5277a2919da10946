import { isIP } from "node:net";
import { connect, createInbox, errors, type NatsConnection, type NodeConnectionOptions } from "@nats-io/transport-node";
import { pause } from "@packshot/platform/flow/pause.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import {
  createAuthenticator,
  credentialsProblem,
  hasCredentials,
  hasTlsFiles,
  type NatsAccess,
} from "./nats-access.ts";

export interface NatsSettings {
  /** Comma-separated, `nats://host:port`, or `tls://host:port` where the server must speak TLS. */
  readonly url: string;
  /** The process's name, which the server's monitoring shows. */
  readonly name: string;
  readonly access?: NatsAccess | undefined;
  /** Begins the subjects of answers: a user may listen to those of its own service only. */
  readonly inboxPrefix?: string | undefined;
}

const defaultInboxPrefix = "_INBOX";
const inboxPrefixes = new WeakMap<NatsConnection, string>();

/** A connection that reconnects forever: a process outlasts any outage of the log, and a secret that is being rotated. */
export async function connectNats(settings: NatsSettings): Promise<NatsConnection> {
  const connection = await connect({
    ...connectionOptions(settings),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    waitOnFirstConnect: true,
    // A user that the server refuses twice may be known to it the next time.
    ignoreAuthErrorAbort: true,
    // Otherwise each request builds two errors with stacks in case it fails, a tenth of the CPU time of an accept.
    noAsyncTraces: true,
    pingInterval: 10_000,
    maxPingOut: 2,
  });
  inboxPrefixes.set(connection, settings.inboxPrefix ?? defaultInboxPrefix);
  return connection;
}

/** Files are named and not read: the client reads those of TLS at each connection, and asks the authenticator. */
function connectionOptions({ url, name, access = {}, inboxPrefix }: NatsSettings): NodeConnectionOptions {
  const { tlsCaFile, tlsCertFile, tlsKeyFile } = access;
  const tls = {
    caFile: tlsCaFile,
    certFile: tlsCertFile,
    keyFile: tlsKeyFile,
  };
  return {
    servers: url.split(","),
    name,
    inboxPrefix: inboxPrefix ?? defaultInboxPrefix,
    // A server without TLS is then refused before it is sent a password.
    ...(hasTlsFiles(access) || url.includes("tls://") ? { tls } : {}),
    ...(hasCredentials(access) ? { authenticator: createAuthenticator(access) } : {}),
  };
}

/** A subject for answers that only this service may listen to. */
export function createPrivateInbox(connection: NatsConnection): string {
  return createInbox(inboxPrefixes.get(connection));
}

export interface ConnectionWatch {
  /** False from the loss of the connection until it is there again. The client reconnects forever. */
  isConnected(): boolean;
  /** Returns a function that removes the listener. */
  onDisconnect(listener: () => void): () => void;
  /** The same, whenever the connection is there again. */
  onReconnect(listener: () => void): () => void;
}

const watches = new WeakMap<NatsConnection, ConnectionWatch>();

/** One watch for each connection: the client keeps an iterator over its status until the connection is closed. */
export function watchConnection(connection: NatsConnection): ConnectionWatch {
  const known = watches.get(connection);
  if (known !== undefined) return known;
  const listeners = { disconnect: new Set<() => void>(), reconnect: new Set<() => void>() };
  let isConnected = true;

  async function follow(): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type !== "disconnect" && type !== "reconnect") continue;
      isConnected = type === "reconnect";
      for (const listener of [...listeners[type]]) listener();
    }
  }
  void follow();

  const add = (type: keyof typeof listeners) => (listener: () => void) => {
    listeners[type].add(listener);
    return () => void listeners[type].delete(listener);
  };
  const watch: ConnectionWatch = {
    isConnected: () => isConnected && !connection.isClosed(),
    onDisconnect: add("disconnect"),
    onReconnect: add("reconnect"),
  };
  watches.set(connection, watch);
  return watch;
}

/**
 * Why nats-server does not let a process in. The client keeps trying and says nothing, so this tries once beside it and
 * puts what it meets into words that name the setting to look at. No word of a secret is among them.
 */

const timeoutMs = 3_000;
const everyMs = 2_000;
const stopWaitMs = 500;

/** undefined: a server lets this process in. */
export async function findConnectionProblem(settings: NatsSettings): Promise<string | undefined> {
  const options = { ...connectionOptions(settings), name: `${settings.name}-check`, reconnect: false };
  try {
    const connection = await connect({ ...options, waitOnFirstConnect: false, timeout: timeoutMs });
    await connection.close();
    return undefined;
  } catch (error) {
    return describeConnectionError(error as Error, settings);
  }
}

function describeConnectionError(error: Error, { url, access = {} }: NatsSettings): string {
  const addresses = addressesWithoutPasswords(url);
  const files = credentialsProblem(access);
  if (files !== undefined) return files;
  if (error instanceof errors.AuthorizationError || error instanceof errors.UserAuthenticationExpiredError)
    return describeRefusal(error, access);
  return tlsProblem(error, access, addresses) ?? `no nats-server has answered at ${addresses}`;
}

function describeRefusal(error: Error, access: NatsAccess): string {
  if (!hasCredentials(access))
    return "nats-server asks who this is: set PACKSHOT_NATS_NKEY_SEED_FILE, PACKSHOT_NATS_CREDENTIALS_FILE, or PACKSHOT_NATS_USER with PACKSHOT_NATS_PASSWORD_FILE";
  const named = [
    access.credentialsFile && `PACKSHOT_NATS_CREDENTIALS_FILE (${access.credentialsFile})`,
    access.nkeySeedFile && `PACKSHOT_NATS_NKEY_SEED_FILE (${access.nkeySeedFile})`,
    access.user && `PACKSHOT_NATS_USER (${access.user}) and PACKSHOT_NATS_PASSWORD_FILE (${access.passwordFile})`,
  ].find(Boolean);
  if (error instanceof errors.UserAuthenticationExpiredError)
    return `the credentials have expired: write new ones into ${named}`;
  return `nats-server knows no such user, or another secret of it: compare ${named} with the server's own configuration ("packshot nats config")`;
}

/** Codes of Node and OpenSSL. */
const tlsProblems: readonly (readonly [RegExp, (addresses: string) => string])[] = [
  [
    /SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/,
    () => "nats-server's certificate comes from no authority in PACKSHOT_NATS_TLS_CA_FILE",
  ],
  [
    /ALTNAME_INVALID/,
    (addresses) =>
      `nats-server's certificate is for other names than PACKSHOT_NATS_URL has (${addresses}${hasIpAddress(addresses) ? ", where an IP address counts as localhost: write a name of the certificate" : ""})`,
  ],
  [/CERT_HAS_EXPIRED/, () => "nats-server's certificate has expired: give the server a new one"],
  [
    /CERTIFICATE_REQUIRED|BAD_CERTIFICATE|UNKNOWN_CA|HANDSHAKE_FAILURE/,
    () =>
      "nats-server refuses this process's certificate: look at PACKSHOT_NATS_TLS_CERT_FILE and PACKSHOT_NATS_TLS_KEY_FILE",
  ],
  [
    /does not support 'tls'|not available on this server/,
    (addresses) =>
      `nats-server at ${addresses} speaks no TLS: give it a certificate, or unset PACKSHOT_NATS_TLS_CA_FILE`,
  ],
  [/doesn't exist|ENOENT|EACCES|PEM|KEY_VALUES_MISMATCH/, () => "a file of PACKSHOT_NATS_TLS_… cannot be used"],
];

/** The client checks a certificate by no address: of an IP address Node then asks for localhost. */
function hasIpAddress(addresses: string): boolean {
  return addresses
    .split(",")
    .some((address) => isIP(URL.parse(address.trim())?.hostname.replace(/^\[|\]$/g, "") ?? "") !== 0);
}

function tlsProblem(error: Error, access: NatsAccess, addresses: string): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  const cause = error.cause as NodeJS.ErrnoException | undefined;
  const text = [code, error.message, cause?.code, cause?.message].join(" ");
  const found = tlsProblems.find(([pattern]) => pattern.test(text))?.[1](addresses);
  // A server resets the connection as it refuses a certificate, and the reset may overtake the reason.
  if (found === undefined && hasTlsFiles(access) && /ECONNRESET|EPIPE/.test(text))
    return `nats-server at ${addresses} ended a connection with TLS: where it asks for certificates, look at PACKSHOT_NATS_TLS_CERT_FILE and PACKSHOT_NATS_TLS_KEY_FILE`;
  if (found === undefined) return undefined;
  return access.tlsCaFile === undefined && found.includes("authority")
    ? `${found}: set it to the file of its authority`
    : `${found} (${error.message})`;
}

export function addressesWithoutPasswords(url: string): string {
  return url.replaceAll(/\/\/[^@/,]*@/g, "//");
}

export interface ConnectionProblemWatch extends Component {
  /** What was found last while there was no connection. */
  problem(): string | undefined;
}

/** Looks for the reason whenever there is no connection. `start` may be called before there has been one. */
export function watchConnectionProblem(
  settings: NatsSettings,
  isConnected: () => boolean,
  logger: Logger,
): ConnectionProblemWatch {
  const stopping = new AbortController();
  let problem: string | undefined;
  let watching: Promise<void> | undefined;

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      // A server that was restarted is back within that time.
      await pause(everyMs, stopping.signal);
      if (stopping.signal.aborted) return;
      const found = isConnected() ? undefined : await findConnectionProblem(settings);
      if (found !== undefined && found !== problem) logger.warn({ problem: found }, `no connection: ${found}`);
      problem = found;
    }
  }

  return {
    name: "nats connection problems",
    problem: () => problem,
    async start() {
      watching ??= watch();
    },
    async stop() {
      stopping.abort();
      // An attempt that hangs must not hold up the stop.
      await Promise.race([watching, pause(stopWaitMs, new AbortController().signal)]);
    },
  };
}
