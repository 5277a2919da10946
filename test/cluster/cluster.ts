/**
 * The engines of a cluster and the processes on them, secured as in production: three nats-servers with TLS and a user for
 * each service, model servers with TLS and a token, S3, Redis and all services.
 */
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog, type Log } from "@packshot/log/log.ts";
import { connectNats } from "@packshot/log/nats/connection.ts";
import { migrateLog } from "@packshot/log/operate/migrate.ts";
import { createS3Access } from "@packshot/platform/storage/s3-client.ts";
import { createS3Storage } from "@packshot/platform/storage/s3-storage.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { adminToken } from "../../testing/api/api-processes.ts";
import { type Certificate, createCertificate, createCertificateAuthority } from "../../testing/servers/certificates.ts";
import type { TestNats } from "../../testing/servers/nats.ts";
import { startProxiedS3 } from "../../testing/servers/proxied-s3.ts";
import { startRedis, type TestRedis } from "../../testing/servers/redis.ts";
import type { S3Proxy } from "../../testing/servers/s3-proxy.ts";
import { startSecuredNats } from "../../testing/servers/secured-nats.ts";
import { createHistory } from "../failures/check-log.ts";
import { type ClusterProcesses, type Role, startClusterProcesses, type Update } from "./cluster-processes.ts";

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
  /** By a connection of the test's own, which may do everything. */
  readonly log: Log;
  readonly processes: ClusterProcesses;
  /** For `packshot migrate`, as the user that may do it. */
  readonly migration: Readonly<Record<string, string>>;
  /** Gives nats-servers and model servers other certificates of the same authorities; the latter are valid until then, if told. */
  renewCertificates(modelServerUntil?: Date): { readonly nats: Certificate; readonly modelServer: Certificate };
  stop(): Promise<void>;
}

export interface ClusterOptions {
  /** How long ended jobs and their files are kept. */
  readonly retentionSeconds: number;
  /** Further settings of all services. */
  readonly settings?: Readonly<Record<string, string>>;
  /** What runs at first, and makes the log: this source tree when absent. */
  readonly firstly?: Update & { readonly migrate?: (migration: Readonly<Record<string, string>>) => Promise<unknown> };
  readonly processCounts?: Readonly<Record<Role, number>>;
}

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { retentionSeconds, firstly, processCounts = counts } = options;
  const folder = await mkdtemp(join(tmpdir(), "packshot-cluster-"));
  const [secured, redis, storage] = await Promise.all([startSecuredNats(), startRedis(), startProxiedS3()]);
  const { s3, proxy } = storage;
  const connection = await connectNats(secured.operatorSettings);
  const migration = secured.environment("migrate");
  if (firstly?.migrate === undefined) await migrateLog(connection, { replicas: 3, stateStreams });
  else await firstly.migrate(migration);
  const log = createLog(connection, { stateStreamCount: stateStreams });
  await createHistory(log);
  const modelServers = secureModelServer(folder);
  const inCommon = {
    PACKSHOT_REDIS_URL: redis.url,
    ...s3.environment,
    PACKSHOT_S3_ENDPOINT: proxy.url,
    PACKSHOT_S3_PUBLIC_ENDPOINT: s3.url,
    PACKSHOT_PUBLIC_URL: publicUrl,
    PACKSHOT_RETENTION_SECONDS: String(retentionSeconds),
    PACKSHOT_ALLOW_WEBHOOKS: "127.0.0.1:*",
    ...options.settings,
  };
  const environments: Readonly<Record<Role, Readonly<Record<string, string>>>> = {
    api: { ...inCommon, ...secured.environment("api") },
    webhooks: { ...inCommon, ...secured.environment("webhooks") },
    worker: { ...inCommon, ...secured.environment("worker"), ...modelServers.worker },
    // It needs none of the engines.
    modelServer: modelServers.modelServer,
  };
  const processes = await startClusterProcesses({
    counts: processCounts,
    folder,
    adminToken,
    modelServerHost: "localhost",
    environmentOf: (role) => environments[role],
    ...(firstly && { firstly }),
  });
  return {
    nats: secured.nats,
    redis,
    s3: proxy,
    log,
    processes,
    migration,
    renewCertificates: (modelServerUntil) => ({
      nats: secured.renewCertificate(),
      modelServer: modelServers.renewCertificate(modelServerUntil),
    }),
    storage: createS3Storage(s3.settings, createS3Access(s3.settings)),
    async stop() {
      await processes.stop();
      await connection.close();
      await Promise.all([secured.stop(), redis.stop(), storage.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A token between workers and model servers, and a certificate of an authority that the workers know. */
function secureModelServer(folder: string) {
  const token = { PACKSHOT_MODEL_SERVER_TOKEN: randomBytes(24).toString("hex") };
  const issuer = createCertificateAuthority("CA of the model servers");
  const [certFile, keyFile, caFile] = ["model.crt", "model.key", "model-ca.crt"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(caFile, issuer.cert, { mode: 0o600 });
  function renewCertificate(validUntil?: Date): Certificate {
    const certificate = createCertificate({ names: ["localhost"], issuer, ...(validUntil && { validUntil }) });
    writeFileSync(keyFile, certificate.key, { mode: 0o600 });
    writeFileSync(certFile, certificate.cert, { mode: 0o600 });
    return certificate;
  }
  renewCertificate();
  return {
    worker: { ...token, PACKSHOT_MODEL_SERVER_TLS_CA_FILE: caFile },
    modelServer: {
      ...token,
      PACKSHOT_MODEL_SERVER_TLS_CERT_FILE: certFile,
      PACKSHOT_MODEL_SERVER_TLS_KEY_FILE: keyFile,
    },
    renewCertificate,
  };
}
