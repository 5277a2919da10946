import type { Webhook } from "@packshot/domain/webhooks/webhook.ts";
import { createSnsDestination, createSqsDestination } from "./aws-destinations.ts";
import type { EventDestination } from "./event-destination.ts";
import { createKafkaDestination } from "./kafka-destination.ts";
import { createAccessTokens, createPubSubDestination } from "./pubsub-destination.ts";

/** Throws when the credentials are sealed under a key that is not configured. */
export type OpenDestination = (webhook: Pick<Webhook, "url" | "destination">) => EventDestination;

/** @param unseal is called for every delivery, so it should remember */
export function createOpenDestination(unseal: (sealed: string) => string): OpenDestination {
  const accessTokens = createAccessTokens();
  return ({ url, destination }) => {
    if (destination === undefined) return createHttpsDestination(url);
    const credentials = JSON.parse(unseal(destination.sealedCredentials));
    switch (destination.kind) {
      case "sqs":
        return createSqsDestination(destination, credentials);
      case "sns":
        return createSnsDestination(destination, credentials);
      case "pubsub":
        return createPubSubDestination(destination, credentials, accessTokens);
      case "kafka":
        return createKafkaDestination(destination, credentials);
    }
  };
}

function createHttpsDestination(url: string): EventDestination {
  return { toPost: async ({ headers, body }) => ({ url, headers, body }) };
}
