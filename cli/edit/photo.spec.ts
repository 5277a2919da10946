import { expect, test } from "vitest";
import { photoAddress } from "./photo.ts";

const signed =
  "https://user:word@shop.example/shelf/mug%20red.jpg?X-Amz-Credential=AKIA1%2F20261126&X-Amz-Signature=c0ffee/tail";

test("nothing of an address's query or password is in a photo's names", () => {
  const { address, ...names } = photoAddress(signed);
  expect(address).toBe(signed);
  expect(JSON.stringify(names)).not.toMatch(/X-Amz|AKIA|c0ffee|tail|user|word/);
  expect(names).toMatchObject({
    name: "https://shop.example/shelf/mug%20red.jpg?…",
    resultName: "mug red",
    label: "mug red.jpg",
  });
});

test("addresses that differ by their query are different photos, and the same one is the same in each run", () => {
  const a = photoAddress(`${signed}a`);
  const b = photoAddress(`${signed}b`);
  const again = photoAddress(`${signed}a`);
  expect([a.id === b.id, a.fingerprint === b.fingerprint]).toEqual([false, false]);
  expect([again.id, again.fingerprint]).toEqual([a.id, a.fingerprint]);
});

test("the key of a bucket may have any character, and carries no secret", () => {
  const address = "s3://shop/shelf/mug?1.jpg";
  expect(photoAddress(address)).toMatchObject({ name: address, id: address, fingerprint: address });
});
