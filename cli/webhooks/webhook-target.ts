/** Where events go, as the arguments of `packshot webhooks add` name it. Keys come from the environment, never from arguments. */
import { readFile } from "node:fs/promises";
import type { NewWebhook } from "@packshot/sdk/packshot.ts";
import { CommandError } from "../command-line/command.ts";
import { environment } from "../command-line/environment.ts";

export const targetFlags = {
  sqs: { type: "string" },
  sns: { type: "string" },
  pubsub: { type: "string" },
  kafka: { type: "string" },
  region: { type: "string" },
  endpoint: { type: "string" },
} as const;

type TargetValues = { readonly [Name in keyof typeof targetFlags]?: string | undefined };
export type WebhookTarget = Pick<NewWebhook, "url" | "sqs" | "sns" | "pubsub" | "kafka">;

const kafkaAddress = /^(https?:\/\/.+?)(?:\/v3\/clusters\/([^/]+))?\/topics\/([^/]+)$/;

export async function webhookTarget(urls: readonly string[], values: TargetValues): Promise<WebhookTarget> {
  const { sqs, sns, pubsub, kafka, region, endpoint } = values;
  const named = [...urls, sqs, sns, pubsub, kafka].filter((target) => target !== undefined);
  if (named.length !== 1)
    throw new CommandError("webhooks add needs one target: an address, --sqs, --sns, --pubsub or --kafka.");
  if (sqs !== undefined) return { sqs: { queueUrl: sqs, region, ...awsKeys("--sqs") } };
  if (sns !== undefined) return { sns: { topicArn: sns, endpoint, ...awsKeys("--sns") } };
  if (pubsub !== undefined) return { pubsub: { topic: pubsub, endpoint, serviceAccount: await serviceAccount() } };
  return kafka === undefined ? { url: named[0]! } : { kafka: kafkaTopic(kafka) };
}

function awsKeys(flag: string): { accessKeyId: string; secretAccessKey: string } {
  return {
    accessKeyId: required("AWS_ACCESS_KEY_ID", flag),
    secretAccessKey: required("AWS_SECRET_ACCESS_KEY", flag),
  };
}

async function serviceAccount(): Promise<NonNullable<WebhookTarget["pubsub"]>["serviceAccount"]> {
  const name = "GOOGLE_APPLICATION_CREDENTIALS";
  const path = required(name, "--pubsub");
  try {
    const { client_email, private_key_id, private_key } = JSON.parse(await readFile(path, "utf8"));
    return { client_email, private_key_id, private_key };
  } catch (error) {
    throw new CommandError(`${name} must name a service account's key file: ${(error as Error).message}`);
  }
}

function kafkaTopic(address: string): NonNullable<WebhookTarget["kafka"]> {
  const [, url, clusterId, topic] = kafkaAddress.exec(address) ?? [];
  if (url === undefined || topic === undefined)
    throw new CommandError(
      `--kafka must be like https://proxy.example/topics/photos or https://proxy.example/v3/clusters/C/topics/photos, not "${address}".`,
    );
  const username = environment.KAFKA_REST_USERNAME;
  if (username === undefined) return { url, topic, clusterId };
  return { url, topic, clusterId, username, password: required("KAFKA_REST_PASSWORD", "KAFKA_REST_USERNAME") };
}

function required(name: string, what: string): string {
  const value = environment[name];
  if (value) return value;
  throw new CommandError(`${what} needs ${name} in the environment.`);
}
