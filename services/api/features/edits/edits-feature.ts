/** Edits and tools: a request becomes a job, in the API process that owns its account. */
import { subjects } from "@packshot/domain/subjects.ts";
import { createContestedKeys } from "@packshot/platform/flow/contested-keys.ts";
import { createImageInspector } from "@packshot/platform/images/image-inspector.ts";
import type { Component } from "@packshot/platform/lifecycle/component.ts";
import { traced } from "@packshot/platform/telemetry/tracing.ts";
import type { Core, Feature } from "../../core/core.ts";
import { formsFolder, sweepStaleForms } from "../../http/edit-form.ts";
import { createFormSlots } from "../../http/form-slots.ts";
import type { JobResponses } from "../jobs/job-response.ts";
import type { Jobs } from "../jobs/jobs-feature.ts";
import { createCommitAccepts } from "./accept-batch.ts";
import { type AcceptForwarder, createAcceptForwarder } from "./accept-forwarder.ts";
import { createAcceptQueue } from "./accept-queue.ts";
import { type EditRouteDeps, editHandlers } from "./edits.ts";
import { timeAccepts } from "./time-accepts.ts";
import { toolHandlers } from "./tools.ts";

export type Edits = EditRouteDeps;

export function createEdits(core: Core, { view, responses }: Jobs): { edits: Edits } & Feature {
  const forwarder = createAccepting(core, responses);
  const inspector = createImageInspector({ folder: formsFolder, logger: core.logger });
  const forms: Component = { name: "forms", start: sweepStaleForms, stop: async () => {} };
  const edits: Edits = {
    ...core,
    view,
    responses,
    accept: timeAccepts(forwarder.accept, core.metrics),
    inspectImage: (...question) => traced("inspect image", {}, () => inspector.inspectImage(...question)),
    formSlots: createFormSlots(core.formLimits),
  };
  return {
    edits,
    handlers: { ...editHandlers(edits), ...toolHandlers(core) },
    components: [forms, inspector, forwarder],
  };
}

/** An accept passes the forwarder, then the queue, then a batch. */
function createAccepting(core: Core, responses: JobResponses): AcceptForwarder {
  const { log, records, nowMs, metrics, accountMutex, countCredits } = core;
  const contested = createContestedKeys({ nowMs });
  const commit = createCommitAccepts({
    log,
    records,
    nowMs,
    responseBody: responses.created,
    onDebits: countCredits,
    onConflict(accountId) {
      metrics.onConflict();
      contested.recordConflict(accountId);
    },
  });
  const { isContested } = contested;
  const streamIndexOf = (accountId: string) => log.streamOf(subjects.account(accountId)).index;
  const acceptHere = createAcceptQueue({ commit, accountMutex, isContested, streamIndexOf, onBatch: metrics.onBatch });
  return createAcceptForwarder({ log, acceptHere, nowMs, onForward: metrics.onForward });
}
