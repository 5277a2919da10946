/**
 * Google Pub/Sub by its REST API. The service account signs a token for the API itself, as Google's client libraries do by
 * default: so there is no second server to ask for one, whose address would stand in the account's key file.
 */

import { sign } from "node:crypto";
import {
  type DestinationCredentials,
  destinationUrl,
  type PubSubDestination,
} from "@packshot/domain/webhooks/destination.ts";
import { ExpiringMap } from "@packshot/platform/flow/expiring-map.ts";
import { type EventDestination, messageAttributes } from "./event-destination.ts";

/** A request may have 10 MB, and base64 makes four bytes of three. */
const bodyBytesMax = 7_000_000;
const tokenSeconds = 3600;
/** Not used any more before its end: the request takes its time, and clocks differ. */
const spareMs = 5 * 60_000;
const tokensMax = 10_000;
/** Who is meant by the token: the API, wherever its endpoint is. */
const audience = "https://pubsub.googleapis.com/";

export function createPubSubDestination(
  destination: PubSubDestination,
  credentials: DestinationCredentials["pubsub"],
  accessTokens: AccessTokens,
): EventDestination {
  return {
    bodyBytesMax,
    async toPost(event) {
      const token = accessTokens(destination.clientEmail, credentials, event.nowMs);
      const data = Buffer.from(event.body).toString("base64");
      return {
        url: destinationUrl(destination),
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: JSON.stringify({ messages: [{ data, attributes: messageAttributes(event) }] }),
      };
    },
  };
}

export type AccessTokens = (clientEmail: string, key: DestinationCredentials["pubsub"], nowMs: number) => string;

/** Signing takes a millisecond of processor time, so a token is used for as long as it holds. */
export function createAccessTokens(): AccessTokens {
  let latestMs = 0;
  const tokens = new ExpiringMap<{ token: string; untilMs: number }>(({ untilMs }) => untilMs <= latestMs, tokensMax);
  return (clientEmail, key, nowMs) => {
    latestMs = nowMs;
    const name = `${clientEmail} ${key.privateKeyId} ${key.privateKey}`;
    const known = tokens.get(name);
    if (known !== undefined && known.untilMs > nowMs) return known.token;
    const token = signToken(clientEmail, key, nowMs);
    tokens.set(name, { token, untilMs: nowMs + tokenSeconds * 1000 - spareMs });
    return token;
  };
}

function signToken(
  clientEmail: string,
  { privateKeyId, privateKey }: DestinationCredentials["pubsub"],
  nowMs: number,
): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const issuedAt = Math.floor(nowMs / 1000);
  const claims = { iss: clientEmail, sub: clientEmail, aud: audience, iat: issuedAt, exp: issuedAt + tokenSeconds };
  const signed = `${encode({ alg: "RS256", typ: "JWT", kid: privateKeyId })}.${encode(claims)}`;
  return `${signed}.${sign("sha256", Buffer.from(signed), privateKey).toString("base64url")}`;
}
