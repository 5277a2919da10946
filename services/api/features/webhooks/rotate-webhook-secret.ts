import { isoTime } from "@packshot/domain/ids.ts";
import type { Webhook } from "@packshot/domain/webhook.ts";
import { createWebhookSecret, secretOverlapMs } from "@packshot/domain/webhook-secret.ts";
import type { Seal } from "@packshot/platform/crypto/seal.ts";
import type { Log } from "@packshot/platform/nats/log.ts";
import { commitWebhook } from "./commit-webhook.ts";
import type { WebhookRef } from "./read-webhook.ts";

export interface RotateWebhookSecretDeps {
  readonly log: Log;
  readonly seal: Seal;
  readonly nowMs: () => number;
}

/** For a day, deliveries are signed with the old secret beside the new one. Throws `not_found`. */
export async function rotateWebhookSecret(
  { log, seal, nowMs }: RotateWebhookSecretDeps,
  ref: WebhookRef,
): Promise<{ webhook: Webhook; secret: string }> {
  const secret = createWebhookSecret();
  const sealed = seal.seal(secret);
  const validUntil = isoTime(nowMs() + secretOverlapMs);
  const webhook = await commitWebhook({ log }, { transition: "rotate-secret", ...ref }, (before) => {
    const [newest] = before.secrets;
    // An earlier attempt, whose response was lost, has stored the secret.
    if (newest?.sealed === sealed) return before;
    return {
      ...before,
      secrets: [{ sealed, validUntil: null }, ...(newest === undefined ? [] : [{ sealed: newest.sealed, validUntil }])],
    };
  });
  return { webhook, secret };
}
