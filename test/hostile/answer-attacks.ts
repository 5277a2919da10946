/** Buckets and receivers of webhooks that answer as none should. Each attack removes what it has made. */
import type { Random } from "@packshot/domain/random.ts";
import { unfetched } from "./address-attacks.ts";
import type { Attack, Target } from "./attack.ts";
import { type AnswerName, acceptedAnswers, answerNames } from "./hostile-answers.ts";
import { describe, type HostileClient } from "./hostile-client.ts";

const headers = { "Content-Type": "application/json" };
const post = (client: HostileClient, path: string, order: object = {}) =>
  client.request({ method: "POST", path, headers, body: Buffer.from(JSON.stringify(order)) });

/** Each answer once, then at random. */
const answersFor = (random: Random, count: number): AnswerName[] =>
  Array.from({ length: count }, (_none, n) => answerNames[n] ?? random.pick(answerNames));

/** A connection is tried, and a photo is taken from there. */
export function bucketAnswerAttacks(random: Random, count: number, { answerAddress }: Target): Attack[] {
  return answersFor(random, count).map(
    (name, n): Attack => ({
      name: `a bucket that answers ${name}`,
      right: unfetched.map((end) => `200 not ok, ${end}`),
      async send(client) {
        const connection = {
          name: `answers-${n}`,
          endpoint: `http://${answerAddress}`,
          region: "us-east-1",
          bucket: name,
          forcePathStyle: true,
          accessKeyId: "AKIAIOSFODNN7EXAMPLE",
          secretAccessKey: "s".repeat(40),
        };
        const made = await post(client, "/v1/connections", connection);
        if (made.status !== 201) return describe(made);
        const path = `/v1/connections/${made.body.id}`;
        const tested = await client.request({ method: "POST", path: `${path}/test` });
        const imageUrl = `s3://${connection.name}/photo.jpg`;
        const end = await client.edit({ headers, body: Buffer.from(JSON.stringify({ imageUrl })) });
        await client.request({ method: "DELETE", path });
        return `${describe(tested)} ${tested.body?.ok === false ? "not ok" : "ok"}, ${end}`;
      },
    }),
  );
}

/** A webhook is registered there, and gets a test event. */
export function receiverAnswerAttacks(random: Random, count: number, { answerAddress }: Target): Attack[] {
  return answersFor(random, count).map(
    (name): Attack => ({
      name: `a receiver that answers ${name}`,
      right: [acceptedAnswers.has(name) ? "succeeded" : "not succeeded"],
      async send(client) {
        const made = await post(client, "/v1/webhooks", { url: `http://${answerAddress}/${name}` });
        if (made.status !== 201) return describe(made);
        const path = `/v1/webhooks/${made.body.id}`;
        const tested = await client.request({ method: "POST", path: `${path}/test` });
        if (tested.status !== 202) return describe(tested);
        const outcome = await firstOutcome(client, path);
        await client.request({ method: "DELETE", path });
        return outcome;
      },
    }),
  );
}

/** Asks until the first attempt is recorded. */
async function firstOutcome(client: HostileClient, path: string): Promise<string> {
  for (;;) {
    const listed = await client.request({ method: "GET", path: `${path}/deliveries` });
    if (listed.status !== 200) return describe(listed);
    const [delivery] = listed.body.data;
    if (delivery !== undefined && delivery.attempts.length > 0)
      return delivery.status === "succeeded" ? "succeeded" : "not succeeded";
  }
}
