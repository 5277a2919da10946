/**
 * Keys and accounts by a cache that the log keeps true: it follows `ps.key.>` and `ps.account.>`, so that a revoked key
 * or a suspended account is refused at once on every process; an entry older than a second is read again from the
 * leader, in case the following lags.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { DeliverPolicy, jetstream, type ConsumerMessages } from "@nats-io/jetstream";
import type { Account } from "@packshot/domain/account.ts";
import type { ApiKey } from "@packshot/domain/api-key.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { streams, subjects } from "@packshot/domain/subjects.ts";
import type { Component } from "@packshot/platform/lifecycle/run.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import type { Caller } from "../http/call.ts";

const freshMs = 1_000;
const entriesMax = 20_000;
const secretShape = /^ps_(live|test)_[A-Za-z0-9_-]{20,200}$/;

export interface RecordCache extends Component {
  read<T>(subject: string): Promise<T | undefined>;
  /** The newest known, however old: only for what a compare-and-set checks afterward. */
  peek<T>(subject: string): { readonly value: T | undefined; readonly sequence: number } | undefined;
  /** What this process has just committed: the next read need not wait for the follower. */
  put(subject: string, value: object | undefined, sequence: number): void;
}

interface Entry {
  value: unknown;
  sequence: number;
  readAtMs: number;
}

export function createRecordCache({ log, logger }: { log: Log; logger: Logger }): RecordCache {
  const entries = new Map<string, Entry>();
  const loads = new Map<string, Promise<unknown>>();
  let messages: ConsumerMessages | undefined;

  function store(subject: string, value: unknown, sequence: number, readAtMs: number) {
    const known = entries.get(subject);
    if (known !== undefined && known.sequence > sequence) return known.value;
    entries.delete(subject);
    entries.set(subject, { value, sequence, readAtMs });
    if (entries.size > entriesMax) entries.delete(entries.keys().next().value!);
    return value;
  }

  async function follow() {
    const consumer = await jetstream(log.connection).consumers.get(streams.state, {
      filter_subjects: ["ps.key.>", "ps.account.>"],
      deliver_policy: DeliverPolicy.New,
    });
    messages = await consumer.consume({ max_messages: 500 });
    for await (const message of messages) {
      const known = entries.get(message.subject);
      const isLoading = loads.has(message.subject);
      if (known === undefined && !isLoading) continue;
      const value = message.data.length === 0 ? undefined : message.json<object>();
      store(message.subject, value, message.seq, Date.now());
    }
  }

  return {
    name: "cached records",
    async start() {
      void follow().catch((error: unknown) => logger.error({ err: error }, "keys and accounts are no longer followed"));
    },
    async stop() {
      await messages?.close();
    },
    peek: <T>(subject: string) => entries.get(subject) as { value: T | undefined; sequence: number } | undefined,
    put: (subject, value, sequence) => void store(subject, value, sequence, Date.now()),
    async read<T>(subject: string) {
      const known = entries.get(subject);
      if (known !== undefined && Date.now() - known.readAtMs < freshMs) return known.value as T | undefined;
      let load = loads.get(subject);
      if (load === undefined) {
        const askedAtMs = Date.now();
        load = log
          .read<T>(subject)
          .then((record) => store(subject, record.value, record.sequence, askedAtMs))
          .finally(() => loads.delete(subject));
        loads.set(subject, load);
      }
      return (await load) as T | undefined;
    },
  };
}

export type Authenticate = (authorization: string | undefined) => Promise<Caller>;

export function createAuthenticate({ records, nowMs }: { records: RecordCache; nowMs: () => number }): Authenticate {
  return async (authorization) => {
    const secret = bearerToken(authorization);
    if (secret === undefined) {
      throw new PackshotError("unauthenticated", "Send your API key as: Authorization: Bearer ps_live_…");
    }
    const refused = () => new PackshotError("unauthenticated", "The API key is unknown, revoked or expired.");
    if (!secretShape.test(secret)) throw refused();
    const hash = hashApiKeySecret(secret);
    const key = await records.read<ApiKey>(subjects.keyByHash(hash));
    // Looked up by its hash already; compared once more so that no index ever decides alone.
    if (key === undefined || !timingSafeEqual(Buffer.from(key.sha256), Buffer.from(hash))) throw refused();
    if (key.expiresAt !== null && Date.parse(key.expiresAt) <= nowMs()) throw refused();
    const account = await records.read<Account>(subjects.account(key.accountId));
    if (account === undefined) throw refused();
    if (!account.apiEnabled) {
      throw new PackshotError("api_disabled", "API access is suspended for this account; ask the operator.");
    }
    return { key, account };
  };
}

export function hashApiKeySecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +([^\s]+) *$/i.exec(authorization ?? "")?.[1];
}
