import type { Metadata } from "./job.ts";
import type { WebhookEventKind } from "./event.ts";

/** A registered endpoint. Its secrets are encrypted (AES-256-GCM under the master key), not hashed: they must sign. */
export interface Webhook {
  readonly v: 1;
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  /** Registered with a live key it gets the events of live jobs, with a test key those of test jobs. */
  readonly live: boolean;
  readonly events: readonly WebhookEventKind[];
  readonly description: string;
  readonly metadata: Metadata;
  readonly status:
    | { readonly kind: "enabled" }
    | { readonly kind: "disabled"; readonly reason: "operator" | "client" | "gone" | "failing"; readonly at: string };
  readonly createdAt: string;
  /** Newest first. After a rotation the older one still signs until `validUntil`. */
  readonly secrets: readonly { readonly sealed: string; readonly validUntil: string | null }[];
  /** When deliveries began to fail, without a success since; null while the endpoint is healthy. */
  readonly failingSince: string | null;
}
