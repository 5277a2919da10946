/** Standard Webhooks: `v1,` and base64 HMAC-SHA256 over id, time and body, one per valid secret. */
import { createHmac } from "node:crypto";
import { signedContent, webhookSecretPrefix } from "@packshot/domain/webhook-secret.ts";

/** `secrets`: `whsec_…`, newest first. `body` exactly as it is sent. */
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
