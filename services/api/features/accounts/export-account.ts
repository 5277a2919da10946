import type { AuditSegment } from "@packshot/domain/accounts/audit.ts";
import type { Job } from "@packshot/domain/jobs/job.ts";
import { subjects, subjectTokens } from "@packshot/domain/subjects.ts";
import { listRecordSubjects } from "@packshot/log/follow/list-subjects.ts";
import { type AccountDeps, readAccount } from "../../records/commit-account.ts";
import { readRecords } from "../../records/read-records.ts";
import { isExpired } from "../jobs/job-actions.ts";

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
export async function* exportAccount(
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
