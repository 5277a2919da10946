/**
 * How far the followers of this process are behind their events. Only the holder of a follower's lease knows that, so of
 * several processes one reports a follower; when none does, nobody follows.
 */
import type { PackshotEvent } from "@packshot/domain/webhooks/event.ts";
import { Gauge, type Registry } from "prom-client";

interface Follower {
  readonly name: string;
  readonly stream: { readonly index: number };
  /** When an event is to be handled; absent: when it was created. */
  readonly dueAtMs?: ((event: PackshotEvent) => number) | undefined;
}

/** Events that were read and are not handled yet. */
type Unfinished = () => { readonly oldest: { readonly event: PackshotEvent } | undefined; readonly count: number };

/** Belongs to a follower that holds its lease, until it ends. */
export interface OwnLag {
  /** Events that are still to be read. */
  setUnread(events: number): void;
  end(): void;
}

export interface FollowerLag {
  begin(follower: Follower, unfinished: Unfinished): OwnLag;
}

interface Following {
  readonly unfinished: Unfinished;
  unread: number;
  readonly labels: { readonly follower: string; readonly log: string };
  readonly dueAtMs: (event: PackshotEvent) => number;
}

export function createFollowerLag(registry: Registry, nowMs: () => number = Date.now): FollowerLag {
  const all = new Set<Following>();
  const common = { labelNames: ["follower", "log"], registers: [registry] };

  function collectInto(gauge: Gauge, measure: (following: Following) => number): void {
    gauge.reset();
    for (const following of all) gauge.set(following.labels, measure(following));
  }

  new Gauge({
    ...common,
    name: "packshot_follower_lag_seconds",
    help: "How late the oldest unhandled event of a follower is, by the index of its state stream; only who follows reports it.",
    collect() {
      collectInto(this, ({ unfinished, dueAtMs }) => {
        const { oldest } = unfinished();
        return oldest === undefined ? 0 : Math.max(0, (nowMs() - dueAtMs(oldest.event)) / 1000);
      });
    },
  });
  new Gauge({
    ...common,
    name: "packshot_follower_pending_events",
    help: "Events that a follower has not handled; those of janitor-expired are the ended jobs that have not expired.",
    collect() {
      collectInto(this, ({ unfinished, unread }) => unfinished().count + unread);
    },
  });

  return {
    begin({ name, stream, dueAtMs = createdAtMs }, unfinished) {
      const labels = { follower: name, log: String(stream.index) };
      const following: Following = { unfinished, unread: 0, labels, dueAtMs };
      all.add(following);
      return {
        setUnread(events) {
          following.unread = events;
        },
        end: () => void all.delete(following),
      };
    },
  };
}

function createdAtMs({ createdAt }: PackshotEvent): number {
  return Date.parse(createdAt);
}
