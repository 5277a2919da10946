/** Composes the API out of its features. `api-main.ts` reads the configuration and runs it. */
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import { type ApiDeps, type Core, createCore, type Feature } from "./core/core.ts";
import { createAccounts } from "./features/accounts/accounts.ts";
import { createBatches } from "./features/batches/batches.ts";
import { createConnections } from "./features/connections/connections.ts";
import { createEdits } from "./features/edits/edits.ts";
import { createJobs } from "./features/jobs/jobs.ts";
import { createOperator } from "./features/operator/operator.ts";
import { createPresets } from "./features/presets/presets.ts";
import { createRemoveBg } from "./features/removebg/removebg.ts";
import { createReviews } from "./features/reviews/reviews.ts";
import { createStatus } from "./features/status/status.ts";
import { createThemes } from "./features/themes/themes.ts";
import { createUploads } from "./features/uploads/uploads.ts";
import { createWebhooks } from "./features/webhooks/webhooks.ts";
import { createHttpServer, type HttpServer } from "./http/http-server.ts";
import { quotas } from "./http/rate-limit.ts";
import { createFormSlots, type FormSlotLimits } from "./http/slots.ts";
import { createService } from "./service/service.ts";

export interface Api {
  /** In the order of their start. */
  readonly components: readonly Component[];
  url(): string;
  adminUrl(): string | null;
}

export function createApi(deps: ApiDeps): Api {
  const core = createCore(deps);
  const connections = createConnections(core);
  const { jobs, ...jobsFeature } = createJobs(core, connections);
  const { edits, ...editsFeature } = createEdits(core, jobs);
  const batches = createBatches(core, jobs, connections);
  const accounts = createAccounts(core, jobs);
  const operator = createOperator(core, jobs, accounts);
  const features: readonly Feature[] = [
    core,
    editsFeature,
    jobsFeature,
    batches,
    createReviews(core, jobs, batches),
    createUploads(core),
    createPresets(core),
    createThemes(core),
    createWebhooks(core),
    connections,
    createRemoveBg(core, edits, jobs),
    accounts,
    createService(core),
    operator,
    createStatus(core, operator.queue),
  ];
  const server = serve(core, features);
  return {
    components: [...features.flatMap(({ components = [] }) => components), server, core.readiness],
    url: () => server.url(),
    adminUrl: operator.adminUrl,
  };
}

/** JSON bodies beyond 64 KiB, which only batches may have: 2 MiB each, and some times that once they are parsed. */
const bodyLimits: FormSlotLimits = {
  formsMax: 32,
  formsPerAccountMax: 4,
  bytesMax: 64 * 1024 * 1024,
  bytesPerAccountMax: 8 * 1024 * 1024,
};

function serve(core: Core, features: readonly Feature[]): HttpServer {
  return createHttpServer({
    ...core,
    name: "api",
    isStopping: core.readiness.isStopping,
    onResponse: core.metrics.onResponse,
    idempotencyKeyRate: core.createRate(quotas.idempotencyKeys),
    protectionRate: core.createRate(quotas.protection),
    bodySlots: createFormSlots(bodyLimits),
    handlers: Object.assign({}, ...features.map(({ handlers }) => handlers)),
    mounts: Object.assign({}, ...features.map(({ mounts }) => mounts)),
    mountDocuments: features.flatMap(({ document = [] }) => document),
  });
}
