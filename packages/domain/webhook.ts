import type { Metadata } from "./job.ts";
import type { WebhookEventKind } from "./event.ts";

/** A registered endpoint. Secrets lie sealed (AES-256-GCM under the master key), because they must sign. */
export interface Webhook {
  readonly v: 1;
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  /** Receives the events of test jobs (registered with a test key) or of live ones. */
  readonly live: boolean;
  readonly events: readonly WebhookEventKind[];
  readonly description: string;
  readonly metadata: Metadata;
  readonly status:
    | { readonly kind: "enabled" }
    | { readonly kind: "disabled"; readonly reason: "operator" | "client" | "gone" | "failing"; readonly at: string };
  readonly createdAt: string;
  /** Newest first; the second is valid until `validUntil` while a rotation runs. */
  readonly secrets: readonly { readonly sealed: string; readonly validUntil: string | null }[];
  /** When deliveries began to fail without a success since; null while healthy. */
  readonly failingSince: string | null;
}
