/**
 * `Idempotency-Key`: the first answer is stored in the same batch as what it made, and given again for 24 hours. Equal
 * keys of one process wait for each other; between processes the record's expected sequence of 0 decides.
 */
import { createHash } from "node:crypto";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { IdempotencyRecord } from "@packshot/domain/idempotency.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { ApiResponse } from "../http/call.ts";

export interface IdempotencyKey {
  readonly subject: string;
  readonly fingerprint: string;
}

/** `key` as the client sent it; undefined when it sent none. Test and live keys have keys of their own. */
export function idempotencyKeyOf(
  who: { accountId: string; live: boolean },
  key: string | undefined,
  request: object,
): IdempotencyKey | undefined {
  if (key === undefined) return undefined;
  return {
    subject: subjects.idempotency(who.accountId, sha256(`${who.live ? "live" : "test"}:${key}`)),
    fingerprint: sha256(canonicalJson(request)),
  };
}

/** Throws `idempotency_key_reused` when the record is another request's. */
export function assertSameRequest(record: IdempotencyRecord, claim: IdempotencyKey): void {
  if (record.fingerprint === claim.fingerprint) return;
  throw new PackshotError(
    "idempotency_key_reused",
    "This Idempotency-Key was used with another request in the last 24 hours: use a new one.",
  );
}

export const replayedHeader = { "Idempotency-Replayed": "true" } as const;

export interface SingleFlight {
  /** `first` runs unless the record is there; `replay` answers from it. `first` itself may find that it lost a race. */
  run(
    claim: IdempotencyKey | undefined,
    first: () => Promise<ApiResponse>,
    replay: (record: IdempotencyRecord) => Promise<ApiResponse>,
  ): Promise<ApiResponse>;
}

export function createSingleFlight({ log }: { log: Log }): SingleFlight {
  const running = new Map<string, Promise<unknown>>();
  return {
    async run(claim, first, replay) {
      if (claim === undefined) return await first();
      for (;;) {
        const { value: record } = await log.read<IdempotencyRecord>(claim.subject);
        if (record !== undefined) {
          assertSameRequest(record, claim);
          return await replay(record);
        }
        const before = running.get(claim.subject);
        if (before !== undefined) {
          await before;
          continue;
        }
        const turn = first();
        running.set(
          claim.subject,
          turn.catch(() => {}),
        );
        try {
          return await turn;
        } finally {
          running.delete(claim.subject);
        }
      }
    },
  };
}

/** Members sorted by name at every depth, as RFC 8785 does; our values are plain JSON. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
