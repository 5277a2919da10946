/** Connections to customers' buckets, and the links that workers get to them. */
import type { Core, Feature } from "../../core/core.ts";
import { createLinkAnswers } from "./answer-links.ts";
import { type BucketLinks, createBucketLinks } from "./bucket-links.ts";
import { connectionHandlers } from "./connections.ts";

export function createConnections(core: Core): { links: BucketLinks } & Feature {
  const links = createBucketLinks(core);
  return {
    links,
    handlers: connectionHandlers({ ...core, allow: core.allowConnections }),
    components: [createLinkAnswers({ ...core, links })],
  };
}
