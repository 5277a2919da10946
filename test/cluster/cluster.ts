/** The engines of a cluster and the processes on them: three nats-servers, Redis, S3 and all services. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectNats } from "@packshot/platform/nats/connection.ts";
import { createLog, type Log } from "@packshot/platform/nats/log.ts";
import { migrateLog } from "@packshot/platform/nats/migrate-log.ts";
import { createS3Access } from "@packshot/platform/storage/s3-client.ts";
import { createS3Storage } from "@packshot/platform/storage/s3-storage.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { adminToken } from "../../testing/api/api-processes.ts";
import { startNats, type TestNats } from "../../testing/servers/nats.ts";
import { startRedis, type TestRedis } from "../../testing/servers/redis.ts";
import { startProxiedS3 } from "../../testing/servers/proxied-s3.ts";
import type { S3Proxy } from "../../testing/servers/s3-proxy.ts";
import { createHistory } from "../failures/check-log.ts";
import { type ClusterProcesses, startClusterProcesses } from "./cluster-processes.ts";

/** Nobody listens there: clients of the test ask any API process instead. */
export const publicUrl = "http://packshot.test";
export const counts = { api: 3, modelServer: 2, worker: 2, webhooks: 2 } as const;
const stateStreams = 4;

export interface Cluster {
  readonly nats: TestNats;
  readonly redis: TestRedis;
  /** Between the services and S3. Clients reach S3 by its own address. */
  readonly s3: S3Proxy;
  readonly storage: Storage;
  /** By a connection of the test's own. */
  readonly log: Log;
  readonly processes: ClusterProcesses;
  stop(): Promise<void>;
}

/** `retentionSeconds`: of ended jobs and their files. */
export async function startCluster({ retentionSeconds }: { retentionSeconds: number }): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), "packshot-cluster-"));
  const [nats, redis, storage] = await Promise.all([startNats({ cluster: 3 }), startRedis(), startProxiedS3()]);
  const { s3, proxy } = storage;
  const connection = await connectNats({ url: nats.url, name: "test" });
  await migrateLog(connection, { replicas: 3, stateStreams });
  const log = createLog(connection, { stateStreamCount: stateStreams });
  await createHistory(log);
  const processes = await startClusterProcesses({
    ...{ counts, folder, adminToken },
    environment: {
      PACKSHOT_NATS_URL: nats.url,
      PACKSHOT_REDIS_URL: redis.url,
      ...s3.environment,
      PACKSHOT_S3_ENDPOINT: proxy.url,
      PACKSHOT_S3_PUBLIC_ENDPOINT: s3.url,
      PACKSHOT_PUBLIC_URL: publicUrl,
      PACKSHOT_RETENTION_SECONDS: String(retentionSeconds),
      PACKSHOT_ALLOW_WEBHOOKS: "127.0.0.1:*",
    },
  });
  return {
    ...{ nats, redis, s3: proxy, log, processes },
    storage: createS3Storage(s3.settings, createS3Access(s3.settings)),
    async stop() {
      await processes.stop();
      await connection.close();
      await Promise.all([nats.stop(), redis.stop(), storage.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
