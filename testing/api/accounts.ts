/** Accounts of a running API, opened by its operator API. */
import { type ApiProcess, adminToken } from "./api-processes.ts";

export interface OpenedAccount {
  readonly accountId: string;
  readonly key: string;
}

export async function operator(
  api: Pick<ApiProcess, "adminUrl">,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${api.adminUrl}/admin/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${adminToken}`,
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>) };
}

export async function openAccount(
  api: Pick<ApiProcess, "adminUrl">,
  order: Readonly<Record<string, unknown>> = {},
): Promise<OpenedAccount> {
  const make = async (path: string, wanted: object) => {
    const { status, body } = await operator(api, "POST", path, wanted);
    if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const { accountId } = await make("/accounts", { name: "test", plan: "dev", ...order });
  const { key } = await make(`/accounts/${accountId}/keys`, { name: "first" });
  return { accountId: accountId as string, key: key as string };
}
