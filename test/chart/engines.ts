/** What an operator has beside the chart: a bucket, nats-server, Redis, a model server, certificates; as objects to apply. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createCertificate, createCertificateAuthority, type Issuer } from "../../testing/servers/certificates.ts";
import { natsImage, packshotImage, s3Image, valkeyImage } from "./chart-images.ts";

const commandLine = fileURLToPath(new URL("../../cli/packshot.ts", import.meta.url));
const bucket = "shop-photos";
const s3Port = 7070;
const s3Access = { AWS_ACCESS_KEY_ID: "operator-of-the-tests", AWS_SECRET_ACCESS_KEY: "a".repeat(40) };
/** Whose passwords `make-secrets` makes. */
const usersOfChart = ["API", "WORKER", "WEBHOOKS", "MIGRATE", "BACKUP"];
const authority = createCertificateAuthority("the operator's CA");
const ready = { periodSeconds: 1, failureThreshold: 300 };
/** That of the user whom our image names. */
const groupOfImage = 10_001;

interface EngineOrder {
  readonly name: string;
  /** Its service has no address of its own: the service's name resolves to those of the pods. */
  readonly ports: readonly number[];
  readonly pod: {
    readonly containers: readonly object[];
    readonly volumes?: readonly object[];
    readonly initContainers?: readonly object[];
  };
}

/** As much as each pod of the chart asks for here (release.ts): who asks for nothing gets a hundredth of a loaded node. */
const resources = { requests: { cpu: "20m" } };

export function engine({ name, ports, pod }: EngineOrder): object[] {
  const labels = { app: name };
  const spec = { ...pod, containers: pod.containers.map((container) => ({ resources, ...container })) };
  return [
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
    },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name },
      spec: { clusterIP: "None", selector: labels, ports: ports.map((port) => ({ name: `p${port}`, port })) },
    },
  ];
}

export function secret(name: string, stringData: Readonly<Record<string, string>>): object {
  return { apiVersion: "v1", kind: "Secret", metadata: { name }, stringData };
}

/** As cert-manager makes them. */
export function certificateSecret(name: string, names: readonly string[], issuer: Issuer = authority): object {
  const { cert, key } = createCertificate({ names, issuer });
  return secret(name, { "ca.crt": issuer.cert, "tls.crt": cert, "tls.key": key });
}

/** Whom these certificates are signed by, as a file of a secret. */
export function authoritySecret(name: string): object {
  return secret(name, { "ca.crt": authority.cert });
}

/** versitygw at `s3:7070` with an empty bucket; `packshot-s3` is the secret of its operator, who may do everything. */
export function s3Engine(): object[] {
  const data = [{ name: "data", mountPath: "/data" }];
  const folders = `for (const at of ["users", "metadata", "buckets/${bucket}"]) fs.mkdirSync("/data/" + at, { recursive: true })`;
  const options = ["--port", `0.0.0.0:${s3Port}`, "--iam-dir", "/data/users", "--iam-cache-disable"];
  const env = [
    { name: "ROOT_ACCESS_KEY", value: s3Access.AWS_ACCESS_KEY_ID },
    { name: "ROOT_SECRET_KEY", value: s3Access.AWS_SECRET_ACCESS_KEY },
  ];
  const server = {
    name: "s3",
    image: s3Image,
    args: [...options, "posix", "--sidecar", "/data/metadata", "/data/buckets"],
    env,
    volumeMounts: data,
    readinessProbe: { ...ready, tcpSocket: { port: s3Port } },
  };
  const pod = {
    volumes: [{ name: "data", emptyDir: {} }],
    initContainers: [{ name: "folders", image: packshotImage, args: ["-e", folders], volumeMounts: data }],
    containers: [server],
  };
  return [secret("packshot-s3", s3Access), ...engine({ name: "s3", ports: [s3Port], pod })];
}

/** A user who may do nothing there, and a secret of this name with its access key. */
export function powerlessUser(name: string): object[] {
  const access = { AWS_ACCESS_KEY_ID: name, AWS_SECRET_ACCESS_KEY: "d".repeat(40) };
  const operator = ["--access", s3Access.AWS_ACCESS_KEY_ID, "--secret", s3Access.AWS_SECRET_ACCESS_KEY];
  const user = ["--access", access.AWS_ACCESS_KEY_ID, "--secret", access.AWS_SECRET_ACCESS_KEY, "--role", "user"];
  const args = [
    "admin",
    "--allow-insecure",
    ...operator,
    "--endpoint-url",
    `http://s3:${s3Port}`,
    "create-user",
    ...user,
  ];
  const containers = [{ name, image: s3Image, args }];
  const job = { template: { spec: { restartPolicy: "OnFailure", containers } } };
  return [secret(name, access), { apiVersion: "batch/v1", kind: "Job", metadata: { name }, spec: job }];
}

/** The port of that server by its pod's label, for `egressTo`. */
export const toS3 = { s3: s3Port };

/** Values for that bucket, as `--set` takes them. */
export const s3Values = [
  ...["storage.type=s3", `storage.s3.bucket=${bucket}`, "storage.s3.existingSecret=packshot-s3"],
  ...[`storage.s3.endpoint=http://s3:${s3Port}`, "storage.s3.forcePathStyle=true"],
  // versitygw's own: it refuses signatures for another.
  "storage.s3.region=us-east-1",
];

export interface NatsOrder {
  /** What its certificate is for. */
  readonly names?: readonly string[];
  /** How its monitoring is asked at port 8222. */
  readonly monitoring?: "http" | "https";
}

/** One nats-server at `nats:4222` with TLS and the users of `packshot nats config`; passwords stand in the secret `packshot`. */
export function natsEngine({ names = ["nats"], monitoring = "http" }: NatsOrder = {}): object[] {
  const args = ["nats", "config", "--users", "password", "--tls-dir", "/etc/nats-tls"];
  const printed = execFileSync(process.execPath, [commandLine, ...args], { encoding: "utf8" });
  const config = printed.replace(/^http:/m, `${monitoring}:`);
  const variables = [...config.matchAll(/\$(PACKSHOT_NATS_([A-Z]+)_PASSWORD)/g)].map(([, name, user]) =>
    usersOfChart.includes(user!)
      ? { name, valueFrom: { secretKeyRef: { name: "packshot", key: `NATS_${user}_PASSWORD` } } }
      : { name, value: "e".repeat(64) },
  );
  const server = {
    name: "nats",
    image: natsImage,
    args: ["--config", "/etc/nats/nats.conf"],
    env: [{ name: "POD_NAME", value: "nats" }, ...variables],
    volumeMounts: [
      { name: "config", mountPath: "/etc/nats" },
      { name: "tls", mountPath: "/etc/nats-tls" },
      { name: "data", mountPath: "/data" },
    ],
    readinessProbe: { ...ready, tcpSocket: { port: 4222 } },
  };
  const volumes = [
    { name: "config", configMap: { name: "nats" } },
    { name: "tls", secret: { secretName: "nats-tls" } },
    { name: "data", persistentVolumeClaim: { claimName: "nats-data" } },
  ];
  return [
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "nats" }, data: { "nats.conf": config } },
    certificateSecret("nats-tls", names),
    claim("nats-data", "1Gi"),
    ...engine({ name: "nats", ports: [4222], pod: { volumes, containers: [server] } }),
  ];
}

/** Redis with a password at `redis:6379`, and the secret that the chart reads its address from. */
export function redisEngine(): object[] {
  const password = "b".repeat(40);
  const args = ["--save", "", "--dir", "/tmp", "--requirepass", password, "--protected-mode", "no"];
  const server = {
    name: "redis",
    image: valkeyImage,
    args,
    readinessProbe: { ...ready, tcpSocket: { port: 6379 } },
  };
  return [
    secret("redis", { PACKSHOT_REDIS_URL: `redis://:${password}@redis:6379` }),
    ...engine({ name: "redis", ports: [6379], pod: { containers: [server] } }),
  ];
}

/** A server of the Open Inference Protocol that the chart does not run, at `triton:8001`: ours, without a token. */
export function modelServerEngine(): object[] {
  const settings = {
    PACKSHOT_MODEL_HOST: "0.0.0.0",
    PACKSHOT_MODEL_GRPC_PORT: "8001",
    PACKSHOT_MODEL_HTTP_PORT: "8002",
  };
  const server = {
    name: "triton",
    image: packshotImage,
    args: ["services/inference/model-server-main.ts"],
    env: Object.entries(settings).map(([name, value]) => ({ name, value })),
    readinessProbe: { ...ready, httpGet: { path: "/health/ready", port: 8002 } },
  };
  return engine({ name: "triton", ports: [8001], pod: { containers: [server] } });
}

/** A claim that was filled with a model repository before. */
export function filledModelClaim(name: string): object[] {
  const volumes = [{ name: "models", persistentVolumeClaim: { claimName: name } }];
  const volumeMounts = [{ name: "models", mountPath: "/filled" }];
  const copy = 'fs.cpSync("models", "/filled", { recursive: true })';
  const securityContext = { fsGroup: groupOfImage };
  const containers = [{ name: "fill", image: packshotImage, args: ["-e", copy], volumeMounts }];
  return [
    claim(name, "10Gi"),
    {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name },
      spec: { template: { spec: { restartPolicy: "OnFailure", securityContext, volumes, containers } } },
    },
  ];
}

/** All nodes' pods share the folders of this storage class. */
export function claim(name: string, storage: string): object {
  const spec = { storageClassName: "shared", accessModes: ["ReadWriteMany"], resources: { requests: { storage } } };
  return { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name }, spec };
}
