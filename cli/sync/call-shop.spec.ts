import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { callShop, readJson } from "./call-shop.ts";
import { CatalogError } from "./catalog.ts";

let server: Server;
afterEach(() => server.close());

test("a page where JSON was asked for is a fault of the place", async () => {
  server = createServer((_request, response) => response.end("<h1>Soon back</h1>"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const answer = await callShop(url, { isRepeatable: true }, new AbortController().signal);
  await expect(readJson(answer)).rejects.toThrow(CatalogError);
});
