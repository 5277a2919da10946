/** Starts one API process. Several may run against one log. */
import { fileURLToPath } from "node:url";
import { readPlans } from "@packshot/platform/config/plans-file.ts";
import { readQueueDeadlines } from "@packshot/platform/config/process-times.ts";
import { createSeal } from "@packshot/platform/crypto/seal.ts";
import { createKeyv } from "@packshot/platform/keyv/keyv.ts";
import { parseAllowList } from "@packshot/platform/outbound/address-guard.ts";
import { createRedisMetrics } from "@packshot/platform/redis/redis-metrics.ts";
import { readRedisSettings } from "@packshot/platform/redis/redis-settings.ts";
import { openStorage } from "@packshot/platform/storage/open-storage.ts";
import { withStorageSpans } from "@packshot/platform/storage/storage-spans.ts";
import { startProcess } from "@packshot/service/start-process.ts";
import { createApi } from "./api.ts";
import { createModelIdentity, createToolModelList } from "./catalog/tool-models.ts";

const { settings, logger, metrics, readiness, log, stopTimes, run } = await startProcess({
  name: "api",
  needs: ["PACKSHOT_LINK_KEY", "PACKSHOT_MASTER_KEY", "PACKSHOT_PLANS_FILE", "PACKSHOT_REDIS_TLS_CA_FILE"],
  streams: [],
  followsEvents: true,
  drains: true,
});
const opened = await openStorage({ settings, logger, registry: metrics.registry, forWorker: false });
readiness.require("storage", opened.check.reason);
const redisSettings = readRedisSettings(settings);
const redisDeps = {
  metrics: createRedisMetrics(metrics.registry),
  timeoutMs: settings.PACKSHOT_REDIS_TIMEOUT_MS,
  logger,
};
// Its client takes 12 MB, so it is loaded where there is a Redis.
const redis =
  redisSettings &&
  (await import("@packshot/platform/redis/redis.ts")).createRedis({ ...redisDeps, settings: redisSettings });

const consoleFolder = fileURLToPath(new URL("../../console/dist", import.meta.url));
const modelSettings = { modelDir: settings.PACKSHOT_MODEL_DIR, defaultModel: settings.PACKSHOT_DEFAULT_MODEL };

const api = createApi({
  log,
  storage: withStorageSpans(opened.storage),
  diskLinks: opened.links,
  seal: createSeal({ keys: settings.PACKSHOT_MASTER_KEY! }),
  redis,
  lastUsed: await createKeyv({ redis, namespace: "last-used" }),
  allowWebhooks: parseAllowList(settings.PACKSHOT_ALLOW_WEBHOOKS),
  allowConnections: parseAllowList(settings.PACKSHOT_ALLOW_CONNECTIONS),
  plans: readPlans(settings.PACKSHOT_PLANS_FILE),
  registry: metrics.registry,
  logger,
  readiness,
  nowMs: Date.now,
  finishTimeoutMs: stopTimes.finishMs,
  host: settings.PACKSHOT_API_HOST,
  port: settings.PACKSHOT_API_PORT,
  publicUrl: settings.PACKSHOT_PUBLIC_URL,
  trustedProxies: settings.PACKSHOT_TRUSTED_PROXIES,
  allowedOrigins: settings.PACKSHOT_CORS_ORIGINS,
  authFailuresPerMinuteMax: settings.PACKSHOT_AUTH_FAILURES_PER_MINUTE,
  formLimits: {
    formsMax: settings.PACKSHOT_FORMS_MAX,
    formsPerAccountMax: settings.PACKSHOT_FORMS_PER_ACCOUNT_MAX,
    bytesMax: settings.PACKSHOT_FORM_BYTES_MAX,
    bytesPerAccountMax: settings.PACKSHOT_FORM_BYTES_PER_ACCOUNT_MAX,
  },
  dropInWaitMs: settings.PACKSHOT_DROP_IN_WAIT_SECONDS * 1000,
  refundWaitMsMax: settings.PACKSHOT_REFUND_WAIT_MS,
  admin:
    settings.PACKSHOT_ADMIN_TOKEN === undefined
      ? undefined
      : {
          port: settings.PACKSHOT_ADMIN_PORT,
          token: settings.PACKSHOT_ADMIN_TOKEN,
          requestsPerMinuteMax: settings.PACKSHOT_ADMIN_REQUESTS_PER_MINUTE,
        },
  retentionMs: settings.PACKSHOT_RETENTION_SECONDS * 1000,
  queueDeadlines: readQueueDeadlines(settings),
  maxPixels: settings.PACKSHOT_MAX_PIXELS,
  models: createToolModelList({ ...modelSettings, served: settings.PACKSHOT_SERVED_MODELS }),
  modelIdentity: createModelIdentity(modelSettings),
  autoEngine: settings.PACKSHOT_SCENE_ENGINE,
  allowSources: parseAllowList(settings.PACKSHOT_ALLOW_SOURCES),
  sourceTimeoutMs: settings.PACKSHOT_SOURCE_TIMEOUT_MS,
  destinationTimeoutMs: settings.PACKSHOT_DESTINATION_TIMEOUT_MS,
  hasStatusPage: settings.PACKSHOT_STATUS_PAGE,
  consoleFolder: settings.PACKSHOT_CONSOLE ? consoleFolder : undefined,
});

await run({
  components: [opened.check, ...api.components],
  ready: () => ({ api: api.url(), admin: api.adminUrl() }),
});
