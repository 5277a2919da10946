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
import { startNats, type TestNats } from "../../testing/servers/nats.ts";
import { startRedis, type TestRedis } from "../../testing/servers/redis.ts";
import { type S3Proxy, startS3Proxy } from "../../testing/servers/s3-proxy.ts";
import { startS3 } from "../../testing/servers/versitygw.ts";
import { createHistory } from "../failures/check-log.ts";
import { type ClusterProcesses, startClusterProcesses } from "./cluster-processes.ts";

export const adminToken = "operator-token-of-the-cluster-test";
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
  const [nats, redis, versitygw] = await Promise.all([startNats({ cluster: 3 }), startRedis(), startS3()]);
  const s3 = await startS3Proxy(versitygw.url);
  const connection = await connectNats({ url: nats.url, name: "test" });
  await migrateLog(connection, { replicas: 3, stateStreams });
  const log = createLog(connection, { stateStreamCount: stateStreams });
  await createHistory(log);
  const processes = await startClusterProcesses({
    ...{ counts, folder, adminToken },
    environment: {
      PACKSHOT_NATS_URL: nats.url,
      PACKSHOT_REDIS_URL: redis.url,
      ...versitygw.environment,
      PACKSHOT_S3_ENDPOINT: s3.url,
      PACKSHOT_S3_PUBLIC_ENDPOINT: versitygw.url,
      PACKSHOT_PUBLIC_URL: publicUrl,
      PACKSHOT_RETENTION_SECONDS: String(retentionSeconds),
      PACKSHOT_ALLOW_WEBHOOKS: "127.0.0.1:*",
    },
  });
  return {
    ...{ nats, redis, s3, log, processes },
    storage: createS3Storage(versitygw.settings, createS3Access(versitygw.settings)),
    async stop() {
      await processes.stop();
      await connection.close();
      await s3.stop();
      await Promise.all([nats.stop(), redis.stop(), versitygw.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
