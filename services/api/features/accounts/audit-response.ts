import type { AuditEntry } from "@packshot/domain/accounts/audit.ts";
import { isUuid } from "@packshot/domain/ids.ts";
import type { AuditLog, AuditPageRequest } from "../../audit/audit-log.ts";
import type { ApiResponse, Call } from "../../http/call.ts";
import { invalidRequest } from "../../http/validation-messages.ts";

/** A page of an audit log. Customers are not told of the operator's addresses. Throws `invalid_request` (the cursor). */
export async function auditPage(
  auditLog: AuditLog,
  owner: string,
  { query }: Pick<Call, "query">,
  { wants, isForOperator }: Pick<AuditPageRequest, "wants"> & { readonly isForOperator: boolean },
): Promise<ApiResponse> {
  const beforeId = query.cursor as string | undefined;
  if (beforeId !== undefined && !isUuid(beforeId)) throw invalidRequest('"cursor" is not a nextCursor of this list.');
  const page = { limit: query.limit as number, beforeId, ...(wants && { wants }) };
  const { entries, nextId } = await auditLog.list(owner, page);
  const data = entries.map((entry) => entryBody(entry, isForOperator));
  return { status: 200, body: { data, ...(nextId === undefined ? {} : { nextCursor: nextId }) } };
}

function entryBody({ actor, address, outcome, count = 1, lastAt, ...entry }: AuditEntry, isForOperator: boolean) {
  const isOperator = actor.kind === "operator";
  return {
    ...entry,
    actor: actor.kind,
    keyId: isOperator ? null : actor.keyId,
    address: isOperator && !isForOperator ? null : address,
    status: outcome?.status ?? null,
    code: outcome?.code ?? null,
    created: outcome?.created ?? null,
    count,
    lastAt: lastAt ?? entry.at,
  };
}
