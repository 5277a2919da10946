/**
 * Loads what each service loads, so that Node keeps the compiled modules in NODE_COMPILE_CACHE: the image then has them, and a
 * container need not compile 800 modules at each start. The Dockerfile runs it.
 *
 *   NODE_COMPILE_CACHE=FOLDER node deploy/docker/fill-compile-cache.ts
 */
import { spawnSync } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type ServiceName, serviceArguments, serviceMains } from "../../cli/up/services.ts";
import { readOpenapiDocument } from "../../services/api/http/openapi-document.ts";

const timeout = 120_000;
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Enough for a service to load all that its main module imports. As its launcher has gone, it ends then. */
const environment = {
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  HOME: "/tmp",
  PACKSHOT_PARENT_PIPE: "1",
  PACKSHOT_LINK_KEY: "0".repeat(64),
  PACKSHOT_MASTER_KEY: "0".repeat(64),
  PACKSHOT_NATS_URL: "nats://127.0.0.1:1",
  PACKSHOT_METRICS_PORT: "0",
  PACKSHOT_MODEL_GRPC_PORT: "0",
  PACKSHOT_MODEL_HTTP_PORT: "0",
  PACKSHOT_LOG_LEVEL: "fatal",
};

const storageOnS3 = ["client", "storage", "check"].map((part) => `packages/platform/storage/s3-${part}.ts`);
/** What a service loads late: in threads of its own, or only with some settings. */
const lateModules: Readonly<Record<ServiceName, readonly string[]>> = {
  api: [...storageOnS3, "packages/platform/redis/redis.ts", "packages/platform/keyv/keyv-redis.ts"],
  modelServer: ["services/inference/model-server/instance-thread.ts"],
  worker: ["services/inference/edits/edit-thread.ts", ...storageOnS3],
  webhooks: storageOnS3,
};

/** The API keeps them beside its modules, below services/api. */
const documents = ["openapi.yaml", "admin-openapi.yaml", "features/removebg/removebg-openapi.yaml"];

async function loadLateModules(name: ServiceName): Promise<void> {
  if (name === "api")
    for (const path of documents)
      readOpenapiDocument(pathToFileURL(join(root, "services/api", path)), getCompileCacheDir());
  for (const path of lateModules[name]) {
    const loaded = import(pathToFileURL(join(root, path)).href);
    // A thread's module finds no parent here. It has been compiled by then.
    await (path.endsWith("-thread.ts") ? loaded.catch(() => {}) : loaded);
  }
}

/** With the service's flags: the cache knows a module that was compiled with other flags as another one. */
function fill(name: ServiceName): void {
  const args = serviceArguments(name);
  const run = (arguments_: readonly string[]) =>
    spawnSync(process.execPath, arguments_, {
      env: environment,
      input: "",
      stdio: ["pipe", "ignore", "inherit"],
      timeout,
    });
  for (const { status } of [run(args), run([...args.slice(0, -1), fileURLToPath(import.meta.url), name])])
    if (status !== 0) throw new Error(`${name} could not be loaded`);
}

const [name] = process.argv.slice(2) as [ServiceName?];
if (name !== undefined) await loadLateModules(name);
else for (const each of Object.keys(serviceMains) as ServiceName[]) fill(each);
