/** All that an account has: handed out as one stream, or removed. */
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Erasure } from "@packshot/domain/accounts/account.ts";
import type { AuditSegment } from "@packshot/domain/accounts/audit.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { Job } from "@packshot/domain/jobs/job.ts";
import { subjects, subjectTokens } from "@packshot/domain/subjects.ts";
import { listRecordSubjects } from "@packshot/log/follow/list-subjects.ts";
import type { Handlers } from "../../http/call.ts";
import { invalidRequest } from "../../http/validation-messages.ts";
import { type AccountDeps, readAccount, readRecords } from "../../records/commit-account.ts";
import { isExpired } from "../jobs/job-actions.ts";
import { requestErasure } from "./erase-account.ts";
import type { Eraser } from "./eraser.ts";

export interface AccountDataDeps extends ExportDeps {
  readonly eraser: Pick<Eraser, "begin">;
}

/** An export reads each record of the account: one at a time and process is enough. */
const retryAfterSeconds = 30;

export function accountDataHandlers(deps: AccountDataDeps): Handlers {
  const exporting = new Set<string>();
  return {
    async exportAccount({ caller, response, signal }) {
      const { accountId } = caller.account;
      assertLive(caller.key.live, "exports");
      if (exporting.has(accountId)) {
        throw new PackshotError(
          "rate_limit_exceeded",
          `An export of this account is under way; try again in ${retryAfterSeconds} s.`,
          {
            retryAfterSeconds,
          },
        );
      }
      exporting.add(accountId);
      try {
        await sendLines(response, exportAccount(deps, { accountId }), signal);
      } finally {
        exporting.delete(accountId);
      }
      return "sent";
    },

    async deleteAccount({ caller, query }) {
      const { accountId } = caller.account;
      assertLive(caller.key.live, "deletes");
      assertConfirmed(query.confirm, accountId);
      return { status: 202, body: await beginErasure(deps, accountId) };
    },
  };
}

/** Throws `not_found`. */
export async function beginErasure(deps: AccountDeps & Pick<AccountDataDeps, "eraser">, accountId: string) {
  const erasure: Erasure = await requestErasure(deps, accountId);
  deps.eraser.begin(erasure);
  return { accountId, status: "deleting", requestedAt: erasure.requestedAt };
}

/** A request that was meant for another account, or for another path, deletes nothing. */
export function assertConfirmed(confirm: unknown, accountId: string): void {
  if (confirm === accountId) return;
  throw invalidRequest('Deleting an account needs "confirm" with its id: all that it has is removed.', {
    field: "confirm",
  });
}

function assertLive(isLive: boolean, what: string): void {
  if (!isLive) throw invalidRequest(`A test key ${what} no account: use a live key.`);
}

/** The last line tells that the export is whole: a fault on the way ends the connection without it. */
async function sendLines(
  response: ServerResponse,
  lines: AsyncGenerator<object, void, undefined>,
  signal: AbortSignal,
): Promise<void> {
  // Before the first line a fault still has a response of its own.
  const first = await lines.next();
  response.writeHead(200, { "Content-Type": "application/x-ndjson", "Cache-Control": "no-store" });
  async function* texts() {
    let count = 0;
    for (let { done, value } = first; !done; { done, value } = await lines.next()) {
      count += 1;
      yield `${JSON.stringify(value)}\n`;
    }
    yield `${JSON.stringify({ type: "end", lines: count })}\n`;
  }
  await pipeline(Readable.from(texts()), response, { signal }).catch((error: unknown) => {
    // A client that has left, or a process that stops, is no fault of ours.
    if (!signal.aborted) throw error;
  });
}

export interface ExportDeps extends AccountDeps {
  /** A job as clients see it, with links to its files. */
  readonly jobBody: (job: Job) => Promise<object>;
}

/** A line of the export. */
export type ExportLine = { readonly type: string; readonly [field: string]: unknown };

const readsMax = 100;
/** Copies for others, what only finds or repeats other records, and the erasure's own. */
const omittedKinds: readonly string[] = ["event", "ledger", "index", "idem", "wait", "sandboxwait", "erasure"];
const typeNames: Readonly<Record<string, string>> = { apikey: "key" };
/** What authenticates or signs is not handed out: nobody needs it, and whoever leaks the export leaks no access. */
const secretFields = /^(sha256|secrets?|sealed\w*|credentials?|attemptId|readySequence)$/i;

/**
 * All that the log has under the account's name, of whatever kind, as lines; the files of jobs are links. Throws
 * `not_found`.
 */
async function* exportAccount(
  deps: ExportDeps,
  { accountId }: { readonly accountId: string },
): AsyncGenerator<ExportLine, void, undefined> {
  const { log, nowMs } = deps;
  yield { type: "account", ...withoutSecrets(await readAccount(deps, accountId)) };
  const names = await Array.fromAsync(listRecordSubjects(log, subjects.ofAccount(accountId)));
  const wanted = names.filter((name) => !omittedKinds.includes(subjectTokens(name).kind));
  for (let from = 0; from < wanted.length; from += readsMax) {
    for (const { subject, value } of await readRecords<object>(log, wanted.slice(from, from + readsMax))) {
      const { kind } = subjectTokens(subject);
      if (kind === "audit") yield* auditLines(value as AuditSegment);
      else if (kind !== "job") yield { type: typeNames[kind] ?? kind, ...withoutSecrets(value) };
      else if (!isExpired(value as Job, nowMs())) yield { type: "job", ...(await deps.jobBody(value as Job)) };
    }
  }
}

function* auditLines({ entries }: AuditSegment): Generator<ExportLine, void, undefined> {
  for (const { actor, address, ...entry } of entries) {
    yield { type: "audit", ...entry, actor, address: actor.kind === "operator" ? null : address };
  }
}

/** A copy without secret fields, at every depth, and without the record's version. */
function withoutSecrets(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== "v" && !secretFields.test(name))
      .map(([name, field]) => [name, isPlain(field) ? withoutSecrets(field) : field]),
  );
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
