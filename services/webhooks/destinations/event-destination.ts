/** Where an event goes: the one shape that a webhook's address, queues and topics have for the rest of the service. */

import type { WebhookEventKind } from "@packshot/domain/webhooks/event.ts";

export interface EventDestination {
  /** Longest body that it takes; absent: nobody has said. */
  readonly bodyBytesMax?: number;
  toPost(event: OutgoingEvent): Promise<Post>;
  /**
   * Why an answer of 2xx is a failure all the same; undefined when it is none.
   *
   * @param head first bytes of the answer's body
   */
  refusalIn?(head: string): string | undefined;
}

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface OutgoingEvent {
  readonly eventId: string;
  readonly kind: WebhookEventKind;
  /** Events of one group keep their order where a queue can do that: the job's id, or the event's where there is no job. */
  readonly group: string;
  /** Exactly what is sent. */
  readonly body: string;
  /** The content type, and id, time and signature as Standard Webhooks has them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly nowMs: number;
}

/** What goes beside a message's body: subscriptions filter by it, and whoever shares the topic can verify the signature. */
export function messageAttributes({ kind, headers }: OutgoingEvent): Readonly<Record<string, string>> {
  return { ...headers, event: kind };
}
