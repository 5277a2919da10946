import { paginate } from "./paginate.ts";
import type { AuditEntry, PageSize } from "./schemas.ts";
import type { Transport, Waiting } from "./transport.ts";

interface AuditPage {
  readonly data: readonly AuditEntry[];
  readonly nextCursor?: string;
}

export function createAudit(transport: Transport) {
  return {
    /** What keys and the operator changed in 90 days, newest first. */
    list: (page: PageSize = {}, waiting: Waiting = {}): AsyncIterable<AuditEntry> =>
      paginate((cursor) =>
        transport.json<AuditPage>({ method: "GET", path: "/v1/audit", query: { ...page, cursor }, ...waiting }),
      ),
  };
}

export type Audit = ReturnType<typeof createAudit>;
