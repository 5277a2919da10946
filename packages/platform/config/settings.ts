/**
 * Configuration is one table, read once per process: name, default, bounds, purpose. `docs/configuration.md` is
 * generated from it. Start-up reports all problems together. Services read `process.env` in this file only.
 */

import { natsAccessSettings, redisSettings, storageSettings, tracingSettings } from "./backend-settings.ts";
import { readPlans } from "./plans-file.ts";
import { secretFileSettings, withSecretFiles } from "./secret-settings.ts";
import {
  bearerToken,
  bearerTokens,
  flag,
  integer,
  internal,
  keys,
  list,
  oneOf,
  optionalFile,
  optionalText,
  origins,
  type Row,
  text,
  webAddress,
} from "./setting-rows.ts";

const logLevels = ["debug", "info", "warn", "error", "fatal"] as const;

export const settingsTable = {
  PACKSHOT_NATS_URL: text(
    "nats://127.0.0.1:4222",
    "Addresses of the nats-servers, comma-separated; `tls://host:port` refuses a server without TLS.",
  ),
  ...natsAccessSettings,
  PACKSHOT_NATS_MONITOR_URLS: list(
    [],
    "Addresses of the nats-servers' monitoring, `http://host:8222`, comma-separated: only `packshot doctor` looks there.",
  ),
  PACKSHOT_LOG_MAX_BYTES: integer(
    8 * 1024 ** 3,
    0,
    Number.MAX_SAFE_INTEGER,
    "What the streams of the log may take on the disk of a nats-server, all together. Edits and upload sessions are refused with `unavailable` when a state stream has half of its part, or a copy of one (`PS_READY`, `PS_EVENTS`, `PS_LEDGER`) nine tenths, so that the jobs that are there can end. When `PS_DELIVERIES` has half of its part, webhook deliveries to failing endpoints wait no longer and end as failed. Only `packshot migrate` reads it. 0: no limit.",
  ),
  PACKSHOT_API_HOST: text("127.0.0.1", "Address the API listens on."),
  PACKSHOT_API_PORT: integer(8080, 0, 65_535, "Port of the API; 0 takes a free one."),
  PACKSHOT_ADMIN_PORT: integer(0, 0, 65_535, "Port of the operator API; 0 takes a free one."),
  PACKSHOT_ADMIN_TOKEN: bearerToken(32, "Bearer token of the operator API; without it the operator API is off."),
  PACKSHOT_ADMIN_REQUESTS_PER_MINUTE: internal(
    integer(
      6_000,
      1,
      1_000_000,
      "Requests with the operator's token, counted by all API processes together. Beyond them the operator API responds with `rate_limit_exceeded` for the rest of the minute.",
    ),
  ),
  PACKSHOT_PUBLIC_URL: webAddress("http://127.0.0.1:8080", "How clients reach the API: links are built on it."),
  PACKSHOT_TRUSTED_PROXIES: integer(
    0,
    0,
    10,
    "Proxies that each request passes before the API, each of which appends to X-Forwarded-For: by it the API finds a client's address. With 0, all clients behind a proxy have the proxy's address.",
  ),
  PACKSHOT_CORS_ORIGINS: origins(
    "Origins of web pages that may use the API from a browser, `https://shop.example`, comma-separated, or `*` for any; unset, none may. Upload and result links follow it too; unset, pages of any origin may use those, because a link needs no key. With a bucket, `packshot migrate` makes its rule for them.",
  ),
  PACKSHOT_CONSOLE: flag(
    true,
    "The API serves the console, a web page to try edits and to see jobs, at `/`. It shows nothing without an API key.",
  ),
  PACKSHOT_STATUS_PAGE: flag(
    false,
    "The API serves `/status` to everyone: how API, edits, webhooks and files are, how long the oldest job waits, and incidents of the last seven days; no hosts, counts or reasons.",
  ),
  PACKSHOT_AUTH_FAILURES_PER_MINUTE: integer(
    60,
    1,
    1_000_000,
    "Failed authentications from one client address, counted by all API processes together. Beyond them the address gets `rate_limit_exceeded` for the rest of the minute, except with keys that the process already knows.",
  ),
  ...storageSettings,
  PACKSHOT_FORMS_MAX: internal(
    integer(
      256,
      1,
      100_000,
      "Multipart edits that one API process receives at once; beyond them it responds with `unavailable`.",
    ),
  ),
  PACKSHOT_FORMS_PER_ACCOUNT_MAX: internal(
    integer(
      64,
      1,
      100_000,
      "Those of one account, live and test keys apart; beyond them it gets `rate_limit_exceeded`.",
    ),
  ),
  PACKSHOT_FORM_BYTES_MAX: integer(
    2 * 1024 ** 3,
    1,
    Number.MAX_SAFE_INTEGER,
    "Declared bytes of the multipart edits that one API process receives at once, which are kept in temporary files until the photo is stored: leave room for them. One without a Content-Length counts as large as the plan allows; a single one may exceed the limit.",
  ),
  PACKSHOT_FORM_BYTES_PER_ACCOUNT_MAX: internal(
    integer(512 * 1024 ** 2, 1, Number.MAX_SAFE_INTEGER, "Those of one account."),
  ),
  PACKSHOT_DROP_IN_WAIT_SECONDS: integer(
    60,
    1,
    600,
    "How long a request of the drop-in for remove.bg waits for its job, which is cancelled then. Balancers must wait longer.",
  ),
  PACKSHOT_REFUND_WAIT_MS: internal(
    integer(
      2_000,
      1,
      60_000,
      "How long a request that reads a balance or lacks credits waits for refunds that are on their way. Where the keeper takes longer, the last known balance counts.",
    ),
  ),
  PACKSHOT_LINK_KEY: keys(
    "Key that signs upload and result links of the disk storage, 32 bytes or more in hex or base64. Several, comma-separated: the first signs, all are accepted ([rotation](operations.md#rotate-a-secret)).",
  ),
  PACKSHOT_MASTER_KEY: keys(
    "Key under which webhook secrets and the credentials of webhooks and connections are sealed, 32 bytes or more in hex or base64. Several, comma-separated: the first seals, all unseal ([rotation](operations.md#rotate-a-secret)).",
  ),
  ...redisSettings,
  PACKSHOT_PLANS_FILE: optionalFile(
    "JSON file with the operator's own plans, `[{name, creditsPerPeriod, tools?, limits: {maxFileSizeBytes, rateLimitPerHour, concurrentJobs, maxQueuedJobs, maxApiKeys, maxWebhooks, maxConnections?, maxPresets?, maxWaitingBytes?, maxBatches?, batchHours?, reviewRefundsPerDay?, creditsPerFurtherOutput?, creditsPerGeneratedScene?}}]`; they replace built-in ones of the same name. `rateLimitPerHour` counts every request, polling included; an account keeps the limits that its plan had when it was given the plan. Without `maxWaitingBytes`, a thousand files of the largest size may wait; without `maxBatches`, ten batches may be unfinished, and without `batchHours` an ended one keeps its results for 72 hours; without `reviewRefundsPerDay`, no rejected job is refunded; without `creditsPerFurtherOutput`, each file of `outputs` after the first costs a credit; without `creditsPerGeneratedScene`, each scene that an image model paints costs four; without `maxConnections` there may be ten.",
    readPlans,
  ),
  PACKSHOT_ALLOW_SOURCES: list(
    [],
    "host:port (or host:from-to, host:*) on otherwise forbidden addresses that imageUrl may name; !host:port takes one out again.",
  ),
  PACKSHOT_ALLOW_WEBHOOKS: list(
    [],
    "host:port (or host:from-to, host:*) on otherwise forbidden addresses that webhooks may name, plain HTTP allowed; !host:port takes one out again. `packshot up` sets it to ports from 1024 of 127.0.0.1 and localhost while PACKSHOT_API_HOST is loopback, and takes the port of its nats-server out in any case.",
  ),
  PACKSHOT_ALLOW_CONNECTIONS: list(
    [],
    "host:port (or host:from-to, host:*) on otherwise forbidden addresses that the endpoints of customers' buckets may have, plain HTTP allowed; !host:port takes one out again. API and workers read it.",
  ),
  PACKSHOT_MODEL_SERVER: text(
    "127.0.0.1:8001",
    "host:port of the model server, `dns:///host:port` for servers behind a name, or unix:PATH. A name is resolved every few seconds, and a worker spreads its requests over all addresses that it has, as a headless service has one for each pod.",
  ),
  PACKSHOT_MODEL_SERVER_CONNECTION_AGE_SECONDS: internal(
    integer(
      300,
      0,
      86_400,
      "After how long the model server ends a connection, give or take a tenth, so that clients look for servers again: what is in flight is answered within a minute more. 0: never.",
    ),
  ),
  PACKSHOT_MODEL_SERVER_TOKEN: bearerTokens(
    32,
    "Bearer tokens between workers and model server, comma-separated: the model server accepts each, and workers send the first. Without one it answers everybody who reaches it; probes never need one.",
  ),
  PACKSHOT_MODEL_SERVER_TOKEN_FILE: optionalText(
    "File with those tokens, one a line, read again while the process runs; it counts instead of PACKSHOT_MODEL_SERVER_TOKEN.",
  ),
  PACKSHOT_MODEL_SERVER_TLS_CERT_FILE: optionalText(
    "PEM file with the own certificate and its chain: the model server's, which makes it speak TLS only, or a worker's where the model server asks for one. Read again every ten seconds, as the key and the CA are.",
  ),
  PACKSHOT_MODEL_SERVER_TLS_KEY_FILE: optionalText("PEM file with the key of that certificate."),
  PACKSHOT_MODEL_SERVER_TLS_CA_FILE: optionalText(
    "PEM file with the authority of the other side's certificate. For a worker: that of the model server, which makes it speak TLS. For the model server: that of workers, of which each must then have a certificate (mTLS).",
  ),
  PACKSHOT_MODEL_CONTROL: oneOf(
    "off",
    ["off", "on"],
    "Whether callers of the model server may load and unload models (RepositoryModelLoad, RepositoryModelUnload): on or off.",
  ),
  PACKSHOT_MODEL_HOST: text("127.0.0.1", "Address the model server listens on."),
  PACKSHOT_MODEL_GRPC_PORT: integer(8001, 0, 65_535, "gRPC port of the model server; 0 takes a free one."),
  PACKSHOT_MODEL_HTTP_PORT: integer(
    8002,
    0,
    65_535,
    "Port of the model server's health and metrics; 0 takes a free one.",
  ),
  PACKSHOT_MODEL_SOCKET: optionalText("Unix socket on which the model server listens too."),
  PACKSHOT_MODEL_DIR: optionalText(
    "A further model repository, or a folder with known .onnx files; its models win over bundled ones of the same name.",
  ),
  PACKSHOT_MODEL_THREADS: integer(0, 0, 256, "Threads of one ONNX session; 0 lets onnxruntime choose."),
  PACKSHOT_MODEL_INSTANCES: internal(integer(0, 0, 64, "Sessions per model; 0 takes config.pbtxt's instance_group.")),
  PACKSHOT_MODEL_INT8: oneOf(
    "auto",
    ["auto", "on", "off"],
    "Whether a CPU runs a model's int8 weights where it has some, in half to two thirds of the time. `auto`: on x86 with AVX2 and on arm64 with dotprod. Mattes differ by some levels from those of the original weights, so that `off` is for model servers of different processors whose results must be alike.",
  ),
  PACKSHOT_EXECUTION_PROVIDERS: list(["cpu"], "ONNX execution providers in order: cuda, cpu."),
  PACKSHOT_REQUIRE_GPU: flag(false, "Refuse to start unless the GPU took every node that it can."),
  PACKSHOT_DEFAULT_MODEL: text("packshot-mask", "Segmentation model when an edit names none."),
  PACKSHOT_IMAGE_MODEL: optionalText(
    "Image model of the model servers, `name` or `name@version`, by which workers paint the scenes of `engine: generative`; unset, those edits are refused. Only workers read it.",
  ),
  PACKSHOT_IMAGE_MODEL_SERVER: optionalText(
    "Address of the model servers that have the image model, as PACKSHOT_MODEL_SERVER, whose token and certificates they share; unset, they are the same servers. Only workers read it.",
  ),
  PACKSHOT_IMAGE_MODEL_TIMEOUT_MS: integer(
    120_000,
    1_000,
    300_000,
    "How long an edit waits for its image model, which queues and paints, with redraws, variations and files, and how long a job waits in all while no model server has that model, or all refuse it. Then an edit that left its engine to `auto` gets the renderer's scene, and one by `generative` fails with image_model_timeout. A model server whose graph still runs so long after its picture was given up ends, to be started anew. Workers and model servers read it.",
  ),
  PACKSHOT_GRAPH_SERVER: optionalText(
    "host:port of a Triton, or another server of the Open Inference Protocol, that runs the graphs of image models in the model server's place (docs/triton.md); unset, the model server runs them. Only the model server reads it.",
  ),
  PACKSHOT_SCENE_ENGINE: oneOf(
    "renderer",
    ["renderer", "generative"],
    "What `engine: auto` of ai-bg means, which is also the default: renderer, or generative where a worker has an image model. Only the API reads it.",
  ),
  PACKSHOT_SERVED_MODELS: list(
    [],
    "Models whose weights only the model servers have: the API lists and accepts them beside those of its own folders.",
  ),
  PACKSHOT_WORKER_SLOTS: integer(
    2,
    1,
    64,
    "Live edits that one worker processes at once; one test edit, and edits that only wait for their image, come on top.",
  ),
  PACKSHOT_WORKER_MEMORY_BYTES: integer(
    0,
    0,
    Number.MAX_SAFE_INTEGER,
    "Memory that the edits of one worker take together, estimated from the pixels and formats of photo and result: beyond it an edit waits in its slot, and one that needs more runs alone. A mask of a 100 MP photo takes 1.1 GB, its AVIF 5.3 GB. 0 takes 75 % of the container's memory limit, or half of the machine's memory, less 256 MiB and 128 MiB for each process that decodes (one a slot, and one for test edits).",
  ),
  PACKSHOT_DECODER_CAGE: oneOf(
    "on",
    ["on", "off"],
    "Whether a worker decodes what clients send in processes that have no keys, no network and no files (Landlock and seccomp, docs/operations.md). on: it does not start on a Linux where they cannot be confined; other systems have no such means, and it says so. off: its threads decode by themselves.",
  ),
  PACKSHOT_KEPT_MATTE_SECONDS: integer(
    3_600,
    0,
    3_600,
    "How long a worker takes the matte of an edit again for further edits of the same photo by the same account, such as a shadow after a cut-out; at most as long as the first job's files are kept. 0: each edit makes its own.",
  ),
  PACKSHOT_STAGE_TIMEOUT_MS: internal(
    integer(
      60_000,
      1_000,
      300_000,
      "How long one stage of an edit may hold its thread, longer in proportion above 20 million pixels of the photo or a result, and one operation on a file may take. A thread that exceeds it is replaced, and the job is tried again within its five minutes.",
    ),
  ),
  PACKSHOT_MAX_PIXELS: integer(100_000_000, 1, 1_000_000_000, "Pixels of the largest image that is edited."),
  PACKSHOT_SOURCE_TIMEOUT_MS: internal(integer(20_000, 100, 120_000, "How long fetching an imageUrl may take.")),
  PACKSHOT_DESTINATION_TIMEOUT_MS: internal(
    integer(
      60_000,
      100,
      120_000,
      "How long one try to put a result into a customer's bucket may take; a worker makes three, and a request to deliver it again makes one of at most 50 seconds.",
    ),
  ),
  PACKSHOT_RETENTION_SECONDS: integer(
    3_600,
    1,
    604_800,
    "How long a finished job and its files are kept. Above 259200 (72 hours, the life of events) files go up to an hour after their job, with the janitor's sweep.",
  ),
  PACKSHOT_QUEUE_DEADLINE_SECONDS: integer(
    86_400,
    1,
    604_800,
    "A live job that no worker has started so long after its acceptance fails with deadline_exceeded.",
  ),
  PACKSHOT_SANDBOX_QUEUE_DEADLINE_SECONDS: internal(integer(3_600, 1, 604_800, "The same of a test job.")),
  PACKSHOT_METRICS_HOST: text("127.0.0.1", "Address of metrics and health probes."),
  PACKSHOT_METRICS_PORT: integer(0, 0, 65_535, "Port of metrics and health probes; 0 takes a free one."),
  PACKSHOT_DRAIN_SECONDS: integer(
    0,
    0,
    600,
    "How long an API process or model server goes on taking requests after SIGTERM, while it says that it is not ready, so that balancers send no more. 5 or more behind a Kubernetes service.",
  ),
  PACKSHOT_STOP_SECONDS: integer(
    40,
    2,
    3_600,
    "How long a process may then take to stop. Requests, edits and deliveries under way may finish in the first half of it; then they are given back, and at the end it is killed. A pod needs more than both times together (`terminationGracePeriodSeconds`).",
  ),
  PACKSHOT_LOG_LEVEL: oneOf("info", logLevels, "debug, info, warn, error or fatal."),
  ...tracingSettings,
  PACKSHOT_PARENT_PIPE: internal(
    flag(false, "Stop when stdin closes: set by `packshot up` so that no child outlives it."),
  ),
  PACKSHOT_FAILPOINT: internal(optionalText("For tests: die at this failpoint (`accept:after-commit@3`).")),
} as const;

type Table = typeof settingsTable;
export type SettingName = keyof Table;
export type Settings = { readonly [N in SettingName]: ReturnType<Table[N]["parse"]> };

export class SettingsError extends Error {
  constructor(problems: readonly string[]) {
    super(`configuration: ${problems.join("; ")}`);
    this.name = "SettingsError";
  }
}

/**
 * Throws one `SettingsError` with all problems. A missing key (LINK, MASTER), and a file that is not as it should be, are
 * problems only for a process that `needs` the setting: the others may not have the file.
 */
export function readSettings(
  given: Readonly<Record<string, string | undefined>>,
  needs: readonly SettingName[] = [],
): Settings {
  const problems: string[] = [];
  const environment = withSecretFiles(given, secretFileSettings(settingsTable), (problem) => problems.push(problem));
  const settings: Record<string, unknown> = {};
  const isOnS3 = environment.PACKSHOT_STORAGE === "s3";
  const isNeeded = (name: SettingName) => {
    if (name === "PACKSHOT_S3_BUCKET") return isOnS3;
    // Links to S3 are signed with its own key.
    return needs.includes(name) && !(isOnS3 && name === "PACKSHOT_LINK_KEY");
  };
  for (const [name, row] of Object.entries(settingsTable) as [SettingName, Row<unknown>][]) {
    const value = environment[name];
    if (value === undefined || value === "") {
      settings[name] = row.default;
      if (row.default === undefined && row.checkFile === undefined && isNeeded(name))
        problems.push(`${name} is missing: ${row.doc}`);
      continue;
    }
    try {
      settings[name] = row.parse(value);
      if (needs.includes(name)) row.checkFile?.(value);
    } catch (error) {
      problems.push(`${name} ${(error as Error).message}`);
    }
  }
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith("PACKSHOT_") && !(name in settingsTable) && !toolNames.has(name),
  );
  for (const name of unknown) problems.push(`${name} is not a setting of Packshot`);
  if (problems.length > 0) throw new SettingsError(problems);
  return settings as Settings;
}

/** Read by the CLI, the tests and the training, not by a service. */
const toolNames = new Set([
  "PACKSHOT_SHARED",
  "PACKSHOT_TRAINING_PYTHON",
  "PACKSHOT_NATS_SERVER",
  "PACKSHOT_NATS_SERVER_SHA256",
  "PACKSHOT_ADMIN_URL",
]);

export function loadSettings(needs: readonly SettingName[] = []): Settings {
  return readSettings(process.env, needs);
}
