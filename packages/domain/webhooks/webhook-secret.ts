/** Secrets as Standard Webhooks defines them: `whsec_` and the base64 of 24 to 64 bytes. */

export const webhookSecretPrefix = "whsec_";
const secretBytes = 32;

export function createWebhookSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(secretBytes));
  return webhookSecretPrefix + btoa(String.fromCharCode(...bytes));
}

/** How long the old secret signs beside the new one after a rotation. */
export const secretOverlapMs = 24 * 3600 * 1000;

/** What a signature covers: id and time as in the headers, and the exact text of the body. */
export function signedContent(webhookId: string, timestampSeconds: number, body: string): string {
  return `${webhookId}.${timestampSeconds}.${body}`;
}

/** The sealed secrets that sign now: the newest, and after a rotation the older one while it is valid. */
export function signingSecrets(
  secrets: readonly { readonly sealed: string; readonly validUntil: string | null }[],
  nowMs: number,
): string[] {
  return secrets
    .filter(({ validUntil }) => validUntil === null || Date.parse(validUntil) > nowMs)
    .map(({ sealed }) => sealed);
}
