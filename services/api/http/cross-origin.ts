/**
 * Lets web pages of other origins send requests and read responses (CORS, of the Fetch standard). Keys travel in a header
 * that the page itself sets, and no cookie is involved, so credentials are never allowed.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { OpenapiDocument } from "./openapi-document.ts";

const preflightMaxAgeSeconds = 3_600;
export const anyOrigin = "*";

export interface CrossOriginAccess {
  readonly methods: readonly string[];
  /** That a page may send. */
  readonly requestHeaders: readonly string[];
  /** That a page may read, beside those that every page may. */
  readonly responseHeaders: readonly string[];
}

export interface CrossOrigin {
  /** Writes the headers of a response. True: the request was a preflight, which they answer. */
  allow(request: IncomingMessage, response: ServerResponse): boolean;
}

/** `origins`: as browsers send them, or `*` alone. */
export function createCrossOrigin(origins: readonly string[], access: CrossOriginAccess): CrossOrigin {
  const allowsAny = origins.includes(anyOrigin);
  const methods = access.methods.join(", ");
  const requestHeaders = access.requestHeaders.join(", ");
  const responseHeaders = access.responseHeaders.join(", ");
  return {
    allow({ method, headers }, response) {
      // A cache must not give one origin's response to another.
      if (!allowsAny) response.appendHeader("Vary", "Origin");
      const { origin } = headers;
      if (origin === undefined && !allowsAny) return false;
      if (!allowsAny && !origins.includes(origin!)) return false;
      response.setHeader("Access-Control-Allow-Origin", allowsAny ? anyOrigin : origin!);
      if (method === "OPTIONS" && headers["access-control-request-method"] !== undefined) {
        response.setHeader("Access-Control-Allow-Methods", methods);
        response.setHeader("Access-Control-Allow-Headers", requestHeaders);
        response.setHeader("Access-Control-Max-Age", String(preflightMaxAgeSeconds));
        return true;
      }
      response.setHeader("Access-Control-Expose-Headers", responseHeaders);
      return false;
    },
  };
}

interface Parameter {
  readonly name?: string;
  readonly in?: string;
}

/** What pages may send and read of the operations of documents: whatever they document. */
export function accessOf(...documents: readonly OpenapiDocument[]): CrossOriginAccess {
  const requestHeaders = new Set(["Authorization", "Content-Type", "Last-Event-ID"]);
  const responseHeaders = new Set<string>();
  for (const { paths, components } of documents) {
    visit({ paths, components }, (name, value) => {
      if (name === "headers") for (const header of Object.keys(value)) responseHeaders.add(header);
      const { in: place, name: parameter } = value as Parameter;
      if (place === "header" && typeof parameter === "string") requestHeaders.add(parameter);
    });
  }
  return {
    methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
    requestHeaders: [...requestHeaders],
    responseHeaders: [...responseHeaders],
  };
}

/** Examples and schemas may have members of the same names. */
const unrelated: ReadonlySet<string> = new Set(["schema", "schemas", "example", "examples"]);

function visit(node: object, see: (name: string, value: object) => void): void {
  for (const [name, value] of Object.entries(node)) {
    if (typeof value !== "object" || value === null || unrelated.has(name)) continue;
    see(name, value);
    visit(value, see);
  }
}
