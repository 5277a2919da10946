/** What a hostile client sends, and the answers that are right. */
import type { Random } from "@packshot/domain/random.ts";
import type { HostileClient } from "./hostile-client.ts";

export interface Attack {
  readonly name: string;
  /** `400 invalid_request`; of an edit `200 completed`, `200 failed no_product_found`; without an answer `closed`. */
  readonly right: readonly string[];
  /** Resolves with the answer in the words of `right`. */
  send(client: HostileClient): Promise<string>;
}

/** What attacks aim at, besides the paths of the API. */
export interface Target {
  /** Path and query of a signed link to a result of the account. */
  readonly resultPath: string;
  /** A job of another account. */
  readonly strangersJobId: string;
  /** A key of the account that may read jobs and nothing else. */
  readonly readingKey: string;
  /** A web server whose answers are as its paths say, and from which photos may be fetched. */
  readonly siteUrl: string;
  /** `host:port` of a server that answers as none should. */
  readonly answerAddress: string;
  /** An ordinary photo, and others by their kind. */
  readonly photo: Buffer;
  readonly photos: Readonly<Record<string, Buffer>>;
}

export const refused = ["400 invalid_request"];

export function noise(random: Random, bytes: number): Buffer {
  return Buffer.from(Array.from({ length: bytes }, () => random.integer(0, 255)));
}
