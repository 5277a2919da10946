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

/** Decodes base64 text as it arrives. */

/** A quarter of a line of base64 stands for three bytes, so it is decoded as a whole. */
const groupLength = 4;
const dataUrlPrefix = /^data:[^,]{0,200};base64,/;
/** The prefix of a data URL and the first bytes of text after it. */
const headLength = 256;

/**
 * Whitespace is skipped, the URL-safe alphabet is read too, and a data URL's prefix is left out. Throws `invalid_request`
 * for other characters, with the name of the field.
 */
export async function* decodeBase64(chunks: AsyncIterable<string>, field: string): AsyncGenerator<Buffer> {
  let rest = "";
  let isHead = true;
  for await (const chunk of chunks) {
    rest += chunk.replaceAll(/\s+/g, "");
    if (isHead && rest.length < headLength) continue;
    if (isHead) rest = rest.replace(dataUrlPrefix, "");
    isHead = false;
    const whole = rest.length - (rest.length % groupLength);
    if (whole > 0) yield decode(rest.slice(0, whole), field);
    rest = rest.slice(whole);
  }
  if (isHead) rest = rest.replace(dataUrlPrefix, "");
  if (rest !== "") yield decode(rest, field);
}

function decode(text: string, field: string): Buffer {
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) {
    throw new PackshotError("invalid_request", `"${field}" is not base64.`, { details: { field } });
  }
  return Buffer.from(text, "base64");
}
