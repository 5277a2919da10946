/** Sends one POST to one endpoint, guarded and bounded. Failures are an outcome, never an exception. */
import { parseRetryAfter } from "@packshot/domain/webhooks/delivery.ts";
import { failSpan, targetAttributes, traced, traceparentOf } from "@packshot/platform/telemetry/tracing.ts";
import { type Agent, type Dispatcher, request } from "undici";
import { describeSendError } from "./send-error.ts";

/** From the name's lookup to the answer's header. An endpoint that has not answered by then has failed. */
const sendTimeoutMs = 15_000;
/** Only the status decides. The body is read this long and this far, so that the connection can be used again. */
const bodyWaitMs = 200;
const bodyBytesMax = 64 * 1024;
const headBytesMax = 1_024;

export type SendOutcome =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly retryAfterMs: number | undefined;
      /** First bytes of the body, at most 1 KiB, as text. */
      readonly head: string;
      readonly durationMs: number;
    }
  | { readonly kind: "unanswered"; readonly error: string; readonly durationMs: number };

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function send(agent: Agent, post: Post): Promise<SendOutcome> {
  return traced("POST", { kind: "client" }, async (span) => {
    if (span === undefined) return await sendOnce(agent, post);
    span.setAttributes({ "http.request.method": "POST", ...targetAttributes(post.url) });
    const headers = { ...post.headers, traceparent: traceparentOf(span) };
    const outcome = await sendOnce(agent, { ...post, headers });
    if (outcome.kind === "answered") span.setAttribute("http.response.status_code", outcome.status);
    const hasFailed = outcome.kind === "unanswered" || outcome.status >= 400;
    if (hasFailed) failSpan(span, { name: outcome.kind === "answered" ? String(outcome.status) : "unanswered" });
    return outcome;
  });
}

async function sendOnce(agent: Agent, post: Post): Promise<SendOutcome> {
  const startedMs = performance.now();
  const elapsedMs = () => Math.round(performance.now() - startedMs);
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), sendTimeoutMs);
  try {
    const answer = await request(post.url, {
      dispatcher: agent,
      method: "POST",
      headers: { ...post.headers, "content-type": "application/json", "user-agent": "Packshot-Webhooks/1" },
      body: post.body,
      signal: abort.signal,
    });
    const durationMs = elapsedMs();
    const retryAfter = answer.headers["retry-after"];
    return {
      kind: "answered",
      status: answer.statusCode,
      retryAfterMs: parseRetryAfter(typeof retryAfter === "string" ? retryAfter : undefined, Date.now()),
      head: await readHead(answer.body),
      durationMs,
    };
  } catch (error) {
    const reason = abort.signal.aborted ? `no answer within ${sendTimeoutMs / 1000} s` : describeSendError(error);
    return { kind: "unanswered", error: reason, durationMs: elapsedMs() };
  } finally {
    clearTimeout(timer);
  }
}

/** An endless, slow or broken body costs its connection, not the delivery. */
async function readHead(body: Dispatcher.ResponseData["body"]): Promise<string> {
  const head: Buffer[] = [];
  let bytes = 0;
  const timer = setTimeout(() => body.destroy(), bodyWaitMs);
  try {
    for await (const chunk of body) {
      if (bytes < headBytesMax) head.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes > bodyBytesMax) break; // Leaving the loop destroys the body.
    }
  } catch {
    // The bytes that came before the error are enough.
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(head).subarray(0, headBytesMax).toString("utf8");
}
