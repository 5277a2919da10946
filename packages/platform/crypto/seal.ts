/** Seals secrets that must be recoverable (webhook signing): AES-256-GCM under the operator's master key. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

export interface Seal {
  seal(plain: string): string;
  /** Throws when no key opens it, or a byte was changed. */
  unseal(sealed: string): string;
  /** Whether it is sealed under the first key. */
  isFirst(sealed: string): boolean;
  /** How many there are: more than one while a key is rotated. */
  readonly keys: number;
}

/** The first key seals. Every key unseals, so that a key can be rotated without downtime. */
export function createSeal({ keys }: { keys: readonly Buffer[] }): Seal {
  const ring = keys.map((key) => {
    const bytes = key.length === 32 ? key : createHash("sha256").update(key).digest();
    return { bytes, id: createHash("sha256").update(bytes).digest("hex").slice(0, 8) };
  });
  const [writer] = ring;
  if (writer === undefined) throw new RangeError("a seal needs at least one key");

  return {
    keys: ring.length,
    isFirst: (sealed) => sealed.split(".")[1] === writer.id,

    seal(plain) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", writer.bytes, nonce);
      const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return `v1.${writer.id}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url")}`;
    },

    unseal(sealed) {
      const [version, id, payload] = sealed.split(".");
      const key = ring.find((candidate) => candidate.id === id);
      if (version !== "v1" || key === undefined || payload === undefined)
        throw new Error("sealed under a key that is not configured");
      const bytes = Buffer.from(payload, "base64url");
      const decipher = createDecipheriv("aes-256-gcm", key.bytes, bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
    },
  };
}
