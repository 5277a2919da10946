import { type BucketConnection, connectionWrite } from "@packshot/domain/connections/bucket-connection.ts";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { createSeal } from "@packshot/platform/crypto/seal.ts";
import { parseAllowList } from "@packshot/platform/outbound/address-guard.ts";
import { expect, test } from "vitest";
import { startLog } from "../../../../testing/log/test-log.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";
import { type ConnectionUpdate, readConnection, updateConnection } from "./connection-actions.ts";

const log = suiteFixture(startLog);
const seal = createSeal({ keys: [Buffer.alloc(32, 7)] });
const keys = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" };

async function storedConnection() {
  const realm = { accountId: uuidv7(), live: true } as const;
  const time = "2026-11-26T00:00:00.000Z" as BucketConnection["createdAt"];
  const connection: BucketConnection = {
    ...({ v: 1, id: uuidv7(), ...realm, name: "shop", prefix: "", forcePathStyle: true } as const),
    endpoint: "https://s3.shop.example",
    region: "eu-central-1",
    bucket: "photos",
    sealedCredentials: seal.seal(JSON.stringify(keys)),
    accessKeyIdEnd: "MPLE",
    createdAt: time,
    updatedAt: time,
  };
  await log.commit("test", [connectionWrite(connection, connection, 0)]);
  const ref = { realm, connectionId: connection.id };
  const deps = { log, seal, allow: parseAllowList(""), nowMs: Date.now };
  return {
    connection,
    update: (update: ConnectionUpdate) => updateConnection(deps, { ...ref, update }),
    read: async () => (await readConnection({ log }, ref)).value,
  };
}

test.each([{ endpoint: "https://s3.thief.example" }, { bucket: "others" }])(
  "credentials do not go to another place: %j is refused without them",
  async (moved) => {
    const { connection, update, read } = await storedConnection();
    await expect(update(moved)).rejects.toMatchObject({
      code: "invalid_request",
      details: { field: "secretAccessKey" },
      message: expect.stringContaining("credentials"),
    });
    await expect(update({ ...moved, accessKeyId: keys.accessKeyId })).rejects.toMatchObject({
      code: "invalid_request",
    });
    expect(await read()).toEqual(connection);
    expect(await update({ ...moved, ...keys })).toMatchObject(moved);
  },
);

test("what leads to the same bucket keeps the credentials", async () => {
  const { connection, update } = await storedConnection();
  const { endpoint, bucket, sealedCredentials } = connection;
  const changed = await update({ endpoint, bucket, region: "auto", prefix: "web", forcePathStyle: true });
  expect(changed).toMatchObject({ endpoint, bucket, region: "auto", prefix: "web/", sealedCredentials });
});
