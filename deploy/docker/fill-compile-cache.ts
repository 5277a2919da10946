/**
 * Loads what each service loads, so that Node keeps the compiled modules in NODE_COMPILE_CACHE: the image then has them, and a
 * container need not compile 800 modules at each start. The Dockerfile runs it.
 *
 *   node deploy/docker/fill-compile-cache.ts FOLDER
 *
 * Two builds write the same bytes. V8 keeps in them the hashes of names, whose seed it draws, and what a garbage collection left in the
 * padding of its objects: 2,539 of 3,272 files differed. So it is given a seed, room enough to collect nothing, and no other thread. Its
 * version of a cache does not depend on these flags: services start without them.
 */
import { spawnSync } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type ServiceName, serviceArguments, serviceMains } from "../../cli/up/services.ts";
import { type ConfinedProgram, confinedModules } from "../../packages/platform/images/confined-modules.ts";
import { readOpenapiDocument } from "../../services/api/http/openapi-document.ts";
import { cageOf, confinedCommand } from "../../services/inference/decoder/cage.ts";

const timeout = 120_000;
const root = fileURLToPath(new URL("../..", import.meta.url));

/** As much memory as no loading of a service fills. */
const semiSpaceMegabytes = 256;
const reproducibly = [
  "--predictable",
  "--random-seed=1",
  `--max-semi-space-size=${semiSpaceMegabytes}`,
  `--min-semi-space-size=${semiSpaceMegabytes}`,
];

/** Enough for a service to load all that its main module imports. As its launcher has gone, it ends then. */
const environment = {
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
  worker: ["services/inference/edits/threads/edit-thread.ts", ...storageOnS3],
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

/** With the flags of what is started later: the cache knows a module that was compiled with other flags as another one. */
function run(folder: string, flags: readonly string[], ...main: readonly string[]): boolean {
  const { status, signal } = spawnSync(process.execPath, [...flags, ...reproducibly, ...main], {
    env: { ...environment, NODE_COMPILE_CACHE: folder },
    input: "",
    stdio: ["pipe", "ignore", "inherit"],
    timeout,
  });
  // A process whose launcher has gone kills itself.
  return status === 0 || signal === "SIGKILL";
}

function fill(folder: string, name: ServiceName): void {
  const args = serviceArguments(name);
  const flags = args.slice(0, -1);
  const isLoaded = run(folder, flags, args.at(-1)!) && run(folder, flags, fileURLToPath(import.meta.url), folder, name);
  if (!isLoaded) throw new Error(`${name} could not be loaded`);
}

/** Processes that open what clients send, without what confines them: there is nothing to open. */
const confined: Readonly<Record<ConfinedProgram, readonly string[]>> = {
  "image-inspector": [join(root, "packages/platform/images/inspector-main.ts")],
  decoder: confinedCommand(cageOf({ launcher: "", maxPixels: 1 })).slice(1),
};

const [folder, name] = process.argv.slice(2) as [string?, ServiceName?];
if (folder === undefined) throw new Error("usage: node deploy/docker/fill-compile-cache.ts FOLDER");
if (name !== undefined) await loadLateModules(name);
else {
  for (const each of Object.keys(serviceMains) as ServiceName[]) fill(folder, each);
  for (const [program, args] of Object.entries(confined))
    if (!run(confinedModules(program as ConfinedProgram, folder)!, args.slice(0, -1), args.at(-1)!))
      throw new Error(`${program} could not be loaded`);
}
