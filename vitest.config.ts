import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { silenceRuntime } from "./packages/platform/config/silence-runtime.ts";
import { LongestFirst } from "./scripts/longest-first.ts";
import { memoryFolder } from "./testing/memory-folder.ts";
import { compileCacheFolder } from "./testing/process-environment.ts";
import { findMissingPrograms, obstacles, type ProgramName, programs } from "./testing/programs.ts";

/** `make test-all` and CI: a test whose program is missing runs, and fails. */
const skipsNothing = process.env.TEST_ALL === "1";
const missingPrograms = findMissingPrograms();
const isSkipped = (name: ProgramName) => obstacles.has(name) || (!skipsNothing && missingPrograms.includes(name));

// For the workers, and for the processes that tests start with their own environment.
process.env.NODE_COMPILE_CACHE = compileCacheFolder;
silenceRuntime();
// For the workers, and for what they start.
if (process.env.TMPDIR === undefined) {
  const folder = memoryFolder();
  if (folder !== undefined) process.env.TMPDIR = folder;
}

const all = ["{packages,services,cli,console,test,testing,training,bench}/**/*.spec.ts"];
const pure = [
  "{packages/domain,packages/models,packages/platform/flow,console}/**/*.spec.ts",
  "{services/inference/imaging,testing/imaging-oracles}/**/*.spec.ts",
  "test/house-rules/*.spec.ts",
  // Specs without servers, threads, clocks or flags, in folders where others have them.
  "services/inference/edits/**/!(edit-pool|generate-scene|lost-edits).spec.ts",
  "services/inference/generative/{kept-texts,noise,prompt-tokens}.spec.ts",
  "services/inference/model-client/{review-limits,server-addresses,server-choice}.spec.ts",
  "services/inference/model-server/{bucket-*,cost-model,instance-usage,slow-runs,tensor-types,warm-instances}.spec.ts",
  "services/inference/consumer/{edit-memory-max,inference-meter,memory-budget}.spec.ts",
  "services/webhooks/delivery/{circuit-breaker,endpoint-admission,queue-room}.spec.ts",
  "services/api/features/batches/read/plain-csv.spec.ts",
  "services/api/features/batches/rows/{outcome-files,row-sample,row-segments}.spec.ts",
  "services/api/features/{accounts/ledger-draft,jobs/settlement,jobs/unsettled-refunds,status/judge-status}.spec.ts",
  "services/api/http/{byte-range,error-response,form-slots,prefer-header,run-once,unflatten-fields}.spec.ts",
  "bench/**/{shadow-shape,ended-job,knee,memory-slope,scenarios,flatness,review-fit,resized-photo,peers-chart}.spec.ts",
  // The same beside their code.
  "cli/{edit/next-try,edit/report-run,edit/result-folder,sync/find-work}.spec.ts",
  "packages/platform/{config/settings,images/inspect-image,ledger/ledger-archive,outbound/address-guard}.spec.ts",
  "packages/platform/storage/{disk-folder,disk-links}.spec.ts",
  "packages/{github-action/edit-photos,service/infrastructure-fault,service/process-list}.spec.ts",
  "services/api/features/batches/read/row-defaults.spec.ts",
  "services/api/features/batches/run/complete-jobs.spec.ts",
  "services/api/features/{edits/edit-request,status/incident-history}.spec.ts",
  "services/api/features/removebg/{field-splitter,removebg-request}.spec.ts",
  "services/inference/{consumer/kept-mattes,generative/graph-turns}.spec.ts",
  "services/webhooks/{delivery/deliver,destinations/open-destination}.spec.ts",
  "{test/week/{record-lives,settling,slope},testing/metrics/metric-rules}.spec.ts",
  "bench/{load/event-stream,peers/measure,sim/simulate-service,sim/stations}.spec.ts",
  "cli/{backup,client/open-client,command-line/print,command-line/progress,edit/photo}.spec.ts",
  "cli/up/{data-folder,free-space,services,supervisor}.spec.ts",
  "packages/log/{commit/group-commit,follow/stream-source,operate/s2-frames}.spec.ts",
  "packages/{platform/crypto/seal,platform/config/configuration-document,sdk/retry}.spec.ts",
  "packages/platform/{lifecycle/periodic-check,storage/storage-timeout}.spec.ts",
  "services/api/{access/api-key-secret,access/last-used,catalog/tool-models}.spec.ts",
  "services/api/{features/edits/accept-queue,features/jobs/job-index}.spec.ts",
  "services/api/http/{form-file-storage,openapi-document,validation-messages}.spec.ts",
  "services/inference/consumer/{image-model-watch,memory-of-mask,worker-pause,worker-slots}.spec.ts",
  "services/inference/model-server/{batcher-simulation,load-version}.spec.ts",
  "services/webhooks/delivery/{backlog,send-slots}.spec.ts",
  "testing/{kubernetes/nodes/network-policies,models/remembered-predictions}.spec.ts",
  "testing/{power-cuts/cut-disk,storage/files-below}.spec.ts",
];

const importsJointStack = /from "[^"]*\/joint\/joint-stack\.ts"/;
const textOf = (path: string) => readFileSync(path, "utf8");
/** Specs with one stack for all of a worker. */
const withJointStack = globSync(all, { exclude: ["**/node_modules"] }).filter((path) =>
  importsJointStack.test(textOf(path)),
);

const importsLog = /from "[^"]*\/log\/test-log\.ts"/;
/** What a spec could leave behind, or would find changed: processes, threads, clocks, variables, mocks, stopped servers. */
const needsOwnWorker =
  /startApi|startStorages|live-stack|nats-server|child_process|worker_threads|useFakeTimers|stub(Env|Global)|process\.env|\.kill\(|redis|vi\.(mock|spyOn)|armFailpoint/;
/** Specs of what reads and writes the log in their own worker, on a log that they stop. */
const withLog = globSync("{packages/log,services/{api,webhooks,inference/consumer}}/**/*.spec.ts").filter(
  (path) => importsLog.test(textOf(path)) && !needsOwnWorker.test(textOf(path)),
);

export default defineConfig({
  test: {
    projects: [
      // Pure code leaves nothing behind: its many small specs share a worker, since a start takes longer than most of them.
      { extends: true, test: { name: "pure", include: pure, isolate: false } },
      {
        extends: true,
        test: { name: "stack", include: withJointStack, exclude: ["**/node_modules/**", ...pure], isolate: false },
      },
      {
        extends: true,
        test: { name: "log", include: withLog, exclude: ["**/node_modules/**", ...pure], isolate: false },
      },
      {
        extends: true,
        test: { name: "apart", include: all, exclude: ["**/node_modules/**", ...pure, ...withJointStack, ...withLog] },
      },
    ],
    tags: [
      { name: "long", description: "Only make test-all runs it." },
      ...(Object.keys(programs) as ProgramName[]).map((name) => ({
        name,
        description: programs[name].tests,
        skip: isSkipped(name),
      })),
    ],
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // A worker may have a whole stack to stop.
    teardownTimeout: 60_000,
    // Patience, not a promise: what is awaited ends it, and a busy machine is not a fault.
    expect: { poll: { timeout: 60_000 } },
    sequence: { sequencer: LongestFirst },
    pool: "forks",
    // For two cores: specs wait for starts, expiries and elections more than half of their time.
    maxWorkers: 3,
  },
});
