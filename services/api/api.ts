/** Composes the API. `api-main.ts` reads the configuration and runs it. */
import type { QueueDeadlines } from "@packshot/domain/job.ts";
import type { Plan } from "@packshot/domain/plan.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Seal } from "@packshot/platform/crypto/seal.ts";
import { createKeyedMutex, type KeyedMutex } from "@packshot/platform/flow/keyed-mutex.ts";
import { createImageInspector } from "@packshot/platform/images/image-inspector.ts";
import { createWindowCounts, type WindowCounts } from "@packshot/platform/redis/window-counts.ts";
import type { Redis } from "@packshot/platform/redis/redis.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Readiness } from "@packshot/platform/lifecycle/readiness.ts";
import { createFollowerLag } from "@packshot/platform/nats/follower-lag.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import { createLogWatch } from "@packshot/platform/nats/log-watch.ts";
import type { AllowList } from "@packshot/platform/outbound/address-guard.ts";
import { type DiskLinks, storagePath } from "@packshot/platform/storage/disk-links.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { traced } from "@packshot/platform/telemetry/tracing.ts";
import type { Keyv } from "keyv";
import type { Registry } from "prom-client";
import { createCommitAccepts } from "./features/edits/accept-batch.ts";
import { type AcceptForwarder, createAcceptForwarder } from "./features/edits/accept-forwarder.ts";
import { createAcceptQueue } from "./features/edits/accept-queue.ts";
import { createContestedKeys } from "@packshot/platform/flow/contested-keys.ts";
import { type Authenticate, createAuthenticate } from "./access/authenticate.ts";
import { createRemoveBgMounts } from "./features/removebg/removebg-mount.ts";
import { createFailedAttempts } from "./access/failed-attempts.ts";
import { createLastUsed } from "./access/last-used.ts";
import { createAuditLog } from "./audit/audit-log.ts";
import { createAudited } from "./audit/audited.ts";
import { createLinkAnswers } from "./features/connections/answer-links.ts";
import { createBucketLinks } from "./features/connections/bucket-links.ts";
import { createEraser } from "./features/accounts/eraser.ts";
import { createJanitor } from "./features/jobs/janitor.ts";
import { createKeeper } from "./features/jobs/keeper.ts";
import { createLedgerArchiver } from "./features/accounts/ledger-archive.ts";
import { createResealer } from "./features/operator/reseal.ts";
import { createRepairSweep } from "./features/jobs/repair.ts";
import { type ApiMetrics, createApiMetrics } from "./http/api-metrics.ts";
import { loadContract } from "./http/contract.ts";
import { formsFolder, sweepStaleForms } from "./http/edit-form.ts";
import { createFormSlots, type FormSlotLimits } from "./http/form-slots.ts";
import { createHttpServer } from "./http/http-server.ts";
import { createRateLimit, type Quota, quotas } from "./http/rate-limit.ts";
import { createStreamSlots } from "./http/stream-slots.ts";
import { createRunOnce } from "./idempotency/run-once.ts";
import { createJobView } from "./features/jobs/job-view.ts";
import type { AccountDeps } from "./records/commit-account.ts";
import { cacheAccountIn, createRecordCache, type RecordCache } from "./records/record-cache.ts";
import { accountDataHandlers } from "./features/accounts/account-data.ts";
import { consoleMounts } from "./service/console-mounts.ts";
import { createOperatorServer, type OperatorPort } from "./features/operator/operator-server.ts";
import { createBatches } from "./features/batches/compose-batches.ts";
import { accountHandlers } from "./features/accounts/account.ts";
import { connectionHandlers } from "./features/connections/connections.ts";
import { batchHandlers } from "./features/batches/batches.ts";
import { type EditRouteDeps, editHandlers } from "./features/edits/edits.ts";
import { createJobResponses, type JobResponses } from "./features/jobs/job-response.ts";
import { jobHandlers } from "./features/jobs/jobs.ts";
import { presetHandlers } from "./features/presets/presets.ts";
import { createReference } from "./service/reference.ts";
import { serviceHandlers } from "./service/service.ts";
import { createStorageMount, type StorageLinkDeps, type StorageMount } from "./http/storage-links.ts";
import { toolHandlers } from "./features/edits/tools.ts";
import { uploadHandlers } from "./features/uploads/uploads.ts";
import { webhookHandlers } from "./features/webhooks/webhooks.ts";
import type { ListToolModels, ModelIdentity } from "./catalog/tool-models.ts";
import { type CountCredits, createCreditMetrics } from "./features/accounts/credit-metrics.ts";
import { timeAccepts } from "./features/edits/time-accepts.ts";
import { createProcessList } from "./features/operator/process-list.ts";
import { createQueueWatch } from "./features/operator/queue-watch.ts";

/** JSON bodies beyond 64 KiB, which only batches may have: 2 MiB each, and some times that once they are parsed. */
const bodyLimits: FormSlotLimits = {
  formsMax: 32,
  formsPerAccountMax: 4,
  bytesMax: 64 * 1024 * 1024,
  bytesPerAccountMax: 8 * 1024 * 1024,
};

export interface ApiDeps {
  readonly log: Log;
  readonly storage: Storage;
  /** Links of the disk storage; undefined for S3, which serves its own. */
  readonly links: DiskLinks | undefined;
  readonly seal: Seal;
  /** undefined: each process counts requests alone. */
  readonly redis: Redis | undefined;
  readonly lastUsed: Keyv;
  readonly allowWebhooks: AllowList;
  readonly allowConnections: AllowList;
  readonly plans: readonly Plan[];
  readonly registry: Registry;
  readonly logger: Logger;
  readonly readiness: Readiness;
  readonly nowMs: () => number;
  /** How long requests may take to end after the stop. */
  readonly finishTimeoutMs: number;
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string;
  readonly trustedProxies: number;
  /** Origins allowed by CORS. */
  readonly allowedOrigins: readonly string[];
  readonly authFailuresPerMinuteMax: number;
  readonly formLimits: FormSlotLimits;
  /** How long a request of the drop-in waits for its job. */
  readonly dropInWaitMs: number;
  /** undefined: the operator API is off. */
  readonly admin: OperatorPort | undefined;
  readonly retentionMs: number;
  readonly queueDeadlines: QueueDeadlines;
  readonly maxPixels: number;
  readonly models: ListToolModels;
  readonly modelIdentity: ModelIdentity;
  readonly allowSources: AllowList;
  readonly sourceTimeoutMs: number;
  readonly destinationTimeoutMs: number;
  /** The folder of the built console; undefined: it is not served. */
  readonly consoleFolder: string | undefined;
}

/** Limits deliveries to customers' buckets that clients ask for again: a bucket may hold one up for a minute. */
const deliverySlots = { what: "deliveries of results", streamsMax: 32, streamsPerAccountMax: 4 } as const;

export interface Api {
  /** In the order of their start. */
  readonly components: readonly Component[];
  url(): string;
  adminUrl(): string | null;
}

export function createApi(deps: ApiDeps): Api {
  const { log, storage, logger, readiness, nowMs, publicUrl, retentionMs, queueDeadlines, maxPixels, models } = deps;
  const metrics = createApiMetrics(deps.registry);
  const countCredits = createCreditMetrics(deps.registry);
  const lag = createFollowerLag(deps.registry, nowMs);
  const contract = loadContract(new URL("openapi.yaml", import.meta.url));
  const records = createRecordCache({ log, logger, nowMs });
  const cacheAccount = cacheAccountIn(records);
  const accountMutex = createKeyedMutex();
  const { runExclusive } = accountMutex;
  const accounts: AccountDeps = { log, runExclusive, cacheAccount, nowMs };
  const view = createJobView({ log, logger, registry: deps.registry, nowMs });
  const runOnce = createRunOnce({ log });
  const responses = createJobResponses({ storage, publicUrl });
  const forwarder = createAccepting(deps, { records, accountMutex, responses, metrics, countCredits });
  const accept = timeAccepts(forwarder.accept, metrics);
  const watch = createLogWatch({ log, logger, registry: deps.registry, nowMs });
  const { assertAccepting, bypassFrom } = watch;
  const counts = createWindowCounts(deps.redis);
  const rate = (quota?: Quota) => createRateLimit({ counts, nowMs }, quota);
  const rateLimit = rate();
  const testEditRate = rate(quotas.testEdits);
  const inspector = createImageInspector({ folder: formsFolder, logger });
  const jobDeps = { log, nowMs, retentionMs, onCommit: view.committed };
  const links = createBucketLinks({ log, seal: deps.seal, logger });
  const batches = createBatches({
    ...deps,
    ...accounts,
    ...{ links, assertAccepting, testEditRate, jobs: { ...jobDeps, view }, bypassFrom, lag, onDebits: countCredits },
  });
  readiness.require("keys and accounts", records.lag);
  readiness.require("jobs", view.lag);

  const auditLog = createAuditLog({ log, nowMs });
  const audited = createAudited({ log, auditLog, logger, nowMs });
  const eraser = createEraser({ ...accounts, ...jobDeps, storage, logger });
  const authenticate = authenticateNotingUse(deps, records, counts);
  const edits: EditRouteDeps = {
    ...{ assertAccepting, log, storage, accept, nowMs, logger },
    ...{ contract, runOnce, view, responses, maxPixels, models },
    inspectImage: (...question) => traced("inspect image", {}, () => inspector.inspectImage(...question)),
    formSlots: createFormSlots(deps.formLimits),
    testEditRate,
  };
  const dropIn = createRemoveBgMounts({
    ...{ ...accounts, ...edits, ...jobDeps, authenticate, rateLimit, waitMs: deps.dropInWaitMs },
    contract: loadContract(new URL("features/removebg/removebg-openapi.yaml", import.meta.url)),
  });
  const reference = createReference();
  const server = createHttpServer({
    name: "api",
    host: deps.host,
    port: deps.port,
    isStopping: readiness.isStopping,
    finishTimeoutMs: deps.finishTimeoutMs,
    trustedProxies: deps.trustedProxies,
    allowedOrigins: deps.allowedOrigins,
    contract,
    logger,
    onResponse: metrics.onResponse,
    authenticate,
    rateLimit,
    idempotencyKeyRate: rate(quotas.idempotencyKeys),
    protectionRate: rate(quotas.protection),
    bodySlots: createFormSlots(bodyLimits),
    audited,
    handlers: {
      ...accountHandlers({ ...accounts, lastUsed: deps.lastUsed, auditLog }),
      ...accountDataHandlers({ ...accounts, jobBody: responses.job, eraser }),
      ...toolHandlers({ maxPixels, models }),
      ...presetHandlers({ ...accounts, contract, models }),
      ...uploadHandlers({
        ...{ assertAccepting, log, storage, runOnce, nowMs, publicUrl },
        runExclusive: createKeyedMutex().runExclusive,
      }),
      ...editHandlers(edits),
      ...jobHandlers({ ...deps, ...jobDeps, view, responses, links, deliverySlots: createStreamSlots(deliverySlots) }),
      ...batchHandlers({
        ...{ ...accounts, assertAccepting, storage, logger, models, runOnce, publicUrl, view },
        ...batches.files,
      }),
      ...webhookHandlers({ ...accounts, seal: deps.seal, allow: deps.allowWebhooks, runOnce, rateLimit, publicUrl }),
      ...connectionHandlers({ ...accounts, seal: deps.seal, allow: deps.allowConnections, publicUrl }),
      ...serviceHandlers({ contract, storage, readiness, reference }),
    },
    mounts: { ...storageMounts(deps, { records, rateLimit }), ...dropIn, ...reference.mounts, ...consoleMounts(deps) },
  });

  const queue = createQueueWatch({ log, registry: deps.registry, logger, nowMs });
  const processes = createProcessList({ log, nowMs });
  const status = { queue, watch, processes };
  const admin =
    deps.admin === undefined
      ? undefined
      : createOperatorServer(deps.admin, { ...deps, ...accounts, ...status, view, counts, audited, auditLog, eraser });
  const forms: Component = { name: "forms", start: sweepStaleForms, stop: async () => {} };
  return {
    components: [
      ...(deps.redis === undefined ? [] : [deps.redis]),
      forms,
      inspector,
      watch,
      records,
      forwarder,
      view,
      createKeeper({ log, logger, nowMs, runExclusive, cacheAccount, onRefunds: countCredits, bypassFrom, lag }),
      createJanitor({ log, storage, logger, nowMs, bypassFrom, lag }),
      ...batches.components,
      queue,
      processes,
      createRepairSweep({ log, logger, jobs: view, retentionMs, queueDeadlines, nowMs }),
      createLedgerArchiver({ log, storage, logger, nowMs }),
      createResealer({ log, seal: deps.seal, logger }),
      createLinkAnswers({ log, links, logger }),
      eraser,
      ...(admin === undefined ? [] : [admin]),
      server,
      readiness,
    ],
    url: () => server.url(),
    adminUrl: () => admin?.url() ?? null,
  };
}

/** None with a storage that serves its own links. */
function storageMounts(
  { log, storage, links, nowMs, allowedOrigins }: ApiDeps,
  counting: Pick<StorageLinkDeps, "records" | "rateLimit">,
): Record<string, StorageMount> {
  if (links === undefined) return {};
  return {
    [storagePath.replace(/\/$/, "")]: createStorageMount({ log, storage, links, nowMs, allowedOrigins, ...counting }),
  };
}

interface AcceptingDeps {
  readonly records: RecordCache;
  readonly accountMutex: KeyedMutex;
  readonly responses: JobResponses;
  readonly metrics: ApiMetrics;
  readonly countCredits: CountCredits;
}

/** An accept passes the forwarder, then the queue, then a batch. */
function createAccepting(
  { log, nowMs }: ApiDeps,
  { records, accountMutex, responses, metrics, countCredits }: AcceptingDeps,
): AcceptForwarder {
  const contested = createContestedKeys({ nowMs });
  const commit = createCommitAccepts({
    log,
    records,
    nowMs,
    responseBody: responses.created,
    onDebits: countCredits,
    onConflict(accountId) {
      metrics.onConflict();
      contested.recordConflict(accountId);
    },
  });
  const { isContested } = contested;
  const streamIndexOf = (accountId: string) => log.streamOf(subjects.account(accountId)).index;
  const acceptHere = createAcceptQueue({ commit, accountMutex, isContested, streamIndexOf, onBatch: metrics.onBatch });
  return createAcceptForwarder({ log, acceptHere, nowMs, onForward: metrics.onForward });
}

function authenticateNotingUse(
  { lastUsed: keyv, nowMs, authFailuresPerMinuteMax: perMinuteMax }: ApiDeps,
  records: RecordCache,
  counts: WindowCounts,
): Authenticate {
  const authenticate = createAuthenticate({
    records,
    failedAttempts: createFailedAttempts({ counts, name: "auth-failures", perMinuteMax }),
    nowMs,
  });
  const lastUsed = createLastUsed({ keyv, nowMs });
  return async (credentials) => {
    const caller = await authenticate(credentials);
    lastUsed.note(caller.key.id);
    return caller;
  };
}
