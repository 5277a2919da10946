import { operatorAudit } from "@packshot/domain/accounts/audit.ts";
import { isUuid } from "@packshot/domain/ids.ts";
import type { Keyv } from "keyv";
import type { AuditLog } from "../../audit/audit-log.ts";
import type { Handlers } from "../../http/call.ts";
import type { Contract } from "../../http/contract.ts";
import { invalidRequest } from "../../http/validation-messages.ts";
import { assertAccountId } from "../../records/commit-account.ts";
import {
  type AccountRank,
  type AccountUpdate,
  type CreateAccountDeps,
  createAccount,
  grantAccountCredits,
  listAccounts,
  type NewAccount,
  type RankAccountsDeps,
  rankAccounts,
  updateAccount,
} from "../accounts/account-actions.ts";
import { assertConfirmed, beginErasure } from "../accounts/account-data.ts";
import { auditPage } from "../accounts/accounts.ts";
import {
  createApiKey,
  createdKeyBody,
  keyListBody,
  listApiKeys,
  type NewApiKey,
  revokeApiKey,
} from "../accounts/api-key-actions.ts";
import type { Eraser } from "../accounts/eraser.ts";
import { readSettledAccount, type UnsettledRefunds } from "../jobs/unsettled-refunds.ts";
import { readServiceStatus, type ServiceStatusDeps } from "./service-status.ts";

export interface AdminHandlerDeps extends CreateAccountDeps, Pick<RankAccountsDeps, "view">, ServiceStatusDeps {
  readonly lastUsed: Keyv;
  readonly contract: Contract;
  readonly auditLog: AuditLog;
  readonly eraser: Pick<Eraser, "begin">;
  readonly refunds: Pick<UnsettledRefunds, "settled">;
}

export function adminHandlers(deps: AdminHandlerDeps): Handlers {
  return {
    listPlans: async () => ({ status: 200, body: { data: deps.plans } }),
    getOpenapi: async () => ({ status: 200, body: deps.contract.document }),

    getServiceStatus: async () => ({ status: 200, body: await readServiceStatus(deps) }),

    async createAccount({ body }) {
      return { status: 201, body: await createAccount(deps, body as NewAccount) };
    },

    async listAccounts({ query }) {
      const after = query.cursor as string | undefined;
      const by = query.sort as AccountRank | "created";
      if (by !== "created") {
        if (after !== undefined) throw invalidRequest('"cursor" is only of the list that is sorted by creation.');
        return { status: 200, body: { data: await rankAccounts(deps, { by, limit: query.limit as number }) } };
      }
      if (after !== undefined && !isUuid(after)) throw invalidRequest('"cursor" is not a nextCursor of this list.');
      const { accounts, next } = await listAccounts(deps, { after, limit: query.limit as number });
      return { status: 200, body: { data: accounts, nextCursor: next } };
    },

    async getAccount({ path }) {
      return { status: 200, body: await readSettledAccount(deps, path.id!) };
    },

    async updateAccount({ path, body }) {
      return { status: 200, body: await updateAccount(deps, { accountId: path.id!, update: body as AccountUpdate }) };
    },

    async grantCredits({ path, body }) {
      const grant = body as { amount: number; note: string };
      return { status: 201, body: await grantAccountCredits(deps, { accountId: path.id!, ...grant }) };
    },

    async deleteAccount({ path, query }) {
      assertConfirmed(query.confirm, path.id!);
      return { status: 202, body: await beginErasure(deps, path.id!) };
    },

    async listAudit(call) {
      return await auditPage(deps.auditLog, operatorAudit, call, { isForOperator: true });
    },

    async listAccountAudit(call) {
      assertAccountId(call.path.id!);
      return await auditPage(deps.auditLog, call.path.id!, call, { isForOperator: true });
    },

    async listKeys({ path }) {
      const keys = await listApiKeys(deps, { accountId: path.id! });
      return { status: 200, body: await keyListBody(keys, deps.lastUsed) };
    },

    async createKey({ path, body }) {
      const created = await createApiKey(deps, { accountId: path.id!, newKey: body as NewApiKey, maker: null });
      return { status: 201, body: await createdKeyBody(created, deps.lastUsed) };
    },

    async revokeKey({ path, query }) {
      const withDescendants = query.withDescendants as boolean;
      await revokeApiKey(deps, { accountId: path.id!, keyId: path.keyId!, withDescendants });
      return { status: 204 };
    },
  };
}
