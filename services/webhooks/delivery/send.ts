/** Sends one POST to one endpoint, guarded and bounded. Failures are an outcome, never an exception. */

import { createHmac } from "node:crypto";
import { parseRetryAfter } from "@packshot/domain/webhooks/delivery.ts";
import { signedContent, webhookSecretPrefix } from "@packshot/domain/webhooks/webhook.ts";
import { failSpan, targetAttributes, traced, traceparentOf } from "@packshot/platform/telemetry/tracing.ts";
import { type Agent, type Dispatcher, request } from "undici";
import type { Post } from "../destinations/event-destination.ts";

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
      /** Why it is a failure whatever the status; absent: the status decides. */
      readonly refusal?: string;
    }
  | { readonly kind: "unanswered"; readonly error: string; readonly durationMs: number };

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
      headers: { ...post.headers, "user-agent": "Packshot-Webhooks/1" },
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

/** Says why a request got no answer, in words for the delivery log that the webhook's owner can act on. */

const certificateErrors: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "the certificate's chain ends in a self-signed one that is not trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the certificate's authority is not trusted, or its chain is incomplete",
  UNABLE_TO_GET_ISSUER_CERT: "the certificate's authority is not trusted, or its chain is incomplete",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the certificate's authority is not trusted, or its chain is incomplete",
  CERT_HAS_EXPIRED: "the certificate has expired",
  CERT_NOT_YET_VALID: "the certificate is not valid yet",
  CERT_REVOKED: "the certificate was revoked",
};

interface ErrorWithCode extends Error {
  readonly code?: unknown;
  /** OpenSSL sets it, for example to `wrong version number`. */
  readonly reason?: unknown;
}

function describeSendError(error: unknown): string {
  if (!(error instanceof Error)) return "the request failed";
  // It holds one error for each address that was tried.
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return describeSendError(error.errors[0]);
  const { code, reason, message, name } = error as ErrorWithCode;
  if (typeof code === "string") {
    const certificateError = certificateErrors[code];
    if (certificateError !== undefined) return `${certificateError} (${code})`;
    if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return `the certificate is for another name: ${String(reason)}`;
    if (code.startsWith("ERR_SSL_") || code === "EPROTO") return `no TLS connection: ${String(reason ?? code)}`;
  }
  return message === "" ? name : message;
}

/** The headers of Standard Webhooks. A signature is `v1,` and the base64 HMAC-SHA256 of id, time and body. */

/** One signature for each of `secrets` (`whsec_…`, newest first). `body` must be exactly the text that is sent. */
export function signatureHeaders(
  webhookId: string,
  timestampSeconds: number,
  body: string,
  secrets: readonly string[],
): Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string> {
  const content = signedContent(webhookId, timestampSeconds, body);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(webhookSecretPrefix.length), "base64");
    return `v1,${createHmac("sha256", key).update(content).digest("base64")}`;
  });
  return {
    "webhook-id": webhookId,
    "webhook-timestamp": String(timestampSeconds),
    "webhook-signature": signatures.join(" "),
  };
}
