/**
 * The drop-in for clients of remove.bg: its paths, over the use case of our own edits. It translates the request, waits for
 * the job and sends its result; a job that takes too long, or whose client has gone, is cancelled and refunded. It opens no
 * image, and what it does not do is named in a response header.
 */
import type { IncomingMessage } from "node:http";
import { PackshotError } from "@packshot/domain/errors.ts";
import { type CompletedJob, isEnded, type Job } from "@packshot/domain/jobs/job.ts";
import { bearerToken } from "../../access/api-key-secret.ts";
import { type Caller, realmOf } from "../../access/caller.ts";
import type { Core, Feature } from "../../core/core.ts";
import type { Call, Handler, Handlers } from "../../http/call.ts";
import { type Contract, loadContract, type Operation, type ParseBody } from "../../http/contract.ts";
import { type EditFormLimits, formOverheadBytesMax } from "../../http/edit-form.ts";
import { handleOperation, type OperationDeps, type RoutedRequest } from "../../http/handle-operation.ts";
import type { Mount } from "../../http/http-server.ts";
import { countRequest, type RateLimit } from "../../http/rate-limit.ts";
import { requestIdOf, toPackshotError } from "../../http/respond.ts";
import { readBoolean } from "../../http/unflatten-fields.ts";
import type { AccountDeps } from "../../records/commit-account.ts";
import { createEdit } from "../edits/create-edit.ts";
import { assertSourceRoom } from "../edits/edit-source.ts";
import type { EditHandlerDeps, Edits } from "../edits/edits.ts";
import { cancelJob, type EndJobDeps, waitForJob } from "../jobs/job-actions.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { readSettledAccount } from "../jobs/unsettled-refunds.ts";
import { bodyBytesMax, withDropInBody } from "./read-body.ts";
import { type RemoveBgFields, toEdit } from "./removebg-request.ts";
import { removeBgErrorResponse, sendResult, wantsJson } from "./removebg-result.ts";

export interface RemoveBgDeps extends Omit<EditHandlerDeps, "contract">, EndJobDeps, AccountDeps {
  readonly authenticate: OperationDeps["authenticate"];
  readonly refunds: Jobs["refunds"];
  readonly rateLimit: RateLimit;
  /** How long a request waits for its job. */
  readonly waitMs: number;
  /** `removebg-openapi.yaml` */
  readonly contract: Contract;
}

/** By path. */
function createRemoveBgMounts(deps: RemoveBgDeps): Readonly<Record<string, Mount>> {
  const handlers = removeBgHandlers(deps);
  return Object.fromEntries(
    deps.contract.operations.map((operation) => [operation.path, mountOf(deps, operation, handlers[operation.id]!)]),
  );
}

function mountOf(deps: RemoveBgDeps, operation: Operation, handler: Handler): Mount {
  // Bodies are read by the handler, and the media type of a success is chosen by it.
  const routed = { ...operation, consumes: [], produces: [] };
  return async (request, response, stopping) => {
    try {
      if (!/^\/?(\?|$)/.test(request.url ?? "/")) throw new PackshotError("not_found", "Path not found.");
      if (request.method?.toLowerCase() !== operation.method) {
        response.setHeader("Allow", operation.method.toUpperCase());
        throw new PackshotError("method_not_allowed", `Send ${operation.method.toUpperCase()}.`);
      }
      passOnKey(request);
      const rateLimit = withRemoveBgHeaders(deps.rateLimit, deps.nowMs);
      const shared = { authenticate: deps.authenticate, rateLimit };
      return await handleOperation(shared, routed, handler, request as RoutedRequest, response, stopping);
    } catch (error) {
      const cause = toPackshotError(error);
      if (cause.code === "internal_error") deps.logger.error({ err: cause.cause ?? cause }, cause.code);
      if (response.headersSent) throw error;
      return removeBgErrorResponse(cause, requestIdOf(response));
    }
  };
}

/** The key of remove.bg's header, as our own requests show it. Throws `unauthenticated` where neither header has one. */
function passOnKey({ headers }: IncomingMessage): void {
  const key = headers["x-api-key"];
  if (typeof key === "string" && key.trim() !== "") headers.authorization = `Bearer ${key.trim()}`;
  if (bearerToken(headers.authorization) !== undefined) return;
  const message = "Send your API key as X-Api-Key: ps_live_…, or as Authorization: Bearer ps_live_…";
  throw new PackshotError("unauthenticated", message);
}

function withRemoveBgHeaders(rateLimit: RateLimit, nowMs: () => number): RateLimit {
  return async (...counted) => {
    const count = await rateLimit(...counted);
    const { max, remaining, restSeconds } = count.window;
    const headers = {
      ...count.headers,
      "X-RateLimit-Limit": String(max),
      "X-RateLimit-Remaining": String(remaining),
      "X-RateLimit-Reset": String(Math.ceil(nowMs() / 1000) + restSeconds),
    };
    return { ...count, headers };
  };
}

function removeBgHandlers(deps: RemoveBgDeps): Handlers {
  const { schemas } = deps.contract.document.components;
  const { properties } = schemas.RemoveBackground as { properties: Record<string, { readonly $ref?: string }> };
  const known = new Set(Object.keys(properties));
  const flags = Object.keys(properties).filter((name) => properties[name]!.$ref?.endsWith("/Flag"));
  const parse = deps.contract.compileBody({ $ref: "#/components/schemas/RemoveBackground" });
  return {
    removeBackground: (call) => removeBackground(deps, call, { known, flags, parse }),

    async readBalance({ caller }) {
      const { credits } = await readSettledAccount(deps, caller.account.accountId);
      const total = credits.remaining;
      const attributes = {
        credits: { total, subscription: total, payg: 0, enterprise: 0 },
        api: { free_calls: 0, sizes: "all" },
      };
      return { status: 200, body: { data: { attributes } } };
    },
  };
}

interface FieldRules {
  readonly known: ReadonlySet<string>;
  /** Those of `known` that are yes or no. */
  readonly flags: readonly string[];
  readonly parse: ParseBody;
}

/** `True` and `on` are `true`; what is neither yes nor no stays, for the contract to refuse. */
function withFlags(fields: Readonly<Record<string, string>>, flags: readonly string[]): Record<string, string> {
  const read = (name: string, text: string) => (flags.includes(name) ? (readBoolean(text)?.toString() ?? text) : text);
  return Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, read(name, text)]));
}

async function removeBackground(deps: RemoveBgDeps, call: Call, rules: FieldRules): Promise<"sent"> {
  const { caller, request, response } = call;
  const { account, key } = caller;
  if (!key.live) await countRequest(deps.testEditRate, { account, live: false }, response);
  const fileBytesMax = account.limits.maxFileSizeBytes;
  const declaredBytes = Number(call.headers["content-length"] ?? 0);
  await assertSourceRoom(deps, caller, Math.max(1, declaredBytes - formOverheadBytesMax));
  await deps.storage.assertRoom(declaredBytes === 0 ? bodyBytesMax(fileBytesMax) : declaredBytes);
  const limits: EditFormLimits = {
    fileBytesMax,
    maxPixels: deps.maxPixels,
    inspectImage: (...question) => deps.inspectImage(account.accountId, ...question),
    acquireSlot: (bytes: number) => deps.formSlots.acquire(realmOf(caller), bytes),
  };
  await withDropInBody(request, limits, async (body) => {
    const fields = rules.parse(withFlags(body.fields, rules.flags)) as RemoveBgFields;
    const unknown = Object.keys(body.fields).filter((name) => !rules.known.has(name));
    const asked = toEdit(fields, body, { tools: account.tools, unknown });
    const outcome = await createEdit(deps, { caller, edit: asked.edit, idempotencyKey: undefined });
    if (outcome.kind === "replayed") throw new Error("an edit without an Idempotency-Key was replayed");
    await body.discard();
    deps.view.committed(outcome.job.accountId, outcome.sequence);
    const job = await completedJob(deps, call, outcome.job);
    await sendResult(deps, response, { job, request: asked, json: wantsJson(request.headers.accept) });
  });
  return "sent";
}

/**
 * The job, completed. One that takes longer than a request waits, or whose client has gone, is cancelled and costs
 * nothing: nobody would fetch its result. Throws the job's error, `deadline_exceeded` and `unavailable`.
 */
async function completedJob(deps: RemoveBgDeps, { caller, signal }: Call, created: Job): Promise<CompletedJob> {
  const waited = await waitForJob(deps, { job: created, waitMs: deps.waitMs, signal });
  const job = waited === undefined || isEnded(waited) ? waited : await cancelOrRead(deps, caller, waited);
  if (job?.status === "completed") return job;
  if (job?.status === "failed") throw new PackshotError(job.error.code, job.error.message);
  if (job === undefined || waited === job) {
    throw new PackshotError("job_expired", "The job was cancelled or deleted through our own API.");
  }
  if (signal.aborted) throw new PackshotError("unavailable", "This process stops; send the request again.");
  throw new PackshotError(
    "deadline_exceeded",
    `The image was not ready in ${deps.waitMs / 1000} s; nothing is charged.`,
  );
}

/** Between the last look and the cancel, the job may have ended by itself. */
async function cancelOrRead(deps: RemoveBgDeps, caller: Caller, job: Job): Promise<Job | undefined> {
  try {
    return await cancelJob(deps, { realm: realmOf(caller), jobId: job.id });
  } catch (error) {
    if (!(error instanceof PackshotError) || !["job_already_finished", "not_found"].includes(error.code)) throw error;
    return await waitForJob(deps, { job, waitMs: 1, signal: new AbortController().signal });
  }
}

export function createRemoveBg(core: Core, edits: Edits, jobs: Jobs): Feature {
  const contract = loadContract(new URL("removebg-openapi.yaml", import.meta.url));
  const mounts = createRemoveBgMounts({ ...core, ...edits, ...jobs, contract, waitMs: core.dropInWaitMs });
  return { mounts, document: contract.document };
}
