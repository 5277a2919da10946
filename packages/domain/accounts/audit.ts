/**
 * The audit log: who changed what of an account, when and from where. Entries are kept in segments, a record of the log for
 * up to so many entries of one day, which live as long as the newest of them says. Segments belong to pools, each with a
 * budget of its own, so that no flood of changes of one kind takes the room of another kind.
 */
/** Whose log it is: an account's, or the operator's, which has what the operator did, whatever the account. */
export type AuditOwner = string;
export const operatorAudit: AuditOwner = "operator";

/** `keyId` null: several keys, in an entry that stands for requests of many. */
export type AuditActor =
  | { readonly kind: "key"; readonly keyId: string | null; readonly live: boolean }
  | { readonly kind: "operator" };

/** Names and ids only: no values of fields, and so no secrets. */
export interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly actor: AuditActor;
  /** The client's, as far as proxies are trusted to tell it. */
  readonly address: string;
  readonly requestId: string;
  /** The operation's id in the contract: `createKey`. */
  readonly operation: string;
  /** null: the operator's request named none. */
  readonly accountId: string | null;
  /** What the path names beside the account: a key's id, a preset's name. */
  readonly target: string | null;
  /** Names of the fields of the request's body. */
  readonly fields: readonly string[];
  /** How it ended; null while it runs, and where the process died before it knew. */
  readonly outcome: AuditOutcome | null;
  /** Requests of one actor, operation and error code that the entry stands for; the rest is of the first. Absent: one. */
  readonly count?: number;
  /** When the latest of them came. */
  readonly lastAt?: string;
}

export interface AuditOutcome {
  /** HTTP status. */
  readonly status: number;
  /** The error's code; null for a success. */
  readonly code: string | null;
  /** Id of what was created. */
  readonly created: string | null;
}

export interface AuditSegment {
  readonly v: 1;
  /** In the order in which they were appended. */
  readonly entries: readonly AuditEntry[];
}

/**
 * `changes`: by live keys, and all of the operator's own log. `keys`: by live keys, of what needs the scope `keys`, so that a
 * leaked key without it leaves keys and connections changeable. `protection`: what only takes power away. `operator`: in an
 * account's log.
 */
export type AuditPool = "changes" | "keys" | "test" | "protection" | "test-protection" | "operator";
/** What is counted instead of stored: a segment a day, with an entry for all requests that are alike. */
export type CountedPool = "counted" | "test-counted" | "operator-counted";

export interface AuditLimits {
  /** About 40 KB a segment. */
  readonly segmentEntriesMax: number;
  /** A message of the log may have a megabyte. */
  readonly segmentBytesMax: number;
  /** Changes of one pool that run at once. What is refused leaves its segment again, and a burst must not fill the day. */
  readonly runningMax: number;
  /** For an account's log; the operator's has its own limit. */
  readonly segmentsPerDayMax: Readonly<Record<AuditPool, number>>;
  readonly operatorSegmentsPerDayMax: number;
}

export const auditLimits: AuditLimits = {
  segmentEntriesMax: 100,
  segmentBytesMax: 64 * 1024,
  runningMax: 50,
  segmentsPerDayMax: { changes: 20, keys: 5, test: 5, protection: 10, "test-protection": 5, operator: 10 },
  operatorSegmentsPerDayMax: 1_000,
};
export const auditTtlSeconds = 90 * 24 * 3600;
/** A change that runs longer than this has lost its process, and its outcome stays unknown. */
const runningMsMax = 60_000;

/** Sorted as text, the names of a pool's segments are in the order of time. */
export function segmentName(day: string, pool: AuditPool | CountedPool, index: number): string {
  return `${day}-${pool}-${String(index).padStart(4, "0")}`;
}

export function poolOfSegment(name: string): string {
  return name.replace(/^\d+-\d+-\d+-/, "").replace(/-?\d+$/, "");
}

export function countedPool({ actor }: Pick<AuditEntry, "actor">): CountedPool {
  if (actor.kind === "operator") return "operator-counted";
  return actor.live ? "counted" : "test-counted";
}

/** undefined: the segment is full. */
export function appendEntry(
  { entries }: AuditSegment,
  entry: AuditEntry,
  { segmentEntriesMax, segmentBytesMax }: Pick<AuditLimits, "segmentEntriesMax" | "segmentBytesMax">,
): AuditSegment | undefined {
  const segment: AuditSegment = { v: 1, entries: [...entries, entry] };
  const fits = segment.entries.length <= segmentEntriesMax && bytesOf(segment) <= segmentBytesMax;
  return fits ? segment : undefined;
}

/** How many of its changes run, as far as it can be known. */
export function runningCount({ entries }: AuditSegment, nowMs: number): number {
  return entries.filter(({ outcome, at }) => outcome === null && nowMs - Date.parse(at) < runningMsMax).length;
}

/** undefined: the segment has no entry with this id. */
export function replaceEntry({ entries }: AuditSegment, entry: AuditEntry): AuditSegment | undefined {
  const at = entries.findIndex(({ id }) => id === entry.id);
  return at < 0 ? undefined : { v: 1, entries: entries.with(at, entry) };
}

/** undefined: the segment has no entry with this id. */
export function removeEntry({ entries }: AuditSegment, { id }: Pick<AuditEntry, "id">): AuditSegment | undefined {
  const others = entries.filter((entry) => entry.id !== id);
  return others.length === entries.length ? undefined : { v: 1, entries: others };
}

/** Adds one to the entry that stands for such requests. When the segment is full, one entry stands for all others. */
export function countEntry(
  segment: AuditSegment,
  entry: AuditEntry,
  limits: Pick<AuditLimits, "segmentEntriesMax" | "segmentBytesMax">,
): AuditSegment {
  const { entries } = segment;
  const addTo = (at: number): AuditSegment => {
    const { count = 1, ...first } = entries[at]!;
    return { v: 1, entries: entries.with(at, { ...first, count: count + 1, lastAt: entry.at }) };
  };
  const same = entries.findIndex((other) => isAlike(other, entry));
  if (same >= 0) return addTo(same);
  const appended = appendEntry(segment, entry, limits);
  if (appended !== undefined) return appended;
  const others = entries.findIndex(({ operation }) => operation === severalOperations);
  if (others >= 0) return addTo(others);
  const { id, at, accountId, actor, address, requestId } = entry;
  const who = actor.kind === "key" ? { ...actor, keyId: null } : actor;
  const rest = { operation: severalOperations, target: null, fields: [], outcome: null };
  return { v: 1, entries: [...entries, { id, at, accountId, actor: who, address, requestId, ...rest }] };
}

const severalOperations = "several";

function isAlike(one: AuditEntry, other: AuditEntry): boolean {
  const textOf = ({ actor, operation, outcome }: AuditEntry) =>
    [actor.kind === "key" ? actor.keyId : "", operation, outcome?.code].join(" ");
  return textOf(one) === textOf(other);
}

function bytesOf(segment: AuditSegment): number {
  return new TextEncoder().encode(JSON.stringify(segment)).length;
}
