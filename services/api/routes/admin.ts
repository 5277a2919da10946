import type { Keyv } from "keyv";
import type { Handlers } from "../http/call.ts";
import type { Contract } from "../http/contract.ts";
import { invalidRequest } from "../http/validation-messages.ts";
import {
  type AccountUpdate,
  assertAccountId,
  createAccount,
  getAccount,
  grantAccountCredits,
  listAccounts,
  type NewAccount,
  type OperatorDeps,
  updateAccount,
} from "../use-cases/accounts/update-account.ts";
import { createApiKey, listApiKeys, type NewApiKey, revokeApiKey } from "../use-cases/api-keys/create-api-key.ts";
import { keyBody } from "./account.ts";

export interface AdminRouteDeps extends OperatorDeps {
  readonly lastUsed: Keyv;
  readonly contract: Contract;
}

export function adminHandlers(parts: AdminRouteDeps): Handlers {
  return {
    listPlans: async () => ({ status: 200, body: { data: parts.plans } }),
    getOpenapi: async () => ({ status: 200, body: parts.contract.document }),

    async createAccount({ body }) {
      return { status: 201, body: await createAccount(parts, body as NewAccount) };
    },

    async listAccounts({ query }) {
      const after = query.cursor === undefined ? 0 : Number(query.cursor);
      if (!Number.isSafeInteger(after) || after < 0) throw invalidRequest('"cursor" is not a nextCursor of this list.');
      const { accounts, next } = await listAccounts(parts, { after, limit: query.limit as number });
      return {
        status: 200,
        body: next === undefined ? { data: accounts } : { data: accounts, nextCursor: String(next) },
      };
    },

    async getAccount({ path }) {
      return { status: 200, body: await getAccount(parts, path.id!) };
    },

    async updateAccount({ path, body }) {
      return { status: 200, body: await updateAccount(parts, path.id!, body as AccountUpdate) };
    },

    async grantCredits({ path, body }) {
      return {
        status: 201,
        body: await grantAccountCredits(parts, path.id!, body as { amount: number; note: string }),
      };
    },

    async listKeys({ path }) {
      const { accountId } = await getAccount(parts, path.id!);
      const keys = await listApiKeys(parts, accountId);
      return { status: 200, body: { data: await Promise.all(keys.map((key) => keyBody(key, parts.lastUsed))) } };
    },

    async createKey({ path, body }) {
      assertAccountId(path.id!);
      const { key, secret } = await createApiKey(parts, path.id!, body as NewApiKey);
      return { status: 201, body: { ...(await keyBody(key, parts.lastUsed)), key: secret } };
    },

    async revokeKey({ path }) {
      assertAccountId(path.id!);
      await revokeApiKey(parts, path.id!, path.keyId!);
      return { status: 204 };
    },
  };
}
