/**
 * Keys and accounts in memory. The cache follows `ps.key.>` and `ps.account.>`, so that every process refuses a revoked
 * key or a suspended account at once. An entry older than a second is read again from the leader, in case the follower
 * lags.
 */
import { type ConsumerMessages, DeliverPolicy, jetstream } from "@nats-io/jetstream";
import { streams } from "@packshot/domain/subjects.ts";
import type { Component } from "@packshot/platform/lifecycle/run.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";

const freshMs = 1_000;
const entriesMax = 20_000;

export interface RecordCache extends Component {
  read<T>(subject: string): Promise<T | undefined>;
  /** The newest value known here, however old: only for what a compare-and-set checks afterward. */
  peek<T>(subject: string): { readonly value: T | undefined; readonly sequence: number } | undefined;
  /** Stores what this process has just committed, so that its next read does not wait for the follower. */
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
    name: "record cache",
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
        const requestedAtMs = Date.now();
        load = log
          .read<T>(subject)
          .then((record) => store(subject, record.value, record.sequence, requestedAtMs))
          .finally(() => loads.delete(subject));
        loads.set(subject, load);
      }
      return (await load) as T | undefined;
    },
  };
}
