/** What every feature of the API shares: the log and its copies of records, storage, counts and limits. */
import type { Plan } from "@packshot/domain/accounts/plan.ts";
import type { EngineRules, SceneEngine } from "@packshot/domain/edits/engine.ts";
import type { QueueDeadlines } from "@packshot/domain/jobs/job.ts";
import type { FollowerDeps } from "@packshot/log/follow/follower.ts";
import { createFollowerLag, type FollowerLag } from "@packshot/log/follow/follower-lag.ts";
import type { Log } from "@packshot/log/log.ts";
import { createLogWatch, type LogWatch } from "@packshot/log/operate/watch.ts";
import type { Seal } from "@packshot/platform/crypto/seal.ts";
import { createKeyedMutex, type KeyedMutex } from "@packshot/platform/flow/keyed-mutex.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import type { Readiness } from "@packshot/platform/lifecycle/readiness.ts";
import type { AllowList } from "@packshot/platform/outbound/address-guard.ts";
import type { Redis } from "@packshot/platform/redis/redis.ts";
import { createWindowCounts, type WindowCounts } from "@packshot/platform/redis/window-counts.ts";
import type { DiskLinks } from "@packshot/platform/storage/disk-links.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import { createProcessList, type ProcessList } from "@packshot/service/process-list.ts";
import type { Keyv } from "keyv";
import type { Registry } from "prom-client";
import { type Authenticate, createAuthenticate } from "../access/authenticate.ts";
import { createFailedAttempts } from "../access/failed-attempts.ts";
import { createLastUsed } from "../access/last-used.ts";
import { type AuditLog, createAuditLog } from "../audit/audit-log.ts";
import { type Audited, createAudited } from "../audit/audited.ts";
import type { ListToolModels, ModelIdentity } from "../catalog/tool-models.ts";
import { type ApiMetrics, type CountCredits, createApiMetrics, createCreditMetrics } from "../http/api-metrics.ts";
import type { Handlers } from "../http/call.ts";
import { type Contract, loadContract } from "../http/contract.ts";
import type { Mount } from "../http/http-server.ts";
import { createRunOnce, type RunOnce } from "../http/idempotency.ts";
import type { OpenapiDocument } from "../http/openapi-document.ts";
import { createRateLimit, type Quota, quotas, type RateLimit } from "../http/rate-limit.ts";
import type { FormSlotLimits } from "../http/slots.ts";
import type { AccountDeps } from "../records/commit-account.ts";
import { cacheAccountIn, createRecordCache, type RecordCache } from "../records/record-cache.ts";

/** One part of the API: operations of the contract by their id, further paths, and what runs beside requests. */
export interface Feature {
  readonly handlers?: Handlers;
  readonly mounts?: Readonly<Record<string, Mount>>;
  /** The contract of the mounts, where they have one: pages of other origins may use them as it says. */
  readonly document?: OpenapiDocument;
  /** In the order of their start. */
  readonly components?: readonly Component[];
}

export interface OperatorPort {
  readonly port: number;
  readonly token: string;
  readonly requestsPerMinuteMax: number;
}

export interface ApiDeps {
  readonly log: Log;
  readonly storage: Storage;
  /** Links of the disk storage; undefined for S3, which serves its own. */
  readonly diskLinks: DiskLinks | undefined;
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
  /** How long readers of a balance wait for refunds. */
  readonly refundWaitMsMax: number;
  /** undefined: the operator API is off. */
  readonly admin: OperatorPort | undefined;
  readonly retentionMs: number;
  readonly queueDeadlines: QueueDeadlines;
  readonly maxPixels: number;
  readonly models: ListToolModels;
  readonly modelIdentity: ModelIdentity;
  /** What `engine: auto` means. */
  readonly autoEngine: SceneEngine;
  readonly allowSources: AllowList;
  readonly sourceTimeoutMs: number;
  readonly destinationTimeoutMs: number;
  /** `/status` is served to everyone. */
  readonly hasStatusPage: boolean;
  /** The folder of the built console; undefined: it is not served. */
  readonly consoleFolder: string | undefined;
}

export interface Core extends ApiDeps, AccountDeps {
  readonly contract: Contract;
  readonly metrics: ApiMetrics;
  readonly countCredits: CountCredits;
  readonly records: RecordCache;
  readonly accountMutex: KeyedMutex;
  readonly runOnce: RunOnce;
  readonly auditLog: AuditLog;
  readonly audited: Audited;
  readonly authenticate: Authenticate;
  readonly counts: WindowCounts;
  readonly createRate: (quota?: Quota) => RateLimit;
  /** Counts requests by account. */
  readonly rateLimit: RateLimit;
  /** Counts the edits of test keys. */
  readonly testEditRate: RateLimit;
  readonly watch: LogWatch;
  readonly processes: ProcessList;
  /** Versions of the pipeline that running workers have, the newest first. */
  readonly pipelines: () => readonly string[];
  /** Test jobs need no image model: their pictures are painted without one. */
  readonly engines: (live: boolean) => EngineRules;
  /** Throws `unavailable` while the log should take no further jobs. */
  readonly assertAccepting: () => void;
  readonly bypassFrom: NonNullable<FollowerDeps["bypassFrom"]>;
  readonly lag: FollowerLag;
}

export function createCore(deps: ApiDeps): Core & Feature {
  const { log, logger, nowMs, registry, redis } = deps;
  const records = createRecordCache({ log, logger, nowMs });
  const accountMutex = createKeyedMutex();
  const counts = createWindowCounts(redis);
  const createRate = (quota?: Quota) => createRateLimit({ counts, nowMs }, quota);
  const auditLog = createAuditLog({ log, nowMs });
  const watch = createLogWatch({ log, logger, registry, nowMs });
  const processes = createProcessList({ log, nowMs });
  deps.readiness.require("keys and accounts", records.lag);
  return {
    ...deps,
    contract: loadContract(new URL("../openapi.yaml", import.meta.url)),
    metrics: createApiMetrics(registry),
    countCredits: createCreditMetrics(registry),
    records,
    cacheAccount: cacheAccountIn(records),
    accountMutex,
    runExclusive: accountMutex.runExclusive,
    runOnce: createRunOnce({ log }),
    auditLog,
    audited: createAudited({ log, auditLog, logger, nowMs }),
    authenticate: createAuthenticate({
      records,
      failedAttempts: createFailedAttempts({
        counts,
        name: "auth-failures",
        perMinuteMax: deps.authFailuresPerMinuteMax,
      }),
      nowMs,
      noteUse: createLastUsed({ keyv: deps.lastUsed, nowMs }).note,
    }),
    counts,
    createRate,
    rateLimit: createRate(),
    testEditRate: createRate(quotas.testEdits),
    watch,
    processes,
    pipelines: processes.pipelines,
    engines: (live) => {
      const imageModels = processes.imageModels();
      return { auto: deps.autoEngine, hasImageModel: !live || imageModels.length > 0, imageModels };
    },
    assertAccepting: watch.assertAccepting,
    bypassFrom: watch.bypassFrom,
    lag: createFollowerLag(registry, nowMs),
    components: [...(redis === undefined ? [] : [redis]), watch, records, processes],
  };
}
