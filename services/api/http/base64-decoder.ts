/** Decodes base64 text as it arrives. */
import { PackshotError } from "@packshot/domain/errors.ts";

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
