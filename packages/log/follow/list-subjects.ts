import type { NatsConnection } from "@nats-io/transport-node";
import type { Log } from "../log.ts";
import { readStreamInfo } from "../nats/jetstream-request.ts";

/**
 * The subjects that match `filter` and have a message in the stream, from its leader; page by page, each in order. The
 * server has the names in memory and reads no message, so that commits need not wait as they do for a search. Subjects
 * of tombstones are among them. More than a page of names may lack some when others come or go meanwhile.
 *
 * For filters that match a page at most, as those of one account: each page collects and sorts all names again. With two
 * million of them that took 74 s, in which a commit waited for 5 s.
 */
export async function* listSubjects(
  connection: NatsConnection,
  stream: string,
  filter: string,
): AsyncGenerator<string, void, undefined> {
  for (let offset = 0; ; ) {
    // A page has up to 100,000 names, which the server collects and sorts in a second.
    const { state, total = 0 } = await readStreamInfo(connection, stream, { subjects_filter: filter, offset });
    const names = Object.keys(state.subjects ?? {}).sort();
    yield* names;
    offset += names.length;
    if (names.length === 0 || offset >= total) return;
  }
}

/** Those of records: in the state stream of the account that `filter` names, or in all when it names none. */
export async function* listRecordSubjects(
  { connection, stateStreams, streamOf }: Pick<Log, "connection" | "stateStreams" | "streamOf">,
  filter: string,
): AsyncGenerator<string, void, undefined> {
  const isOfAnyShard = filter.startsWith("ps.*.");
  for (const { state } of isOfAnyShard ? stateStreams : [streamOf(filter)])
    yield* listSubjects(connection, state, filter);
}
