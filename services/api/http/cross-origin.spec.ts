/** Web pages of the operator's origins use the API, as browsers ask for it; pages of others do not. */
import { expect, test } from "vitest";
import { openAccount } from "../../../testing/api/accounts.ts";
import { startApis } from "../../../testing/api/api-processes.ts";
import { suiteFixture } from "../../../testing/suite-fixture.ts";

const shop = "https://shop.example";
const stranger = "https://stranger.example";
const apis = suiteFixture(() => startApis({ environment: { PACKSHOT_CORS_ORIGINS: `${shop},http://localhost:3000` } }));

/** As a browser asks before it sends a request that is not a simple one. */
async function preflight(url: string, origin: string, method = "POST"): Promise<Response> {
  const headers = { Origin: origin, "Access-Control-Request-Method": method };
  return await fetch(url, { method: "OPTIONS", headers });
}

function listed(response: Response, header: string): string[] {
  return (response.headers.get(header) ?? "").split(", ");
}

test("a preflight of a listed origin is allowed every method and header that the document names", async () => {
  const response = await preflight(`${apis.all[0]!.url}/v1/tools/mask/edit`, shop);
  expect(response.status).toBe(204);
  expect(response.headers.get("access-control-allow-origin")).toBe(shop);
  expect(response.headers.get("access-control-allow-credentials")).toBeNull();
  expect(response.headers.get("access-control-max-age")).toBe("3600");
  expect(response.headers.get("vary")).toContain("Origin");
  expect(listed(response, "access-control-allow-methods")).toEqual(
    expect.arrayContaining(["GET", "POST", "PATCH", "DELETE"]),
  );
  expect(listed(response, "access-control-allow-headers")).toEqual(
    expect.arrayContaining(["Authorization", "Content-Type", "Idempotency-Key", "Prefer"]),
  );
});

test("a page reads responses and errors with the headers that it needs, and caches keep origins apart", async () => {
  const [api] = apis.all;
  const { key } = await openAccount(api!);
  for (const authorization of [`Bearer ${key}`, "Bearer wrong"]) {
    const headers = { Authorization: authorization, Origin: shop };
    const response = await fetch(`${api!.url}/v1/account`, { headers });
    expect(response.status).toBe(authorization.includes(key) ? 200 : 401);
    expect(response.headers.get("access-control-allow-origin")).toBe(shop);
    expect(response.headers.get("vary")).toContain("Origin");
    expect(listed(response, "access-control-expose-headers")).toEqual(
      expect.arrayContaining(["Request-Id", "Retry-After", "RateLimit", "Location", "Idempotency-Replayed"]),
    );
  }
});

test("pages use the drop-in with the headers that its clients send and read", async () => {
  const [api] = apis.all;
  const { key } = await openAccount(api!);
  const asked = await preflight(`${api!.url}/v1.0/removebg`, shop);
  expect([asked.status, asked.headers.get("access-control-allow-origin")]).toEqual([204, shop]);
  expect(listed(asked, "access-control-allow-headers")).toEqual(
    expect.arrayContaining(["X-Api-Key", "Authorization", "Content-Type"]),
  );
  const read = await fetch(`${api!.url}/v1.0/account`, { headers: { "X-Api-Key": key, Origin: shop } });
  expect([read.status, read.headers.get("access-control-allow-origin")]).toEqual([200, shop]);
  const exposed = listed(read, "access-control-expose-headers");
  expect(exposed).toEqual(
    expect.arrayContaining([
      ...["X-Credits-Charged", "X-Width", "X-Height", "X-Type", "X-Foreground-Top", "X-RateLimit-Remaining"],
      ...["X-Packshot-Job", "X-Packshot-Unsupported", "Request-Id", "Retry-After"],
    ]),
  );
  const [other, refused] = await Promise.all([
    preflight(`${api!.url}/v1/account`, shop, "GET"),
    preflight(`${api!.url}/v1.0/removebg`, stranger),
  ]);
  expect(listed(other, "access-control-allow-headers")).not.toContain("X-Api-Key");
  expect(refused.headers.get("access-control-allow-origin")).toBeNull();
});

test("pages of other origins, of a part of one and of none get nothing", async () => {
  const account = `${apis.all[0]!.url}/v1/account`;
  for (const origin of [stranger, `${shop}.evil.example`, "http://shop.example", "null"]) {
    const asked = await preflight(account, origin, "GET");
    expect([asked.status, asked.headers.get("access-control-allow-origin")]).toEqual([405, null]);
    const read = await fetch(account, { headers: { Origin: origin } });
    expect(read.headers.get("access-control-allow-origin")).toBeNull();
    expect(read.headers.get("vary")).toContain("Origin");
  }
});

test("links follow the listed origins", async () => {
  const link = `${apis.all[0]!.url}/storage/api/x?signature=none`;
  const allowed = await preflight(link, shop, "PUT");
  expect([allowed.status, allowed.headers.get("access-control-allow-origin")]).toEqual([204, shop]);
  expect(listed(allowed, "access-control-allow-methods")).toEqual(["GET", "HEAD", "PUT"]);
  expect((await preflight(link, stranger, "PUT")).headers.get("access-control-allow-origin")).toBeNull();
});

test("the operator's own port has no pages", async () => {
  const response = await preflight(`${apis.all[0]!.adminUrl}/admin/v1/accounts`, shop);
  expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([405, null]);
});

test("with * pages of every origin may use the API; without the setting none may, and all may use links", async () => {
  const [any, none] = await Promise.all([
    apis.start({ PACKSHOT_CORS_ORIGINS: "*" }),
    apis.start({ PACKSHOT_CORS_ORIGINS: "" }),
  ]);
  const originOf = async (url: string) => (await preflight(url, stranger)).headers.get("access-control-allow-origin");
  expect(await originOf(`${any.url}/v1/webhooks`)).toBe("*");
  expect(await originOf(`${none.url}/v1/webhooks`)).toBeNull();
  expect(await originOf(`${none.url}/storage/api/x`)).toBe("*");
});

test.each(["https://shop.example/path", "shop.example", "*,https://shop.example", "https://*.shop.example"])(
  "the origin %s stops the start and says how one looks",
  async (origins) => {
    await expect(apis.start({ PACKSHOT_CORS_ORIGINS: origins })).rejects.toThrow(/PACKSHOT_CORS_ORIGINS must be/);
  },
);
