/**
 * Receives webhooks with Express and verifies their signatures, by the library of Standard Webhooks.
 *
 *     npm install express standardwebhooks
 *     PACKSHOT_WEBHOOK_SECRET=whsec_… PORT=3000 node webhook-receiver.ts
 *
 * Register its address with `POST /v1/webhooks`; the secret is in the response.
 */
import express from "express";
import { Webhook, WebhookVerificationError } from "standardwebhooks";

interface Event {
  readonly event: string;
  readonly eventId: string;
  readonly data: {
    readonly id: string;
    readonly status: string;
    readonly resultUrl?: string;
    readonly error?: { readonly code: string };
  };
}

const webhook = new Webhook(process.env.PACKSHOT_WEBHOOK_SECRET ?? "");
/** Ids of events that were handled. A receiver with several processes keeps them in a database, for some hours. */
const handled = new Set<string>();
const app = express();

// The signature covers the bytes as they arrived, so the body must not be parsed before it is verified.
app.post("/hooks/packshot", express.raw({ type: "application/json", limit: "1mb" }), (request, response) => {
  try {
    const { event, eventId, data } = webhook.verify(request.body, request.headers as Record<string, string>) as Event;
    // Delivery is at least once: answer 2xx to an event that was handled before, and do its work once.
    if (!handled.has(eventId)) {
      handled.add(eventId);
      console.log(event, data.id, data.resultUrl ?? data.error?.code ?? "");
    }
    response.sendStatus(204);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    console.log("refused:", error.message);
    response.sendStatus(400);
  }
});

const server = app.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => {
  console.log("listening", JSON.stringify(server.address()));
});
