import { setTimeout as delay } from "node:timers/promises";
import { type Msg, type NatsConnection, RequestError, type RequestOptions } from "@nats-io/transport-node";

const interestTimeoutMs = 5_000;
const interestPollMs = 50;

/** In a cluster another server may listen, and ours knows of it a moment later: until then nobody gets the request. */
export async function requestHeard(
  connection: NatsConnection,
  subject: string,
  payload: Uint8Array | string,
  options: RequestOptions,
): Promise<Msg> {
  for (const giveUpAtMs = Date.now() + interestTimeoutMs; ; await delay(interestPollMs)) {
    try {
      return await connection.request(subject, payload, options);
    } catch (error) {
      const isUnheard = error instanceof RequestError && error.isNoResponders();
      if (!isUnheard || Date.now() > giveUpAtMs) throw error;
    }
  }
}
