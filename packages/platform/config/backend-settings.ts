/** Settings of the storage: a folder on disk, or a bucket of S3. */
import {
  flag,
  integer,
  internal,
  oneOf,
  optionalFile,
  optionalText,
  optionalWebAddress,
  type Row,
  ratio,
  text,
} from "./setting-rows.ts";

const prefixShape = /^[a-z0-9][a-zA-Z0-9._-]*(\/[a-zA-Z0-9][a-zA-Z0-9._-]*)*$/;

/** Empty, or ends with "/". */
function keyPrefix(doc: string): Row<string> {
  return {
    default: "",
    doc,
    parse(value) {
      const prefix = value.replace(/^\/+|\/+$/g, "");
      if (prefix === "") return "";
      if (!prefixShape.test(prefix) || prefix.includes("..")) throw new Error("must be like shop or shop/photos");
      return `${prefix}/`;
    },
  };
}

export const storageSettings = {
  PACKSHOT_STORAGE: oneOf("disk", ["disk", "s3"], "Where files are kept: `disk`, or `s3` for a bucket."),
  PACKSHOT_STORAGE_DIR: text("./data/storage", "Folder of the disk storage."),
  PACKSHOT_STORAGE_FREE_BYTES_MIN: integer(
    1024 ** 3,
    0,
    Number.MAX_SAFE_INTEGER,
    "Free space that the disk storage keeps for results: below it uploads, files in forms and prefetches are refused with `unavailable`, and `/healthz` says that the storage is full. With 0 that is so only where nothing is free. In any case it is so in a process for five seconds after a file of its own has found no room.",
  ),
  PACKSHOT_S3_BUCKET: optionalText(
    "Bucket of the storage on S3; needed there. The access key comes from `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, or from wherever else the AWS SDK finds one. Links end when a temporary key ends, so give one that lasts.",
  ),
  PACKSHOT_S3_REGION: text("us-east-1", "Region of the bucket."),
  PACKSHOT_S3_ENDPOINT: optionalWebAddress(
    "Address of an S3 server, for the service's own requests; absent, Amazon's of the region.",
  ),
  PACKSHOT_S3_PUBLIC_ENDPOINT: optionalWebAddress(
    "How clients reach that server: upload and result links are built on it; absent, as the service does.",
  ),
  PACKSHOT_S3_FORCE_PATH_STYLE: flag(
    false,
    "The bucket's name stands in the path of addresses and not in the host's name, as most servers other than Amazon's want it.",
  ),
  PACKSHOT_S3_PREFIX: keyPrefix("Begins the key of every file, so that a bucket can have other contents beside."),
} as const;

/** Settings of the Redis that API processes share. */

/** With a path: a Redis has numbered databases. */
function optionalRedisAddress(doc: string): Row<string | undefined> {
  return {
    ...optionalText(doc),
    parse(value) {
      if (!/^rediss?:$/.test(URL.parse(value)?.protocol ?? ""))
        throw new Error("must be an address like redis://redis.example:6379, or rediss:// with TLS");
      return value;
    },
  };
}

/** Tests run on Debian's Redis 7.0; the chart and Compose start Valkey 8.1. */
export const redisVersionMin = 7;

export const redisSettings = {
  PACKSHOT_REDIS_URL: optionalRedisAddress(
    `Redis (${redisVersionMin} or newer) or Valkey in which API processes count rates together and keep last-used times: \`redis://[user:password@]host:port[/database]\`, or \`rediss://\` with TLS. Without it, and while it does not answer, each process counts alone.`,
  ),
  PACKSHOT_REDIS_USER: optionalText("Its ACL user, if the address names none ([rights](operations.md#redis))."),
  PACKSHOT_REDIS_PASSWORD: {
    ...optionalText("Its password, if it stands neither in the address nor in a file."),
    secret: true,
  },
  PACKSHOT_REDIS_PASSWORD_FILE: optionalText(
    "File with the password, read again at each connection, so that it can be replaced while processes run.",
  ),
  PACKSHOT_REDIS_TLS_CA_FILE: optionalFile("PEM file with the CA that signed Redis' certificate, if it is your own."),
  PACKSHOT_REDIS_TIMEOUT_MS: internal(
    integer(50, 5, 10_000, "How long a request waits for Redis before the process counts it alone."),
  ),
} as const;

/** Settings of tracing, by the names that OpenTelemetry gives them in every language. */

/** Without a parent: all, a share, or none. What the caller's `traceparent` says comes first. */
const samplers = ["parentbased_always_on", "parentbased_traceidratio", "parentbased_always_off"] as const;

export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalWebAddress(
    "Collector that gets the traces, over OTLP/HTTP as JSON, at `/v1/traces` below this address. Without it, or the next one, tracing is off. The exporter also reads `OTEL_EXPORTER_OTLP_HEADERS`, `_TIMEOUT`, `_COMPRESSION`, `_CERTIFICATE` and `OTEL_RESOURCE_ATTRIBUTES`.",
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optionalWebAddress("The whole address for traces, in place of the one above."),
  OTEL_TRACES_EXPORTER: oneOf("otlp", ["otlp", "none"], "`none` turns tracing off."),
  OTEL_SDK_DISABLED: flag(false, "Turns tracing off."),
  OTEL_TRACES_SAMPLER: oneOf(
    "parentbased_always_on",
    samplers,
    `Which requests without a \`traceparent\` are traced: ${samplers.join(", ")}. A request with one is traced if it says so.`,
  ),
  OTEL_TRACES_SAMPLER_ARG: ratio(1, "The share of requests that `parentbased_traceidratio` traces."),
  OTEL_SERVICE_NAME: optionalText(
    "`service.name` of this process's spans; `packshot-api`, `packshot-worker`, `packshot-model-server` or `packshot-webhooks` when absent.",
  ),
  OTEL_BSP_MAX_QUEUE_SIZE: internal(
    integer(2_048, 1, 1_000_000, "Spans that wait to be exported. Beyond them spans are dropped and counted."),
  ),
} as const;

/** Files with which a process and nats-server know each other; all are read anew at each connection. */
export const natsAccessSettings = {
  PACKSHOT_NATS_NKEY_SEED_FILE: optionalText(
    "File with the NKEY seed of the process's user (`SU…`). Like the credentials and the password, each service has its own, and nats-server lets it do no more than that service needs; read again at each connection.",
  ),
  PACKSHOT_NATS_CREDENTIALS_FILE: optionalText(
    "File with a user's JWT and seed (`.creds`), instead of an NKEY, where nats-server has an operator.",
  ),
  PACKSHOT_NATS_USER: optionalText("Name of the process's user, instead of an NKEY; with a password."),
  PACKSHOT_NATS_PASSWORD_FILE: optionalText("File with the password of that user."),
  PACKSHOT_NATS_TLS_CA_FILE: optionalText(
    "PEM file with the authority of nats-server's certificate. With it, or with a certificate, the process speaks TLS only.",
  ),
  PACKSHOT_NATS_TLS_CERT_FILE: optionalText(
    "PEM file with the process's own certificate, where nats-server asks for one.",
  ),
  PACKSHOT_NATS_TLS_KEY_FILE: optionalText("PEM file with the key of that certificate."),
} as const;
