/**
 * Images of a WooCommerce shop's products, by the REST API. A result is put into the library of WordPress, and then at the end of
 * the product's images: the request names those that are there, so that they stay, and their order too. A user with an application
 * password may do both; WooCommerce's own keys may not put a file into the library.
 */
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { contentTypeOfExtension } from "@packshot/domain/file-extension.ts";
import {
  callShop,
  editionOf,
  marked,
  readJson,
  type ShopRequest,
  shopAddress,
  shopPhoto,
  shopSecret,
} from "./call-shop.ts";
import type { Catalog, Delivered, ResultToDeliver } from "./catalog.ts";

interface Image {
  readonly id: number;
  readonly src: string;
  readonly alt: string;
  readonly name: string;
}

interface Product {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  readonly images: readonly Image[];
}

interface Media {
  readonly id: number;
  readonly title?: { readonly rendered: string };
}

type Call = (path: string, request: ShopRequest, signal: AbortSignal) => Promise<Response>;

const productsPerPage = 100;
const read = { isRepeatable: true } as const;

export function createWooCommerceCatalog(shop: string): Catalog {
  const address = shopAddress(shop);
  const user = `${shopSecret("WORDPRESS_USERNAME")}:${shopSecret("WORDPRESS_APPLICATION_PASSWORD")}`;
  const authorization = `Basic ${Buffer.from(user).toString("base64")}`;
  const call: Call = (path, request, signal) =>
    callShop(`${address}/wp-json${path}`, { ...request, headers: { ...request.headers, authorization } }, signal);

  return {
    place: `woocommerce ${address}`,
    async *photos(stop) {
      for (let page = 1, pages = 1; page <= pages; page++) {
        const order = `per_page=${productsPerPage}&page=${page}&orderby=id&order=asc`;
        const answer = await call(`/wc/v3/products?${order}`, read, stop);
        pages = Number(answer.headers.get("x-wp-totalpages") ?? 1);
        for (const product of await readJson<Product[]>(answer)) {
          const editions = new Set(product.images.map(({ alt }) => editionOf(alt)));
          for (const image of product.images) {
            // The theme's placeholder has no number.
            if (image.id === 0 || editionOf(image.alt) !== undefined) continue;
            const name = `${product.slug || product.id}/${image.id}`;
            yield {
              name,
              id: `${address} ${product.id} ${image.id}`,
              version: image.src,
              resultName: name,
              goesTo: `images of ${product.slug || product.id}`,
              source: shopPhoto(image.src),
              look: async ({ edition }) =>
                editions.has(edition) ? { kind: "delivered", name: nameOfImage(product.id, edition) } : undefined,
              deliver: (result) => addImage(call, product, image.alt || product.name, result),
            };
          }
        }
      }
    },
  };
}

function nameOfImage(productId: number, edition: string): string {
  return `image ${edition} of product ${productId}`;
}

/** One product is changed by one request at a time: each names all images, and must not miss one of ours. */
const changing = new Map<number, Promise<unknown>>();

async function addImage(call: Call, product: Product, words: string, result: ResultToDeliver): Promise<Delivered> {
  const added = (changing.get(product.id) ?? Promise.resolve())
    .catch(() => {})
    .then(() => addImageAlone(call, product, words, result));
  changing.set(product.id, added);
  return await added;
}

async function addImageAlone(
  call: Call,
  { id, slug }: Product,
  words: string,
  { path, edition, signal }: ResultToDeliver,
): Promise<Delivered> {
  const name = nameOfImage(id, edition);
  const product = `/wc/v3/products/${id}`;
  const alt = marked(words, edition);
  // An earlier run, which was killed, may have put it into the library.
  const mediaId =
    (await findMedia(call, edition, signal)) ??
    (await putMedia(call, { filename: `${slug || id}-${edition}${extname(path)}`, edition, path }, signal));
  // Read as late as can be: what the shop's people added meanwhile stays.
  const { images } = await readJson<Product>(await call(product, read, signal));
  if (images.some((image) => editionOf(image.alt) === edition)) return { kind: "delivered", name };
  const all = [...images.map((image) => ({ id: image.id })), { id: mediaId, alt }];
  const answer = await call(
    product,
    // Not repeated: meanwhile somebody may have added an image, which this list does not have. The next run tries again.
    {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ images: all }),
      isRepeatable: false,
      triesMax: 1,
    },
    signal,
  );
  await answer.body?.cancel();
  return { kind: "delivered", name };
}

async function findMedia(call: Call, edition: string, signal: AbortSignal): Promise<number | undefined> {
  const answer = await call(`/wp/v2/media?search=packshot-${edition}&per_page=10`, read, signal);
  const found = await readJson<Media[]>(answer);
  return found.find(({ title }) => title?.rendered === `packshot-${edition}`)?.id;
}

interface NewMedia {
  readonly filename: string;
  readonly edition: string;
  readonly path: string;
}

async function putMedia(call: Call, { filename, edition, path }: NewMedia, signal: AbortSignal): Promise<number> {
  const type = contentTypeOfExtension(extname(path));
  const form = new FormData();
  form.append("title", `packshot-${edition}`);
  form.append("file", new Blob([await readFile(path)], { type }), filename);
  const answer = await call("/wp/v2/media", { method: "POST", body: form, isRepeatable: false }, signal);
  return (await readJson<Media>(answer)).id;
}
