/** Hands a request's body on to a parser, which may stop at any time. */
import type { IncomingMessage } from "node:http";
import type { PassThrough } from "node:stream";
import { PackshotError } from "@packshot/domain/errors.ts";

/** A client that sends no byte for so long is considered gone. */
const silenceTimeoutMs = 30_000;

export interface BodyLimits {
  readonly bytesMax: number;
  readonly tooLarge: () => PackshotError;
}

/**
 * Destroys the target with an error when the client disconnects, falls silent or sends too much. Returns how to stop, which
 * leaves the request open, so that its response can be sent.
 */
export function feedBody(
  target: PassThrough,
  request: IncomingMessage,
  { bytesMax, tooLarge }: BodyLimits,
): () => void {
  let bytes = 0;
  const onClose = () => {
    // A request that was read to its end closes too.
    if (request.complete) return;
    target.destroy(new PackshotError("request_timeout", "The connection closed before the body ended."));
  };
  const onSilence = () => target.destroy(new PackshotError("request_timeout", "The body did not arrive in time."));
  const silence = setTimeout(onSilence, silenceTimeoutMs);
  const onData = (chunk: Buffer) => {
    silence.refresh();
    bytes += chunk.length;
    if (bytes > bytesMax) target.destroy(tooLarge());
  };
  request.on("close", onClose).on("data", onData).pipe(target);
  return () => {
    clearTimeout(silence);
    request.off("close", onClose).off("data", onData).unpipe(target);
    target.destroy();
  };
}
