import { isoTime } from "@packshot/domain/ids.ts";
import { summarizeLatency } from "@packshot/domain/accounts/latency-counts.ts";
import type { AuditEntry } from "@packshot/domain/accounts/audit.ts";
import type { Keyv } from "keyv";
import type { AuditLog } from "../../audit/audit-log.ts";
import type { Handlers } from "../../http/call.ts";
import { invalidRequest } from "../../http/validation-messages.ts";
import { type AccountDeps, readAccount } from "../../records/commit-account.ts";
import { readUsage } from "./read-usage.ts";
import { createApiKey, type NewApiKey } from "./api-key-actions.ts";
import { listApiKeys } from "./api-key-actions.ts";
import { mayManageKey } from "./api-key-actions.ts";
import { revokeApiKey } from "./api-key-actions.ts";
import { auditPage } from "./audit-response.ts";
import { createdKeyBody, keyListBody } from "./api-key-actions.ts";

const usageDaysDefault = 30;
const dayMs = 24 * 3600 * 1000;

export interface AccountRouteDeps extends AccountDeps {
  readonly lastUsed: Keyv;
  readonly auditLog: AuditLog;
}

export function accountHandlers(deps: AccountRouteDeps): Handlers {
  return {
    async getAccount({ caller }) {
      const account = await readAccount(deps, caller.account.accountId);
      const { remaining, periodEndsAt } = account.credits;
      return {
        status: 200,
        body: {
          accountId: account.accountId,
          workspaceId: account.workspaceId,
          plan: account.plan,
          apiEnabled: account.apiEnabled,
          credits: { remaining, periodEndsAt },
          limits: account.limits,
          jobs: { running: account.running, waiting: account.waiting },
          tools: account.tools,
        },
      };
    },

    async getUsage({ caller, query }) {
      const dayAt = (ms: number) => isoTime(ms).slice(0, 10);
      const to = (query.to as string | undefined) ?? dayAt(deps.nowMs());
      const from = (query.from as string | undefined) ?? dayAt(deps.nowMs() - usageDaysDefault * dayMs);
      const { account, days } = await readUsage(deps, { accountId: caller.account.accountId, from, to });
      const data = days.map(({ latency, ...day }) =>
        latency === undefined ? day : { ...day, latency: summarizeLatency(latency) },
      );
      const { remaining, period, periodEndsAt } = account.credits;
      return { status: 200, body: { credits: { remaining, period, periodEndsAt }, data } };
    },

    async listAudit(call) {
      const { key, account } = call.caller;
      const wants = ({ actor }: AuditEntry) => (actor.kind === "operator" ? key.live : mayManageKey(key, actor));
      return await auditPage(deps.auditLog, account.accountId, call, { wants, isForOperator: false });
    },

    async listKeys({ caller }) {
      const keys = await listApiKeys(deps, { accountId: caller.account.accountId });
      const manageable = keys.filter((key) => mayManageKey(caller.key, key));
      return { status: 200, body: await keyListBody(manageable, deps.lastUsed) };
    },

    async createKey({ caller, body }) {
      const newKey = { live: caller.key.live, ...(body as NewApiKey) };
      if (!mayManageKey(caller.key, newKey)) {
        throw invalidRequest("A test key makes test keys only.", { field: "live" });
      }
      const created = await createApiKey(deps, { accountId: caller.account.accountId, newKey, maker: caller.key });
      return { status: 201, body: await createdKeyBody(created, deps.lastUsed) };
    },

    async revokeKey({ caller, path, query }) {
      await revokeApiKey(deps, {
        accountId: caller.account.accountId,
        keyId: path.id!,
        withDescendants: query.withDescendants as boolean,
        mayRevoke: (key) => mayManageKey(caller.key, key),
      });
      return { status: 204 };
    },
  };
}
