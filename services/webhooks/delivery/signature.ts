/** The headers of Standard Webhooks. A signature is `v1,` and the base64 HMAC-SHA256 of id, time and body. */
import { createHmac } from "node:crypto";
import { signedContent, webhookSecretPrefix } from "@packshot/domain/webhooks/webhook.ts";

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
