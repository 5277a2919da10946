import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { namedThemes } from "@packshot/domain/edits/themes.ts";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { openAccount } from "../../../../testing/api/accounts.ts";
import { startApis } from "../../../../testing/api/api-processes.ts";
import { apiClient, type ContractClient } from "../../../../testing/api/contract-client.ts";
import { suiteFixture } from "../../../../testing/suite-fixture.ts";
import { picturesFolder } from "./themes.ts";

const apis = suiteFixture(startApis);
let client: ContractClient;

beforeAll(async () => {
  const api = apis.all[0]!;
  client = apiClient(api.url, (await openAccount(api)).key);
});

test("every theme has a small picture, and no picture is without its theme", async () => {
  const names = readdirSync(picturesFolder).toSorted();
  expect(names).toEqual(namedThemes.map(({ id }) => `${id}.webp`).toSorted());
  for (const name of names) {
    expect(statSync(join(picturesFolder, name)).size, name).toBeLessThanOrEqual(6 * 1024);
    expect(await sharp(join(picturesFolder, name)).metadata(), name).toMatchObject({
      format: "webp",
      width: 240,
      height: 180,
    });
  }
});

test("lists themes with the links of their pictures, which need no key and are kept for good", async () => {
  const { status, body } = await client.call("GET", "/v1/themes");
  expect(status).toBe(200);
  expect(body.data).toHaveLength(namedThemes.length);
  expect(body.data[0]).toMatchObject(namedThemes[0]!);
  const { thumbnailUrl } = body.data[0] as { thumbnailUrl: string };
  const response = await fetch(thumbnailUrl);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("image/webp");
  expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect((await response.arrayBuffer()).byteLength).toBeLessThanOrEqual(6 * 1024);
  const again = await fetch(thumbnailUrl, { headers: { "If-None-Match": response.headers.get("etag")! } });
  expect(again.status).toBe(304);
  const head = await fetch(thumbnailUrl, { method: "HEAD" });
  expect([head.status, (await head.arrayBuffer()).byteLength]).toEqual([200, 0]);
});

test("another path below the pictures is not found, and another method is refused", async () => {
  const { body } = await client.call("GET", "/v1/themes");
  const { thumbnailUrl } = body.data[0] as { thumbnailUrl: string };
  const { origin } = new URL(thumbnailUrl);
  for (const path of ["/themes/", "/themes/none.webp", "/themes/..%2f..%2fthemes.ts"]) {
    expect((await fetch(origin + path)).status, path).toBe(404);
  }
  expect((await fetch(thumbnailUrl, { method: "POST" })).status).toBe(405);
  // What `fetch` would not send as it is: no address can be made of it.
  const { hostname, port } = new URL(thumbnailUrl);
  const [response] = await once(get({ hostname, port, path: "/themes//[" }), "response");
  expect(response.resume().statusCode).toBe(404);
});
