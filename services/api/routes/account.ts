import type { DayUsage } from "@packshot/domain/account.ts";
import type { ApiKey } from "@packshot/domain/api-key.ts";
import { isoTime } from "@packshot/domain/ids.ts";
import type { Keyv } from "keyv";
import type { Handlers } from "../http/call.ts";
import { invalidRequest } from "../http/validation-messages.ts";
import { readLastUsed } from "../access/last-used.ts";
import { type AccountDeps, readAccount } from "../records/commit-account.ts";
import { createApiKey, listApiKeys, type NewApiKey, revokeApiKey } from "../use-cases/api-keys/create-api-key.ts";
import { listRecords } from "../records/list-records.ts";

const usageDaysMax = 400;
const usageDaysDefault = 30;
const dayMs = 24 * 3600 * 1000;

export interface AccountRouteDeps extends AccountDeps {
  readonly lastUsed: Keyv;
}

export function accountHandlers(parts: AccountRouteDeps): Handlers {
  return {
    async getAccount({ caller }) {
      const account = await readAccount(parts, caller.account.accountId);
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
      const today = isoTime(parts.nowMs()).slice(0, 10);
      const to = (query.to as string | undefined) ?? today;
      const from = (query.from as string | undefined) ?? isoTime(parts.nowMs() - usageDaysDefault * dayMs).slice(0, 10);
      const { accountId, credits } = await readAccount(parts, caller.account.accountId);
      const days = await listRecords<DayUsage>(parts.log, `ps.usage.${accountId}.*`, usageDaysMax);
      const data = days
        .map(({ value: { day, edits, creditsDebited, creditsRefunded } }) => ({
          day,
          edits,
          creditsDebited,
          creditsRefunded,
        }))
        .filter(({ day }) => day >= from && day <= to)
        .sort((a, b) => (a.day < b.day ? -1 : 1));
      const { remaining, period, periodEndsAt } = credits;
      return { status: 200, body: { credits: { remaining, period, periodEndsAt }, data } };
    },

    async listKeys({ caller }) {
      const keys = (await listApiKeys(parts, caller.account.accountId)).filter((key) => mayManage(caller.key, key));
      return { status: 200, body: { data: await Promise.all(keys.map((key) => keyBody(key, parts.lastUsed))) } };
    },

    async createKey({ caller, body }) {
      const order = { live: caller.key.live, ...(body as NewApiKey) };
      if (!mayManage(caller.key, order)) throw invalidRequest("A test key makes test keys only.", { field: "live" });
      const { key, secret } = await createApiKey(parts, caller.account.accountId, order);
      return { status: 201, body: { ...(await keyBody(key, parts.lastUsed)), key: secret } };
    },

    async revokeKey({ caller, path }) {
      await revokeApiKey(parts, caller.account.accountId, path.id!, (key) => mayManage(caller.key, key));
      return { status: 204 };
    },
  };
}

/** Test keys lie in test configurations, where nobody guards them as they guard what costs credits. */
function mayManage(own: ApiKey, other: Pick<ApiKey, "live">): boolean {
  return own.live || !other.live;
}

export async function keyBody(key: ApiKey, lastUsed: Keyv) {
  const { id, name, hint, live, createdAt, expiresAt } = key;
  return { id, name, hint, live, createdAt, expiresAt, lastUsedAt: await readLastUsed(lastUsed, id) };
}
