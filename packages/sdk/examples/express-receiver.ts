/**
 * Receives webhooks with Express and verifies them.
 *
 *     PACKSHOT_WEBHOOK_SECRET=whsec_… PORT=3000 node express-receiver.ts
 *
 * It is an ES module: in a folder whose package.json says `"type": "commonjs"`, as `npm init -y` writes it, run
 * `npm pkg set type=module` first.
 */
import { PackshotError, verifyWebhook } from "@packshot/sdk";
import express from "express";

const secret = process.env.PACKSHOT_WEBHOOK_SECRET ?? "";
/** In a program with several processes: a table of the last hours. */
const handled = new Set<string>();
const app = express();

// The signature is over the bytes as they arrived, so the body stays raw.
app.post("/hooks/packshot", express.raw({ type: "application/json", limit: "1mb" }), async (request, response) => {
  try {
    const { event, eventId, data } = await verifyWebhook(request.body, request.headers, secret);
    // An event may arrive twice. Keep what must not be lost before you answer: afterward it is not sent again.
    if (!handled.has(eventId)) {
      handled.add(eventId);
      console.log(event, data.metadata.sku ?? data.id, data.error?.code ?? data.resultUrl ?? "");
    }
    response.sendStatus(204);
  } catch (error) {
    if (!(error instanceof PackshotError)) throw error;
    console.log("refused", error.code);
    response.sendStatus(400);
  }
});

const server = app.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => {
  console.log("listening", JSON.stringify(server.address()));
});
