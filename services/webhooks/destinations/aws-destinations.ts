/** Amazon SQS and SNS, by one signed POST each: the SDK's clients would look for regions and sessions outside the guard. */

import { createHash, createHmac, type Hash, type Hmac } from "node:crypto";
import {
  type DestinationCredentials,
  destinationUrl,
  isFifo,
  readTopicArn,
  type SnsDestination,
  type SqsDestination,
} from "@packshot/domain/webhooks/destination.ts";
import { SignatureV4 } from "@smithy/signature-v4";
import { type EventDestination, messageAttributes, type OutgoingEvent, type Post } from "./event-destination.ts";

/** SQS and SNS took 256 KiB for years, and other makers' queues still do; attributes count, and ours are shorter than 1 KiB. */
const messageBytesMax = 256 * 1024;
const attributesBytesMax = 1024;
const bodyBytesMax = messageBytesMax - attributesBytesMax;

export function createSqsDestination(
  { queueUrl, region }: SqsDestination,
  credentials: DestinationCredentials["sqs"],
): EventDestination {
  return {
    bodyBytesMax,
    toPost(event) {
      const body = JSON.stringify({
        QueueUrl: queueUrl,
        MessageBody: event.body,
        MessageAttributes: Object.fromEntries(
          Object.entries(messageAttributes(event)).map(([name, text]) => [
            name,
            { DataType: "String", StringValue: text },
          ]),
        ),
        ...(isFifo(queueUrl) ? fifoFields(event) : {}),
      });
      const headers = { "content-type": "application/x-amz-json-1.0", "x-amz-target": "AmazonSQS.SendMessage" };
      const url = new URL("/", queueUrl).href;
      return sign({ url, headers, body }, { service: "sqs", region, credentials, nowMs: event.nowMs });
    },
  };
}

export function createSnsDestination(
  destination: SnsDestination,
  credentials: DestinationCredentials["sns"],
): EventDestination {
  const { topicArn } = destination;
  const { region } = readTopicArn(topicArn)!;
  return {
    bodyBytesMax,
    toPost(event) {
      const attributes = Object.entries(messageAttributes(event)).flatMap(([name, text], at) => {
        const entry = `MessageAttributes.entry.${at + 1}`;
        return [
          [`${entry}.Name`, name],
          [`${entry}.Value.DataType`, "String"],
          [`${entry}.Value.StringValue`, text],
        ];
      });
      const body = new URLSearchParams([
        ...Object.entries({ Action: "Publish", Version: "2010-03-31", TopicArn: topicArn, Message: event.body }),
        ...attributes,
        ...(isFifo(topicArn) ? Object.entries(fifoFields(event)) : []),
      ] as [string, string][]).toString();
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const post = { url: destinationUrl(destination), headers, body };
      return sign(post, { service: "sns", region, credentials, nowMs: event.nowMs });
    },
  };
}

/** An event that is sent again within five minutes is the same message. */
function fifoFields({ group, eventId }: OutgoingEvent) {
  return { MessageGroupId: group, MessageDeduplicationId: eventId };
}

interface SigningParameters {
  readonly service: "sqs" | "sns";
  readonly region: string;
  readonly credentials: DestinationCredentials["sqs"];
  readonly nowMs: number;
}

async function sign(post: Post, { nowMs, ...parameters }: SigningParameters): Promise<Post> {
  const { protocol, hostname, host, port, pathname } = new URL(post.url);
  const request = {
    method: "POST",
    protocol,
    hostname,
    path: pathname,
    query: {},
    ...(port === "" ? {} : { port: Number(port) }),
    headers: { ...post.headers, host },
    body: post.body,
  };
  const signer = new SignatureV4({ ...parameters, sha256: NodeSha256 });
  const { headers } = await signer.sign(request, { signingDate: new Date(nowMs) });
  return { ...post, headers };
}

/** Node's own hash in the shape that the signer takes. */
class NodeSha256 {
  private readonly hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.hash = secret === undefined ? createHash("sha256") : createHmac("sha256", bytesOf(secret));
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.hash.update(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.hash.digest();
  }

  /** The signer makes a new one for each hash. */
  reset(): void {}
}

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof data === "string") return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}
