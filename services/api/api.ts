/** The API's parts put together; `api-main.ts` reads the settings and runs them, tests compose their own. */
import type { Plan } from "@packshot/domain/plan.ts";
import type { Seal } from "@packshot/platform/crypto/seal.ts";
import type { RedisClient } from "@packshot/platform/keyv/redis-client.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import type { AllowList } from "@packshot/platform/outbound/address-guard.ts";
import { type DiskLinks, storagePath } from "@packshot/platform/storage/disk-links.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import type { Keyv } from "keyv";
import type { Registry } from "prom-client";
import { createJanitor } from "./followers/janitor.ts";
import { createJobView } from "./followers/job-view.ts";
import { createKeeper } from "./followers/keeper.ts";
import { createRepairSweep } from "./followers/repair.ts";
import { createAuthenticate } from "./access/authenticate.ts";
import { createOperatorCheck } from "./access/operator-token.ts";
import { sweepStaleForms } from "./http/edit-form.ts";
import { createApiMetrics } from "./http/api-metrics.ts";
import { loadContract } from "./http/contract.ts";
import { createHttpServer, type HttpServer } from "./http/http-server.ts";
import { createLastUsed } from "./access/last-used.ts";
import { createRateLimit } from "./http/rate-limit.ts";
import { accountHandlers } from "./routes/account.ts";
import { cacheAccountIn, createRecordCache } from "./records/record-cache.ts";
import { adminHandlers } from "./routes/admin.ts";
import { editHandlers } from "./routes/edits.ts";
import { createJobResponses } from "./routes/job-response.ts";
import { jobHandlers } from "./routes/jobs.ts";
import { serviceHandlers } from "./routes/service.ts";
import { createStorageMount } from "./routes/storage-links.ts";
import { type ToolRouteDeps, toolHandlers } from "./routes/tools.ts";
import { uploadHandlers } from "./routes/uploads.ts";
import { webhookHandlers } from "./routes/webhooks.ts";
import { createCommitAccepts } from "./accept/accept-batch.ts";
import { createAcceptQueue } from "./accept/accept-queue.ts";
import { createAcceptForwarder } from "./accept/accept-forwarder.ts";
import type { AccountDeps } from "./records/commit-account.ts";
import { createKeyedMutex } from "@packshot/platform/flow/keyed-mutex.ts";
import { createContestedAccounts } from "./accept/contested-accounts.ts";
import { createRunOnce } from "./idempotency/run-once.ts";

export interface ApiSettings {
  readonly log: Log;
  readonly storage: Storage;
  /** Of the disk storage; undefined with S3, whose links lead past us. */
  readonly links: DiskLinks | undefined;
  readonly seal: Seal;
  /** undefined: each process counts requests alone. */
  readonly redis: RedisClient | undefined;
  readonly lastUsed: Keyv;
  readonly allowWebhooks: AllowList;
  readonly plans: readonly Plan[];
  readonly registry: Registry;
  readonly logger: Logger;
  readonly nowMs: () => number;
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string;
  /** undefined: the operator API is off. */
  readonly admin: { readonly port: number; readonly token: string } | undefined;
  readonly retentionMs: number;
  readonly maxPixels: number;
  readonly models: ToolRouteDeps["models"];
}

export interface Api {
  readonly parts: readonly Component[];
  url(): string;
  adminUrl(): string | null;
}

export function createApi(settings: ApiSettings): Api {
  const { log, storage, logger, nowMs, publicUrl, retentionMs, maxPixels } = settings;
  const metrics = createApiMetrics(settings.registry);
  const contract = loadContract(new URL("openapi.yaml", import.meta.url));
  const records = createRecordCache({ log, logger });
  const accountMutex = createKeyedMutex();
  const { runExclusive } = accountMutex;
  const view = createJobView({ log, logger, nowMs });
  const runOnce = createRunOnce({ log });
  const responses = createJobResponses({ storage, publicUrl });
  const cacheAccount = cacheAccountIn(records);
  const contested = createContestedAccounts({ nowMs });
  const commit = createCommitAccepts({
    log,
    records,
    nowMs,
    responseBody: responses.created,
    onConflict(accountId) {
      metrics.onConflict();
      contested.recordConflict(accountId);
    },
  });
  const { isContested } = contested;
  const acceptHere = createAcceptQueue({ commit, accountMutex, isContested, onBatch: metrics.onBatch });
  const forwarder = createAcceptForwarder({ log, acceptHere, nowMs, onForward: metrics.onForward });
  const { accept } = forwarder;
  const accounts: AccountDeps = { log, runExclusive, cacheAccount, nowMs };
  const edits = { log, storage, accept, nowMs, logger };
  const authenticate = createAuthenticate({ records, nowMs });
  const lastUsed = createLastUsed({ keyv: settings.lastUsed, nowMs });
  let isStarted = false;

  const server = createHttpServer({
    name: "api",
    host: settings.host,
    port: settings.port,
    contract,
    logger,
    onResponse: metrics.onResponse,
    async authenticate(authorization) {
      const caller = await authenticate(authorization);
      lastUsed.note(caller.key.id);
      return caller;
    },
    rateLimit: createRateLimit({ redis: settings.redis, nowMs }),
    handlers: {
      ...accountHandlers({ ...accounts, lastUsed: settings.lastUsed }),
      ...toolHandlers({ maxPixels, models: settings.models }),
      ...uploadHandlers({ log, storage, runOnce, nowMs, publicUrl }),
      ...editHandlers({ ...edits, contract, runOnce, view, responses, maxPixels, models: settings.models }),
      ...jobHandlers({ log, nowMs, retentionMs, onCommit: view.committed, view, responses }),
      ...webhookHandlers({ ...accounts, seal: settings.seal, allow: settings.allowWebhooks, runOnce, publicUrl }),
      ...serviceHandlers({ contract, isReady: () => isStarted && !log.connection.isClosed() }),
    },
    mounts:
      settings.links === undefined
        ? {}
        : { [storagePath.replace(/\/$/, "")]: createStorageMount({ log, storage, links: settings.links, nowMs }) },
  });

  const admin = settings.admin === undefined ? undefined : createAdminServer(settings, settings.admin, accounts);
  const keeper = createKeeper({
    log,
    logger,
    nowMs,
    runExclusive,
    cacheAccount,
  });
  const forms: Component = { name: "forms", start: sweepStaleForms, stop: async () => {} };
  const ready: Component = {
    name: "ready",
    async start() {
      isStarted = true;
    },
    async stop() {
      isStarted = false;
    },
  };
  return {
    parts: [
      forms,
      records,
      forwarder,
      view,
      keeper,
      createJanitor({ log, storage, logger, nowMs }),
      createRepairSweep({ log, logger, retentionMs, nowMs }),
      ...(admin === undefined ? [] : [admin]),
      server,
      ready,
    ],
    url: () => server.url(),
    adminUrl: () => admin?.url() ?? null,
  };
}

function createAdminServer(
  settings: ApiSettings,
  { port, token }: { port: number; token: string },
  accounts: AccountDeps,
): HttpServer {
  const contract = loadContract(new URL("admin-openapi.yaml", import.meta.url));
  const { plans, lastUsed, host, logger } = settings;
  return createHttpServer({
    name: "operator api",
    host,
    port,
    contract,
    logger,
    authenticate: createOperatorCheck(token),
    handlers: adminHandlers({ ...accounts, plans, lastUsed, contract }),
  });
}
