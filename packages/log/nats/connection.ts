import { connect, createInbox, type NatsConnection, type NodeConnectionOptions } from "@nats-io/transport-node";
import { createAuthenticator, hasCredentials, hasTlsFiles, type NatsAccess } from "./nats-access.ts";

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
export function connectionOptions({ url, name, access = {}, inboxPrefix }: NatsSettings): NodeConnectionOptions {
  const { tlsCaFile, tlsCertFile, tlsKeyFile } = access;
  const tls = {
    ...(tlsCaFile === undefined ? {} : { caFile: tlsCaFile }),
    ...(tlsCertFile === undefined ? {} : { certFile: tlsCertFile }),
    ...(tlsKeyFile === undefined ? {} : { keyFile: tlsKeyFile }),
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
