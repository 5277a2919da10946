/** What is put under load: a stack of its own on this machine, or a deployment that runs already. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createOperatorClient, type OperatorClient } from "../../cli/operator/operator-client.ts";
import { findNatsServer } from "../../cli/up/nats-server.ts";
import { startStack } from "../../cli/up/stack.ts";
import type { EndedJob } from "./ended-job.ts";
import type { FairnessTenants, Tenant } from "./load-settings.ts";
import { startWebhookCollector, type WebhookCollector } from "./webhook-collector.ts";

const quietTenants = 20;
const requestTimeoutMs = 30_000;
const drainPollMs = 250;

export interface LoadTarget {
  readonly apiUrl: string;
  readonly main: Tenant;
  readonly fairness?: FairnessTenants;
  readonly collectorUrl: string | null;
  /** One sentence for the report. */
  readonly description: string;
  /** Whether its processes are ours, so that their memory can be read. */
  readonly isOwn: boolean;
  /** Resolves when no account has a job that is queued, waiting or processing; rejects after the limit. */
  drain(limitMs: number, signal: AbortSignal): Promise<void>;
  /** What webhooks told of ended jobs, of all accounts, and how many were not signed as they should; or null. */
  webhooks(): { readonly ended: readonly EndedJob[]; readonly rejected: number } | null;
  stop(): Promise<void>;
}

export interface Deployment {
  readonly apiUrl: string;
  readonly key: string;
  /** The operator API's address, to make accounts for the noisy tenant and those beside it. */
  readonly adminUrl?: string | undefined;
  readonly adminToken?: string | undefined;
}

export interface OwnTarget {
  readonly workers: number;
  /** For the Node of each of its processes. */
  readonly nodeOptions?: string | undefined;
  /** How long ended jobs are kept; otherwise as `packshot up` does. */
  readonly retentionSeconds?: number | undefined;
}

export async function startOwnTarget(own: OwnTarget, signal: AbortSignal): Promise<LoadTarget> {
  const { workers, nodeOptions, retentionSeconds } = own;
  const dataDir = await mkdtemp(join(tmpdir(), "packshot-load-"));
  const said: string[] = [];
  const environment = {
    ...process.env,
    PACKSHOT_NATS_SERVER: findNatsServer(process.env),
    // Few photos are sent again and again, as if each were another one.
    PACKSHOT_KEPT_MATTE_SECONDS: "0",
    ...(nodeOptions && { NODE_OPTIONS: nodeOptions }),
    ...(retentionSeconds !== undefined && { PACKSHOT_RETENTION_SECONDS: String(retentionSeconds) }),
  };
  const say = (line: string) => void said.push(line);
  const stack = await startStack({ dataDir, port: 0, workers, allowSources: [], environment, say, signal }).catch(
    async (error: Error) => {
      await rm(dataDir, { recursive: true, force: true });
      throw new Error(`${error.message}\n${said.join("\n")}`);
    },
  );
  const kept = retentionSeconds === undefined ? "" : `, but keeping ended jobs for ${retentionSeconds} s`;
  const collector = await startWebhookCollector();
  async function stop(): Promise<void> {
    await stack.stop();
    await collector.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
  try {
    const { apiUrl, apiKey } = stack.file;
    const main = { key: apiKey };
    const fairness = await createTenants(createOperatorClient(stack.file));
    for (const tenant of tenantsOf(main, fairness)) await registerWebhook(apiUrl, tenant, collector);
    return {
      ...describeTarget(apiUrl, main, fairness),
      collectorUrl: collector.url,
      description: `a stack of its own, as \`packshot up --workers ${workers}\` starts it${kept}`,
      isOwn: true,
      webhooks: () => ({ ended: collector.ended(), rejected: collector.rejected() }),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

export async function openDeployment({ apiUrl, key, adminUrl, adminToken }: Deployment): Promise<LoadTarget> {
  const main = { key };
  const hasOperator = adminUrl !== undefined && adminToken !== undefined;
  const fairness = hasOperator ? await createTenants(createOperatorClient({ adminUrl, adminToken })) : undefined;
  await readJobs(apiUrl, main); // A wrong address or key shows here.
  return {
    ...describeTarget(apiUrl, main, fairness),
    collectorUrl: null,
    description:
      "a deployment that ran already; its jobs are followed by their event streams, but for those of the noisy tenant, which are only waited for",
    isOwn: false,
    webhooks: () => null,
    stop: async () => {},
  };
}

function describeTarget(apiUrl: string, main: Tenant, fairness: FairnessTenants | undefined) {
  return {
    apiUrl,
    main,
    ...(fairness && { fairness }),
    drain: (limitMs: number, signal: AbortSignal) => drain(apiUrl, tenantsOf(main, fairness), limitMs, signal),
  };
}

function tenantsOf(main: Tenant, fairness: FairnessTenants | undefined): readonly Tenant[] {
  return fairness === undefined ? [main] : [main, fairness.noisy, fairness.newcomer, ...fairness.quiet];
}

async function createTenants(operator: OperatorClient): Promise<FairnessTenants> {
  async function create(name: string): Promise<Tenant> {
    const account = { plan: "pro", name: `load: ${name}` };
    const { accountId } = await operator.request<{ accountId: string }>("POST", "/admin/v1/accounts", account);
    const path = `/admin/v1/accounts/${accountId}/keys`;
    return { key: (await operator.request<{ key: string }>("POST", path, { name: "load" })).key };
  }
  const quiet: Tenant[] = [];
  for (let n = 1; n <= quietTenants; n++) quiet.push(await create(`quiet ${n}`));
  return { noisy: await create("noisy"), newcomer: await create("newcomer"), quiet };
}

async function call<T>(url: string, { key }: Tenant, init: RequestInit = {}): Promise<T> {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const answer = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(requestTimeoutMs) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${init.method ?? "GET"} ${new URL(url).pathname}: ${answer.status} ${text}`);
  return JSON.parse(text) as T;
}

async function registerWebhook(apiUrl: string, tenant: Tenant, collector: WebhookCollector): Promise<void> {
  const hook = collector.openHook();
  const init = { method: "POST", body: JSON.stringify({ url: hook.url }) };
  hook.useSecret((await call<{ secret: string }>(`${apiUrl}/v1/webhooks`, tenant, init)).secret);
}

async function readJobs(apiUrl: string, tenant: Tenant): Promise<number> {
  const { jobs } = await call<{ jobs: { running: number; waiting: number } }>(`${apiUrl}/v1/account`, tenant);
  return jobs.running + jobs.waiting;
}

async function drain(apiUrl: string, tenants: readonly Tenant[], limitMs: number, signal: AbortSignal): Promise<void> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  for (const tenant of tenants) {
    for (;;) {
      const left = await readJobs(apiUrl, tenant);
      if (left === 0) break;
      await delay(drainPollMs, undefined, { signal: limit }).catch(() => {
        throw new Error(signal.aborted ? "stopped" : `${left} jobs had not ended after ${limitMs / 1000} s`);
      });
    }
  }
}
