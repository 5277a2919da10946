/** A WooCommerce shop on loopback: products, images and the library of WordPress, in the shapes of the public references. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface WooImage {
  readonly id: number;
  readonly src: string;
  readonly name: string;
  readonly alt: string;
  readonly date_modified_gmt: string;
}

export interface WooProduct {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  images: WooImage[];
}

export interface TestWooCommerce {
  readonly url: string;
  readonly user: { readonly name: string; readonly password: string };
  readonly products: WooProduct[];
  /** By the path of the image's address. */
  readonly photos: Map<string, Buffer>;
  /** Method and path of each request for the API, as they came. */
  readonly requests: string[];
  /** Answers the next request for which it says something with that status. */
  setFault(fault: (line: string) => number | undefined): void;
  stop(): Promise<void>;
}

const noFault = () => undefined;

export async function startWooCommerce(): Promise<TestWooCommerce> {
  const user = { name: "packshot", password: "abcd EFGH 1234 ijkl" };
  const products: WooProduct[] = [];
  const photos = new Map<string, Buffer>();
  const requests: string[] = [];
  const library: { id: number; title: string; src: string }[] = [];
  let fault: (line: string) => number | undefined = noFault;

  const server = createServer((request, response) => void answer(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const expected = `Basic ${Buffer.from(`${user.name}:${user.password}`).toString("base64")}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, headers } = request;
    const { pathname, searchParams } = new URL(request.url!, url);
    const body = Buffer.concat(await request.toArray());
    if (!pathname.startsWith("/wp-json/")) return void response.end(photos.get(pathname));
    const line = `${method} ${pathname.slice("/wp-json".length)}`;
    requests.push(line);
    const send = (value: unknown, more = {}) =>
      void response.writeHead(200, { "content-type": "application/json", ...more }).end(JSON.stringify(value));
    const status = headers.authorization === expected ? fault(line) : 401;
    if (status !== undefined) {
      fault = noFault;
      return void response.writeHead(status, { "retry-after": "1" }).end("{}");
    }
    if (line === "GET /wc/v3/products") {
      const size = Number(searchParams.get("per_page"));
      const page = Number(searchParams.get("page"));
      const pages = String(Math.max(1, Math.ceil(products.length / size)));
      return send(products.slice((page - 1) * size, page * size), { "x-wp-totalpages": pages });
    }
    if (line === "GET /wp/v2/media") {
      const found = library.filter(({ title }) => title.includes(searchParams.get("search")!));
      return send(found.map(({ id, title }) => ({ id, title: { rendered: title } })));
    }
    if (line === "POST /wp/v2/media") {
      const form = await new Response(body, { headers: { "content-type": headers["content-type"]! } }).formData();
      const file = form.get("file") as File;
      const entry = { id: 900 + library.length, title: String(form.get("title")), src: `${url}/library/${file.name}` };
      photos.set(`/library/${file.name}`, Buffer.from(await file.arrayBuffer()));
      library.push(entry);
      return send({ id: entry.id });
    }
    const product = products.find(({ id }) => pathname === `/wp-json/wc/v3/products/${id}`);
    if (product === undefined) return void response.writeHead(404).end("{}");
    if (method === "PUT") product.images = readImages(product, JSON.parse(body.toString()).images);
    send(product);
  }

  /** Those that are not named are gone, as in WooCommerce. */
  function readImages({ images }: WooProduct, given: readonly { id: number; alt?: string }[]): WooImage[] {
    return given.map(({ id, alt }) => {
      const known = images.find((image) => image.id === id);
      if (known !== undefined) return { ...known, ...(alt !== undefined && { alt }) };
      const { src, title } = library.find((entry) => entry.id === id)!;
      return { id, src, name: title, alt: alt ?? "", date_modified_gmt: "2026-11-28T00:00:00" };
    });
  }

  return {
    url,
    user,
    products,
    photos,
    requests,
    setFault(next) {
      fault = next;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
