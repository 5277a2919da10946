/**
 * A Shopify shop on loopback: Shopify's own schema of the Admin API, as its npm package for assistants has it, executed by graphql-js
 * with resolvers of ours. So a query that Shopify would refuse is refused here.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { shopifyVersion } from "../../cli/sync/shopify-queries.ts";

/** Each is one file or folder of a package, which is checked and kept in `.cache/`. Their other files and dependencies are not wanted. */
const packages = {
  schema: {
    name: "@shopify/dev-mcp@1.16.0",
    integrity: "sha512-tqgRnK7sQhjew+htxtleTH23nXB5fZcsrhWgEkomsorGXvLOB2mh2upwZm8uzuTDNTZnqtLMe64yIwh6s2awtw==",
    keep: `package/dist/data/admin_${shopifyVersion}.json.gz`,
  },
  graphql: {
    name: "graphql@16.15.0",
    integrity: "sha512-32kz9FecohDiC/tgcViwnRXM7HFBVTPiW7pHO+DikKOI5KjhU/jNULOReXsrFqt2WAYbE9xFXsTffJw6iTO8qw==",
    keep: "package",
  },
} as const;

const setupTimeoutMs = 240_000;

function unpacked({ name, integrity, keep }: (typeof packages)[keyof typeof packages]): string {
  const key = createHash("sha256").update(`${integrity} ${keep}`).digest("hex").slice(0, 12);
  // The linter looks into no folder of that name.
  const home = fileURLToPath(new URL(`../../.cache/shopify/node_modules/${key}`, import.meta.url));
  if (existsSync(home)) return join(home, keep);
  const making = `${home}.part`;
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { recursive: true });
  const pack = ["pack", name, "--ignore-scripts", "--silent", "--pack-destination", making];
  const file = execFileSync("npm", pack, { encoding: "utf8", timeout: setupTimeoutMs }).trim().split("\n").at(-1)!;
  const bytes = readFileSync(join(making, file));
  const found = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  if (found !== integrity) throw new Error(`${name} has other bytes than are recorded: ${found}`);
  execFileSync("tar", ["-xzf", file, keep], { cwd: making });
  rmSync(join(making, file));
  renameSync(making, home);
  return join(home, keep);
}

export interface ShopMedia {
  readonly __typename: "MediaImage" | "Video";
  readonly id: string;
  alt: string | null;
  readonly status: "READY" | "PROCESSING";
  image?: { url: string };
}

export interface ShopProduct {
  readonly id: string;
  readonly title: string;
  readonly handle: string;
  readonly media: ShopMedia[];
}

export interface TestShopify {
  readonly url: string;
  readonly token: string;
  readonly products: ShopProduct[];
  /** Names of the operations, as they came. */
  readonly operations: string[];
  /** By the path of the image's address. */
  readonly photos: Map<string, Buffer>;
  /** Addresses of images, as they were fetched. */
  readonly fetches: string[];
  /** The next so many operations find the shop's points used up. */
  throttle(operations: number): void;
  stop(): Promise<void>;
}

const pointsPerSecond = 1_000;

export async function startShopify(): Promise<TestShopify> {
  const { buildClientSchema, graphql, parse } = await import(
    pathToFileURL(join(unpacked(packages.graphql), "index.mjs")).href
  );
  const introspection = JSON.parse(gunzipSync(readFileSync(unpacked(packages.schema))).toString());
  const schema = buildClientSchema(introspection.data ?? introspection);
  const token = "shpat_of-the-tests";
  const products: ShopProduct[] = [];
  const operations: string[] = [];
  const photos = new Map<string, Buffer>();
  const fetches: string[] = [];
  let throttled = 0;
  let uploads = 0;

  const server = createServer((request, response) => void answer(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const asNode = (product: ShopProduct) => ({ ...product, media: (page: Page) => connection(product.media, page) });
  const resolvers = {
    products: (page: Page) => connection(products.map(asNode), page),
    product: ({ id }: { id: string }) => products.filter((product) => product.id === id).map(asNode)[0] ?? null,
    stagedUploadsCreate({ input }: { input: readonly { filename: string }[] }) {
      const stagedTargets = input.map(({ filename }) => ({
        url: `${url}/upload`,
        resourceUrl: `${url}/staged/${filename}`,
        parameters: [{ name: "key", value: filename }],
      }));
      return { stagedTargets, userErrors: [] };
    },
    productUpdate({ product: { id }, media }: { product: { id: string }; media: readonly Record<string, string>[] }) {
      const product = products.find((each) => each.id === id)!;
      for (const { alt, originalSource } of media) {
        const path = new URL(originalSource!).pathname;
        if (!photos.has(path)) return { product: null, userErrors: [{ message: "Nothing was uploaded" }] };
        uploads += 1;
        const fields = { id: `gid://shopify/MediaImage/9${uploads}`, alt: alt!, image: { url: url + path } };
        product.media.push({ __typename: "MediaImage", status: "READY", ...fields });
      }
      return { product: asNode(product), userErrors: [] };
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url: path = "/", headers } = request;
    const body = Buffer.concat(await request.toArray());
    if (method === "GET" || method === "HEAD") {
      if (method === "GET") fetches.push(path);
      const photo = photos.get(path.split("?")[0]!) ?? Buffer.of();
      response.setHeader("etag", `"${createHash("sha256").update(photo).digest("hex")}"`);
      return void response.end(photo);
    }
    if (path === "/upload") {
      const form = await new Response(body, { headers: { "content-type": headers["content-type"]! } }).formData();
      photos.set(`/staged/${form.get("key")}`, Buffer.from(await (form.get("file") as File).arrayBuffer()));
      return void response.writeHead(201).end();
    }
    if (path !== `/admin/api/${shopifyVersion}/graphql.json`) return void response.writeHead(404).end();
    if (headers["x-shopify-access-token"] !== token) return void response.writeHead(401).end();
    const { query, variables } = JSON.parse(body.toString());
    operations.push(parse(query).definitions[0].name.value);
    response.setHeader("content-type", "application/json");
    if (throttled > 0) {
      throttled -= 1;
      const throttleStatus = { maximumAvailable: 2_000, currentlyAvailable: 40, restoreRate: pointsPerSecond };
      const cost = { requestedQueryCost: 50, actualQueryCost: null, throttleStatus };
      const errors = [{ message: "Throttled", extensions: { code: "THROTTLED" } }];
      return void response.end(JSON.stringify({ errors, extensions: { cost } }));
    }
    response.end(
      JSON.stringify(await graphql({ schema, source: query, rootValue: resolvers, variableValues: variables })),
    );
  }

  return {
    url,
    token,
    products,
    operations,
    photos,
    fetches,
    throttle(count) {
      throttled = count;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Page {
  readonly first: number;
  readonly after?: string | null;
}

function connection<T>(all: readonly T[], { first, after }: Page) {
  const from = Number(after ?? 0);
  const nodes = all.slice(from, from + first);
  const end = from + nodes.length;
  return { nodes, pageInfo: { hasNextPage: end < all.length, endCursor: nodes.length === 0 ? null : String(end) } };
}
