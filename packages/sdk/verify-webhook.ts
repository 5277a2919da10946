import { PackshotError } from "./packshot-error.ts";
import type { WebhookEvent } from "./schemas.ts";

type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The event, when its signature is right and less than five minutes old.
 *
 * @param body exactly as it arrived: parsed and serialized again, it may differ
 * @param headers of the request, as fetch, Node or Express have them
 * @param secret `whsec_…`; while it is rotated, the new one and the old one both verify
 * @throws PackshotError `signature_invalid`
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: HeaderSource,
  secret: string,
): Promise<WebhookEvent> {
  // Loaded where it is needed, so that a page that only edits does not carry it.
  const { Webhook } = await import("standardwebhooks");
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const given = headers instanceof Headers ? Object.fromEntries(headers) : headers;
  const signed: Record<string, string> = {};
  for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"]) {
    const value = given[name];
    if (value !== undefined) signed[name] = [value].flat().join(" ");
  }
  try {
    return new Webhook(secret).verify(text, signed) as WebhookEvent;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new PackshotError("signature_invalid", `The webhook is not verified: ${why}.`, { cause });
  }
}
