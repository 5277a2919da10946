import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { createSeal } from "./seal.ts";

const oldKey = randomBytes(32);
const newKey = randomBytes(48);

it("unseals what it sealed, and never seals the same text alike twice", () => {
  const seal = createSeal({ keys: [oldKey] });
  const sealed = seal.seal("whsec_abc");
  expect(sealed).not.toContain("abc");
  expect(seal.seal("whsec_abc")).not.toBe(sealed);
  expect(seal.unseal(sealed)).toBe("whsec_abc");
});

it("unseals old secrets while a key is rotated, and none once the old key is gone", () => {
  const sealed = createSeal({ keys: [oldKey] }).seal("whsec_abc");
  expect(createSeal({ keys: [newKey, oldKey] }).unseal(sealed)).toBe("whsec_abc");
  expect(() => createSeal({ keys: [newKey] }).unseal(sealed)).toThrow("not configured");
});

it("refuses a changed byte", () => {
  const seal = createSeal({ keys: [oldKey] });
  const sealed = seal.seal("whsec_abc");
  const [version, id, payload] = sealed.split(".");
  const bytes = Buffer.from(payload!, "base64url");
  bytes[bytes.length - 1]! ^= 1;
  expect(() => seal.unseal([version, id, bytes.toString("base64url")].join("."))).toThrow();
});
