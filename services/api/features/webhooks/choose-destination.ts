/** What a request names as the place that events go to: an address, or a queue or a topic with its credentials. */

import { createPrivateKey } from "node:crypto";
import { accessKeyIdEndOf } from "@packshot/domain/connections/bucket-connection.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import {
  type Destination,
  type DestinationCredentials,
  destinationUrl,
  readTopicArn,
  regionOfQueueUrl,
} from "@packshot/domain/webhooks/destination.ts";
import type { Webhook } from "@packshot/domain/webhooks/webhook.ts";
import type { Seal } from "@packshot/platform/crypto/seal.ts";
import { type AllowList, checkTarget } from "@packshot/platform/outbound/address-guard.ts";

/** Exactly one of them is given. null in one is as if it were absent. */
export interface DestinationChoice {
  readonly url?: string;
  readonly sqs?: NewSqsDestination;
  readonly sns?: NewSnsDestination;
  readonly pubsub?: NewPubSubDestination;
  readonly kafka?: NewKafkaDestination;
}

type NewSqsDestination = DestinationCredentials["sqs"] & { readonly queueUrl: string; readonly region?: string | null };
type NewSnsDestination = DestinationCredentials["sns"] & {
  readonly topicArn: string;
  readonly endpoint?: string | null;
};

interface NewPubSubDestination {
  readonly topic: string;
  readonly endpoint?: string | null;
  /** As in Google's key files. */
  readonly serviceAccount: {
    readonly client_email: string;
    readonly private_key_id: string;
    readonly private_key: string;
  };
}

interface NewKafkaDestination {
  readonly url: string;
  readonly topic: string;
  readonly clusterId?: string | null;
  readonly username?: string | null;
  readonly password?: string | null;
}

export interface ChooseDestinationDeps {
  readonly seal: Seal;
  /** Private addresses that webhooks may have. */
  readonly allow: AllowList;
}

export type ChosenDestination = Pick<Webhook, "url" | "destination">;

const choices = ["url", "sqs", "sns", "pubsub", "kafka"] as const;

/** Undefined: the request names none. Throws `invalid_request`. */
export function chooseDestination(
  { seal, allow }: ChooseDestinationDeps,
  choice: DestinationChoice,
): ChosenDestination | undefined {
  const given = choices.filter((name) => choice[name] !== undefined);
  if (given.length === 0) return undefined;
  if (given.length > 1) throw invalid(`${given.join(" and ")} exclude each other: events go to one place.`, given[1]!);
  if (choice.url !== undefined) {
    checkTarget(choice.url, { allow, purpose: "webhook" });
    return { url: choice.url, destination: undefined };
  }
  const { destination, credentials } = readDestination(choice);
  const url = destinationUrl(destination);
  checkTarget(url, { allow, purpose: "webhook", field: addressFields[destination.kind] });
  return { url, destination: { ...destination, sealedCredentials: seal.seal(JSON.stringify(credentials)) } };
}

/** Throws `invalid_request`. */
export function requireDestination(deps: ChooseDestinationDeps, choice: DestinationChoice): ChosenDestination {
  const chosen = chooseDestination(deps, choice);
  if (chosen !== undefined) return chosen;
  throw invalid("Name where events go: url, sqs, sns, pubsub or kafka.", "url");
}

const addressFields: Readonly<Record<Destination["kind"], string>> = {
  sqs: "sqs.queueUrl",
  sns: "sns.endpoint",
  pubsub: "pubsub.endpoint",
  kafka: "kafka.url",
};

interface ReadDestination {
  readonly destination: Destination;
  readonly credentials: DestinationCredentials[Destination["kind"]];
}

function readDestination({ sqs, sns, pubsub, kafka }: DestinationChoice): ReadDestination {
  if (sqs !== undefined) return readSqs(sqs);
  if (sns !== undefined) return readSns(sns);
  return pubsub !== undefined ? readPubSub(pubsub) : readKafka(kafka!);
}

function readSqs({ queueUrl, region: given, ...credentials }: NewSqsDestination): ReadDestination {
  const region = given ?? regionOfQueueUrl(queueUrl);
  if (region === undefined) throw invalid("sqs.region is missing: queueUrl has none.", "sqs.region");
  if (/[?#]/.test(queueUrl)) throw invalid("sqs.queueUrl must have no ? and no #.", "sqs.queueUrl");
  return {
    destination: { kind: "sqs", queueUrl, region, accessKeyIdEnd: accessKeyIdEndOf(credentials) },
    credentials,
  };
}

function readSns({ topicArn, endpoint, ...credentials }: NewSnsDestination): ReadDestination {
  const { endpoint: atAws } = readTopicArn(topicArn)!;
  return {
    destination: {
      kind: "sns",
      topicArn,
      endpoint: endpoint ?? atAws,
      accessKeyIdEnd: accessKeyIdEndOf(credentials),
    },
    credentials,
  };
}

function readPubSub({
  topic,
  endpoint,
  serviceAccount: { client_email: clientEmail, private_key_id: privateKeyId, private_key: privateKey },
}: NewPubSubDestination): ReadDestination {
  if (!isRsaKey(privateKey)) {
    const field = "pubsub.serviceAccount.private_key";
    throw invalid(`${field} is not an RSA key of 2,048 to 8,192 bits in PEM.`, field);
  }
  return {
    destination: { kind: "pubsub", topic, endpoint: endpoint ?? "https://pubsub.googleapis.com", clientEmail },
    credentials: { privateKeyId, privateKey },
  };
}

function isRsaKey(pem: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem);
    const bits = asymmetricKeyDetails?.modulusLength ?? 0;
    // A shorter one cannot sign a token, and a longer one takes long.
    return asymmetricKeyType === "rsa" && bits >= 2048 && bits <= 8192;
  } catch {
    return false;
  }
}

function readKafka({ url, topic, clusterId, username, password }: NewKafkaDestination): ReadDestination {
  const hasPassword = password !== undefined && password !== null;
  const missing = hasPassword ? "username" : "password";
  if (hasPassword !== (username !== undefined && username !== null)) {
    throw invalid(`kafka.${missing} is missing: the two stand together.`, `kafka.${missing}`);
  }
  return {
    destination: { kind: "kafka", url, topic, clusterId: clusterId ?? null, username: username ?? null },
    credentials: hasPassword ? { password } : {},
  };
}

function invalid(message: string, field: string): PackshotError {
  return new PackshotError("invalid_request", message, { details: { field } });
}
