/** Signed links to files on disk: HMAC-SHA256 over method, key and every parameter of the link. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { SignedPut } from "./storage.ts";
import { assertStorageKey } from "./storage.ts";

export const storagePath = "/storage/";

export type VerifiedLink =
  | {
      readonly kind: "get";
      readonly key: string;
      readonly contentType: string;
      readonly filename: string | undefined;
      readonly expiresAtMs: number;
    }
  | { readonly kind: "put"; readonly key: string; readonly contentType: string; readonly sizeBytes: number }
  | { readonly kind: "expired" }
  | { readonly kind: "forbidden" };

export interface DiskLinks {
  signGet(key: string, link: { expiresAtMs: number; contentType: string; filename?: string }): string;
  signPut(key: string, link: { expiresAtMs: number; contentType: string; sizeBytes: number }): SignedPut;
  /** `pathname` as the request has it. Links are for GET, HEAD or PUT; any other `method` is forbidden. */
  verifyLink(method: string, pathname: string, query: URLSearchParams, nowMs: number): VerifiedLink;
}

export interface DiskLinkSettings {
  /** The address at which clients reach the API; links begin with it. */
  readonly publicUrl: string;
  /** At least 32 bytes each. The first one signs, and all are accepted, so that a key can be rotated without downtime. */
  readonly linkKeys: readonly Buffer[];
}

export function createDiskLinks({ publicUrl, linkKeys }: DiskLinkSettings): DiskLinks {
  const [signingKey] = linkKeys;
  if (signingKey === undefined) throw new RangeError("links need at least one key");
  if (linkKeys.some(({ length }) => length < 32)) throw new RangeError("a link key must have at least 32 bytes");
  const base = publicUrl.replace(/\/$/, "");

  function signedText(method: "GET" | "PUT", key: string, query: URLSearchParams): string {
    const parameters = [...query].filter(([name]) => name !== "signature").sort(([a], [b]) => (a < b ? -1 : 1));
    return JSON.stringify([method, key, parameters]);
  }

  function isSignature(given: Buffer, text: string): boolean {
    return linkKeys.some((linkKey) => {
      const wanted = hmac(linkKey, text);
      return given.length === wanted.length && timingSafeEqual(given, wanted);
    });
  }

  function createLink(method: "GET" | "PUT", key: string, parameters: Record<string, string>): string {
    assertStorageKey(key);
    const query = new URLSearchParams(parameters);
    query.set("signature", hmac(signingKey!, signedText(method, key, query)).toString("base64url"));
    return `${base}${storagePath}${key}?${query}`;
  }

  return {
    signGet(key, { expiresAtMs, contentType, filename }) {
      const parameters = { expires: String(expiresAtMs), type: contentType };
      return createLink("GET", key, filename === undefined ? parameters : { ...parameters, filename });
    },

    signPut(key, { expiresAtMs, contentType, sizeBytes }) {
      const url = createLink("PUT", key, { expires: String(expiresAtMs), type: contentType, size: String(sizeBytes) });
      return { url, method: "PUT", headers: { "Content-Type": contentType } };
    },

    verifyLink(method, pathname, query, nowMs) {
      const signed = method === "PUT" ? "PUT" : method === "GET" || method === "HEAD" ? "GET" : undefined;
      const key = pathname.startsWith(storagePath) ? pathname.slice(storagePath.length) : "";
      const signatures = query.getAll("signature");
      const given = Buffer.from(signatures[0] ?? "", "base64url");
      // One signature in the one spelling that it was given, or none: base64 has several for the same bytes.
      const isOne = signatures.length === 1 && given.toString("base64url") === signatures[0];
      if (signed === undefined || !isOne) return { kind: "forbidden" };
      if (!isSignature(given, signedText(signed, key, query))) return { kind: "forbidden" };
      const expiresAtMs = Number(query.get("expires"));
      if (!(nowMs < expiresAtMs)) return { kind: "expired" };
      const contentType = query.get("type") ?? "application/octet-stream";
      if (signed === "PUT") return { kind: "put", key, contentType, sizeBytes: Number(query.get("size")) };
      return { kind: "get", key, contentType, filename: query.get("filename") ?? undefined, expiresAtMs };
    },
  };
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
