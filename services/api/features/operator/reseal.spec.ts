import { randomBytes } from "node:crypto";
import { type BucketConnection, connectionWrite } from "@packshot/domain/connections/bucket-connection.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Webhook } from "@packshot/domain/webhooks/webhook.ts";
import { createSeal } from "@packshot/platform/crypto/seal.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { expect, it } from "vitest";
import { startLog } from "../../../../testing/log/test-log.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";
import { registerWebhook } from "../../../../testing/webhooks/webhook-records.ts";
import { masterKey } from "../../../../testing/webhooks/webhook-service.ts";
import { sealCredentials } from "../connections/find-connection.ts";
import { createResealer, resealSecrets } from "./reseal.ts";

const log = suiteFixture(startLog);
const logger = createLogger({ name: "reseal.spec", level: "silent" });
const newKey = randomBytes(32);
const never = new AbortController().signal;

async function secretsOf({ accountId, id }: Webhook): Promise<Webhook["secrets"]> {
  return (await log.read<Webhook>(subjects.webhook(accountId, id))).value!.secrets;
}

it("seals every webhook's secrets under the first key, so that the older key can be removed", async () => {
  const made = await Promise.all([1, 2, 3].map(() => registerWebhook(log, uuidv7(), "https://shop.example/hook")));
  const seal = createSeal({ keys: [newKey, masterKey] });
  expect(await resealSecrets({ log, seal, logger }, never)).toBe(3);
  const afterRotation = createSeal({ keys: [newKey] });
  for (const { webhook, secret } of made) {
    expect((await secretsOf(webhook)).map(({ sealed }) => afterRotation.unseal(sealed))).toEqual([secret]);
  }
  expect(await resealSecrets({ log, seal, logger }, never)).toBe(0);
});

it("does so by itself while there is more than one key, and nothing with one", async () => {
  const { webhook, secret } = await registerWebhook(log, uuidv7(), "https://shop.example/hook");
  const [before] = await secretsOf(webhook);
  const idle = createResealer({ log, seal: createSeal({ keys: [newKey] }), logger, everyMs: 1 });
  await idle.start();
  await idle.stop();
  expect(await secretsOf(webhook)).toEqual([before]);
  const resealer = createResealer({ log, seal: createSeal({ keys: [newKey, masterKey] }), logger, everyMs: 1 });
  await resealer.start();
  const afterRotation = createSeal({ keys: [newKey] });
  await expect
    .poll(async () => (await secretsOf(webhook)).every(({ sealed }) => afterRotation.isFirst(sealed)))
    .toBe(true);
  await resealer.stop();
  expect(afterRotation.unseal((await secretsOf(webhook))[0]!.sealed)).toBe(secret);
});

it("seals the credentials of queues and topics under the first key, whatever key its secrets have", async () => {
  const older = createSeal({ keys: [masterKey] });
  const place = { kind: "kafka", url: "https://kafka.example", topic: "t", clusterId: null, username: "u" } as const;
  const destination = { ...place, sealedCredentials: older.seal('{"password":"p"}') };
  const { webhook } = await registerWebhook(log, uuidv7(), place.url, { destination, secrets: [] });
  const { accountId, id } = webhook;
  const seal = createSeal({ keys: [newKey, masterKey] });
  expect(await resealSecrets({ log, seal, logger }, never)).toBe(1);
  const { value } = await log.read<Webhook>(subjects.webhook(accountId, id));
  expect(value!.destination).toMatchObject(place);
  const afterRotation = createSeal({ keys: [newKey] });
  expect(afterRotation.unseal(value!.destination!.sealedCredentials)).toBe('{"password":"p"}');
});

it("seals the credentials of connections under the first key too", async () => {
  const older = createSeal({ keys: [masterKey] });
  const credentials = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "secret" };
  const connection: BucketConnection = {
    v: 1,
    id: uuidv7(),
    accountId: uuidv7(),
    live: true,
    name: "shop",
    bucket: "photos",
    prefix: "",
    endpoint: "https://s3.shop.example",
    region: "auto",
    forcePathStyle: true,
    accessKeyIdEnd: "MPLE",
    createdAt: "2026-11-22T00:00:00.000Z",
    updatedAt: "2026-11-22T00:00:00.000Z",
    sealedCredentials: sealCredentials(older, credentials),
  };
  await log.commit("test", [connectionWrite(connection, connection, 0)]);
  expect(await resealSecrets({ log, seal: createSeal({ keys: [newKey, masterKey] }), logger }, never)).toBe(1);
  const { value } = await log.read<BucketConnection>(subjects.connection(connection.accountId, connection.id));
  const { sealedCredentials, ...rest } = value!;
  expect({ ...rest, sealedCredentials: connection.sealedCredentials }).toEqual(connection);
  expect(JSON.parse(createSeal({ keys: [newKey] }).unseal(sealedCredentials))).toEqual(credentials);
});
