/** Queues and topics that events of a webhook may go to, instead of a signed POST to an address of its own. */

/** What everybody with the key may see of it. */
export type Destination = SqsDestination | SnsDestination | PubSubDestination | KafkaDestination;

export interface SqsDestination {
  readonly kind: "sqs";
  readonly queueUrl: string;
  readonly region: string;
  /** The end of the access key's id, so that its owner knows which one it is; "" of a short one. */
  readonly accessKeyIdEnd: string;
}

export interface SnsDestination {
  readonly kind: "sns";
  readonly topicArn: string;
  readonly endpoint: string;
  readonly accessKeyIdEnd: string;
}

export interface PubSubDestination {
  readonly kind: "pubsub";
  /** `projects/<project>/topics/<topic>`. */
  readonly topic: string;
  readonly endpoint: string;
  /** Names the service account. */
  readonly clientEmail: string;
}

export interface KafkaDestination {
  readonly kind: "kafka";
  /** The REST proxy's. */
  readonly url: string;
  readonly topic: string;
  /** Present: version 3 of the proxy's API, which names the cluster; null: version 2. */
  readonly clusterId: string | null;
  /** null: the proxy asks for no password. */
  readonly username: string | null;
}

/** As the log has it: the credentials are JSON of `DestinationCredentials`, encrypted (AES-256-GCM under the master key). */
export type StoredDestination = Destination & { readonly sealedCredentials: string };

export interface DestinationCredentials {
  readonly sqs: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly sns: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly pubsub: { readonly privateKeyId: string; readonly privateKey: string };
  /** Empty: the proxy asks for none. */
  readonly kafka: { readonly password?: string };
}

/** FIFO queues and topics of AWS say so by their names; they need a group and remember ids for five minutes. */
export function isFifo(name: string): boolean {
  return name.endsWith(".fifo");
}

/** The region stands in a queue's address at AWS; undefined of any other address. */
export function regionOfQueueUrl(queueUrl: string): string | undefined {
  return /^https:\/\/(?:sqs(?:-fips)?\.([a-z0-9-]+)|([a-z0-9-]+)\.queue)\.amazonaws\.com(?:\.cn)?\//
    .exec(queueUrl)
    ?.slice(1)
    .find((region) => region !== undefined);
}

/** `arn:aws:sns:eu-central-1:123456789012:photos`; undefined of anything else. */
export function readTopicArn(topicArn: string): { readonly region: string; readonly endpoint: string } | undefined {
  const [, partition, region] =
    /^arn:(aws[a-z-]*):sns:([a-z0-9-]+):\d{12}:[A-Za-z0-9_-]{1,256}(?:\.fifo)?$/.exec(topicArn) ?? [];
  if (region === undefined) return undefined;
  return { region, endpoint: `https://sns.${region}.amazonaws.com${partition === "aws-cn" ? ".cn" : ""}` };
}

/** Where it is posted to: the guard of outbound calls checks it, and people see it as the webhook's address. */
export function destinationUrl(destination: Destination): string {
  switch (destination.kind) {
    case "sqs":
      return destination.queueUrl;
    case "sns":
      return `${withoutSlash(destination.endpoint)}/`;
    case "pubsub":
      return `${withoutSlash(destination.endpoint)}/v1/${destination.topic}:publish`;
    case "kafka": {
      const { url, topic, clusterId } = destination;
      const path = clusterId === null ? `topics/${topic}` : `v3/clusters/${clusterId}/topics/${topic}/records`;
      return `${withoutSlash(url)}/${path}`;
    }
  }
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}
