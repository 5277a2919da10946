/**
 * Images of a Shopify shop's products, by its GraphQL Admin API. A result becomes a further media of the product: nothing is
 * replaced or deleted. The end of its alt text says of what it was made, so that no later run edits it, or adds it twice.
 */
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { contentTypeOfExtension } from "@packshot/domain/file-extension.ts";
import { pause } from "@packshot/platform/flow/pause.ts";
import { callShop, editionOf, marked, readJson, shopAddress, shopPhoto, shopSecret } from "./call-shop.ts";
import { type Catalog, CatalogError, type Delivered, type ResultToDeliver } from "./catalog.ts";
import {
  type AddMediaAnswer,
  addMediaMutation,
  type MediaPage,
  type ProductMediaAnswer,
  type ProductsAnswer,
  productMediaQuery,
  productsQuery,
  type StagedUploadAnswer,
  shopifyVersion,
  stagedUploadMutation,
} from "./shopify-queries.ts";

type Ask = <T>(query: string, variables: object, signal: AbortSignal) => Promise<T>;

export function createShopifyCatalog(shop: string): Catalog {
  const address = shopAddress(shop);
  const ask = createAsk(`${address}/admin/api/${shopifyVersion}/graphql.json`, shopSecret("SHOPIFY_ACCESS_TOKEN"));

  return {
    place: `shopify ${address}`,
    async *photos(stop) {
      for (let after: string | null = null; ; ) {
        const { products }: ProductsAnswer = await ask<ProductsAnswer>(productsQuery, { after }, stop);
        for (const { id: productId, title, handle, media } of products.nodes) {
          const all = await Array.fromAsync(allMedia(ask, productId, media, stop));
          const editions = new Set(all.map(({ alt }) => editionOf(alt)));
          for (const { id, alt, status, image } of all) {
            if (status !== "READY" || !image || editionOf(alt) !== undefined) continue;
            const number = id.slice(id.lastIndexOf("/") + 1);
            yield {
              name: `${handle}/${number}`,
              // One image may belong to several products.
              id: `${productId} ${id}`,
              version: image.url,
              resultName: `${handle}/${number}`,
              goesTo: `media of ${handle}`,
              source: shopPhoto(image.url),
              look: async ({ edition }) =>
                editions.has(edition) ? { kind: "delivered", name: nameOfMedia(productId, edition) } : undefined,
              deliver: (result) => addMedia(ask, { productId, handle, words: alt || title }, result),
            };
          }
        }
        if (!products.pageInfo.hasNextPage) return;
        after = products.pageInfo.endCursor;
      }
    },
  };
}

async function* allMedia(
  ask: Ask,
  id: string,
  first: MediaPage,
  signal: AbortSignal,
): AsyncGenerator<MediaPage["nodes"][number], void> {
  for (let page = first; ; ) {
    yield* page.nodes;
    if (!page.pageInfo.hasNextPage) return;
    const { product } = await ask<ProductMediaAnswer>(
      productMediaQuery,
      { id, after: page.pageInfo.endCursor },
      signal,
    );
    // It was deleted meanwhile.
    if (product === null) return;
    page = product.media;
  }
}

function nameOfMedia(productId: string, edition: string): string {
  return `media ${edition} of ${productId}`;
}

interface Target {
  readonly productId: string;
  readonly handle: string;
  readonly words: string;
}

async function addMedia(
  ask: Ask,
  { productId, handle, words }: Target,
  { path, edition, signal }: ResultToDeliver,
): Promise<Delivered> {
  const name = nameOfMedia(productId, edition);
  const before = { nodes: [], pageInfo: { hasNextPage: true, endCursor: null } };
  for await (const { alt } of allMedia(ask, productId, before, signal)) {
    if (editionOf(alt) === edition) return { kind: "delivered", name };
  }
  const originalSource = await upload(ask, `${handle}-${edition}${extname(path)}`, path, signal);
  const media = [{ alt: marked(words, edition), mediaContentType: "IMAGE", originalSource }];
  const { productUpdate } = await ask<AddMediaAnswer>(addMediaMutation, { id: productId, media }, signal);
  refuseUserErrors(productUpdate.userErrors);
  return { kind: "delivered", name };
}

async function upload(ask: Ask, filename: string, path: string, signal: AbortSignal): Promise<string> {
  const bytes = await readFile(path);
  const mimeType = contentTypeOfExtension(extname(path));
  const file = { resource: "IMAGE", filename, mimeType, fileSize: String(bytes.length), httpMethod: "POST" };
  const { stagedUploadsCreate } = await ask<StagedUploadAnswer>(stagedUploadMutation, { input: [file] }, signal);
  refuseUserErrors(stagedUploadsCreate.userErrors);
  const target = stagedUploadsCreate.stagedTargets?.[0];
  if (target === undefined) throw new CatalogError("Shopify named no place for the result.");
  const form = new FormData();
  for (const { name, value } of target.parameters) form.append(name, value);
  form.append("file", new Blob([bytes], { type: mimeType }), filename);
  const answer = await callShop(target.url, { method: "POST", body: form, isRepeatable: true }, signal);
  await answer.body?.cancel();
  return target.resourceUrl;
}

function refuseUserErrors([first]: readonly { readonly message: string }[]): void {
  if (first !== undefined) throw new CatalogError(`Shopify does not take it: ${first.message}`);
}

interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
  readonly extensions?: {
    readonly cost?: { readonly requestedQueryCost: number; readonly throttleStatus: ThrottleStatus };
  };
}

interface ThrottleStatus {
  readonly currentlyAvailable: number;
  /** Points a second. */
  readonly restoreRate: number;
}

const throttledMax = 20;
/** Where the answer does not say what is left. */
const throttledPauseMs = 2_000;

/** The shop's bucket of points is shared with all of its apps: who was throttled waits until its query is affordable. */
function createAsk(url: string, token: string): Ask {
  const headers = { "content-type": "application/json", "x-shopify-access-token": token };
  return async <T>(query: string, variables: object, signal: AbortSignal) => {
    const isRepeatable = query.startsWith("query");
    for (let throttled = 0; ; throttled++) {
      const body = JSON.stringify({ query, variables });
      const answer = await callShop(url, { method: "POST", headers, body, isRepeatable }, signal);
      const { data, errors = [], extensions } = await readJson<Answer>(answer);
      const [error] = errors;
      if (error === undefined && data) return data as T;
      if (error?.extensions?.code !== "THROTTLED" || throttled === throttledMax)
        throw new CatalogError(`Shopify does not do it: ${error?.message ?? "it answered nothing"}.`);
      await pause(untilAffordableMs(extensions?.cost), signal);
      signal.throwIfAborted();
    }
  };
}

function untilAffordableMs(cost: NonNullable<Answer["extensions"]>["cost"]): number {
  if (cost === undefined) return throttledPauseMs;
  const { currentlyAvailable, restoreRate } = cost.throttleStatus;
  return Math.max(0, (1000 * (cost.requestedQueryCost - currentlyAvailable)) / restoreRate);
}
