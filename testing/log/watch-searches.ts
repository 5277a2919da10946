/** Sees on the wire which reads of the log search it: requests for the next or the last message of a wildcard. */
import type { NatsConnection } from "@nats-io/transport-node";

interface Read {
  readonly last_by_subj?: string;
  readonly next_by_subj?: string;
}

export interface SearchWatch {
  /** What any process on this server has asked since the watch began, as `next ps.wait.*`. */
  searches(): Promise<string[]>;
}

export async function watchSearches(connection: NatsConnection): Promise<SearchWatch> {
  const found: string[] = [];
  connection.subscribe("$JS.API.STREAM.MSG.GET.>", {
    callback(_error, message) {
      const { last_by_subj: last, next_by_subj: next } = message.json<Read>();
      if (next !== undefined) found.push(`next ${next}`);
      if (last !== undefined && /[*>]/.test(last)) found.push(`last ${last}`);
    },
  });
  await connection.flush();
  return {
    async searches() {
      // The server has passed on what it received before this ping.
      await connection.flush();
      return found;
    },
  };
}
