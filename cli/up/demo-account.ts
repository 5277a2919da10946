import type { OperatorClient } from "../operator/operator-client.ts";
import { saveSecrets, type Secrets } from "./secrets.ts";

export interface DemoAccount {
  readonly accountId: string;
  readonly apiKey: string;
}

async function stillWorks(apiUrl: string, apiKey: string): Promise<boolean> {
  const answer = await fetch(`${apiUrl}/v1/account`, { headers: { Authorization: `Bearer ${apiKey}` } });
  await answer.body?.cancel();
  return answer.status !== 401;
}

/**
 * The account and key of this data folder: those of the previous start, or new ones when the log does not have them.
 */
export async function ensureDemoAccount(
  operator: OperatorClient,
  apiUrl: string,
  dataDir: string,
  secrets: Secrets,
): Promise<DemoAccount> {
  if (secrets.demo && (await stillWorks(apiUrl, secrets.demo.apiKey))) return secrets.demo;
  const { accountId } = await operator.request<{ accountId: string }>("POST", "/admin/v1/accounts", {
    plan: "dev",
    name: "demo",
  });
  const { key } = await operator.request<{ key: string }>("POST", `/admin/v1/accounts/${accountId}/keys`, {
    name: "demo",
  });
  const demo = { accountId, apiKey: key };
  saveSecrets(dataDir, { ...secrets, demo });
  return demo;
}
