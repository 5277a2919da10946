/** The address of a photo, as people and shops write it: read as browsers do, or refused in words. */
import { isBucketUrl, parseBucketUrl } from "../connections/bucket-key.ts";
import { PackshotError } from "../errors.ts";

/** http, https, or `s3://<connection>/<key>`, whose key is literal. Throws `invalid_request`. */
export function readImageUrl(text: string, field: string): string {
  if (!isBucketUrl(text)) return readWebUrl(text, field, "https://, http:// or s3://");
  parseBucketUrl(text, field);
  return text;
}

/**
 * Without the blanks around it and the line breaks in it, and with its spaces percent-encoded; else as it was given, so
 * that clients find their own address again. Throws `invalid_request`.
 */
export function readWebUrl(text: string, field: string, beginnings = "https:// or http://"): string {
  const url = text
    .trim()
    .replaceAll(/[\t\r\n]/g, "")
    .replaceAll(" ", "%20");
  const problem = problemOf(url, beginnings);
  if (problem === undefined) return url;
  throw new PackshotError("invalid_request", `"${field}" ${problem}.`, { details: { field } });
}

function problemOf(url: string, beginnings: string): string | undefined {
  if (/^data:/i.test(url)) return dataUrlProblem;
  if (!/^https?:\/\//i.test(url)) return `must begin with ${beginnings}`;
  if (/\p{Cc}/u.test(url)) return "has a control character";
  const parsed = URL.parse(url);
  if (parsed === null) return "is not a URL";
  return parsed.username === "" && parsed.password === "" ? undefined : credentialsProblem;
}

/** They would be stored with the job, and shown to everyone who may read it. */
const credentialsProblem = "must not carry a user name or password: give a signed link instead";

/** A predicate, for the address of a photo. */
export const dataUrlProblem =
  "is a data: URL, which is not fetched: send the photo itself in a multipart form, or through an upload session";
