/**
 * The audit log: who changed what of an account, when and from where. Entries are kept in segments, a record of the log for
 * up to so many entries of one day, which live as long as the newest of them says.
 */

/** Whose log it is: an account's, or the operator's, which has what the operator did, whatever the account. */
export type AuditOwner = string;
export const operatorAudit: AuditOwner = "operator";

export type AuditActor =
  | { readonly kind: "key"; readonly keyId: string; readonly live: boolean }
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
}

export interface AuditOutcome {
  /** HTTP status. */
  readonly status: number;
  /** Of the error; null for a success. */
  readonly code: string | null;
  /** Id of what was created. */
  readonly created: string | null;
}

export interface AuditSegment {
  readonly v: 1;
  /** In the order in which they were appended. */
  readonly entries: readonly AuditEntry[];
}

/** About 40 KB a segment. */
export const segmentEntriesMax = 100;
/** Of one owner. An account that wants more in a day is refused, so that no flood of actions hides others. */
export const segmentsPerDayMax = { account: 20, operator: 1_000 } as const;
export const auditTtlSeconds = 90 * 24 * 3600;

/** Sorted as text, the names of an owner's segments are in the order of time. */
export function segmentName(day: string, index: number): string {
  return `${day}-${String(index).padStart(4, "0")}`;
}

/** undefined: the segment is full. */
export function appendEntry({ entries }: AuditSegment, entry: AuditEntry): AuditSegment | undefined {
  return entries.length < segmentEntriesMax ? { v: 1, entries: [...entries, entry] } : undefined;
}

/** undefined: the segment has no entry with this id. */
export function replaceEntry({ entries }: AuditSegment, entry: AuditEntry): AuditSegment | undefined {
  const at = entries.findIndex(({ id }) => id === entry.id);
  return at < 0 ? undefined : { v: 1, entries: entries.with(at, entry) };
}
