/** Keys that are none, what other accounts have, and signed links of somebody else's making. */
import type { Random } from "@packshot/domain/random.ts";
import type { Attack, Target } from "./attack.ts";
import { describe } from "./hostile-client.ts";

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
const word = (random: Random, length: number) => Array.from({ length }, () => letters[random.integer(0, 63)]).join("");

function badAuthorization(random: Random): string {
  const key = `ps_live_${word(random, 43)}`;
  return random.pick([
    `Bearer ${key}`,
    `bearer ${key}`,
    `Basic ${btoa(`admin:${key}`)}`,
    "Bearer",
    "Bearer ",
    "Bearer null",
    "Bearer undefined",
    `Bearer ${"A".repeat(random.integer(100, 9_000))}`,
    `Bearer ps_live_`,
    `Bearer ${key}, Bearer ${key}`,
    "Bearer ' OR 1=1 --",
    `Token ${key}`,
    "Bearer eyJhbGciOiJub25lIn0.e30.",
    `Bearer ps_test_${word(random, 43)}`,
    `Digest ${word(random, 20)}`,
  ]);
}

export function keyAttacks(random: Random, count: number, { strangersJobId, readingKey }: Target): Attack[] {
  return Array.from({ length: count }, (_, i): Attack => {
    if (i % 2 === 0) {
      const Authorization = badAuthorization(random);
      const path = random.pick(["/v1/account", "/v1/jobs", "/v1/account/keys", "/v1/webhooks"]);
      return {
        name: Authorization.slice(0, 40),
        right: ["401 unauthenticated"],
        send: async (client) =>
          describe(await client.request({ method: "GET", path, key: null, headers: { Authorization } })),
      };
    }
    if (i % 4 === 1) {
      const [method, tail] = random.pick<readonly [method: string, tail: string]>([
        ["GET", ""],
        ["DELETE", ""],
        ["POST", "/cancel"],
        ["POST", "/approve"],
        ["POST", "/reject"],
        ["POST", "/deliver"],
        ["POST", "/repeat"],
        ["GET", "/events"],
      ]);
      const path = `/v1/jobs/${random.chance(0.5) ? strangersJobId : strangersJobId.toUpperCase()}${tail}`;
      return {
        name: `${method} ${tail} of a stranger's job`,
        right: ["404 not_found"],
        send: async (client) => describe(await client.request({ method, path })),
      };
    }
    const [method, path] = random.pick<readonly [method: string, path: string]>([
      ["POST", "/v1/account/keys"],
      ["DELETE", "/v1/account"],
      ["POST", "/v1/webhooks"],
      ["POST", "/v1/connections"],
      ["POST", "/v1/tools/mask/edit"],
      ["PUT", "/v1/presets/x"],
      ["DELETE", "/v1/presets/x"],
    ]);
    const body = Buffer.from("{}");
    return {
      name: `${method} ${path} with a key that only reads jobs`,
      right: ["403 scope_missing"],
      send: async (client) =>
        describe(
          await client.request({
            method,
            path,
            key: readingKey,
            headers: { "Content-Type": "application/json" },
            ...(method === "DELETE" ? {} : { body }),
          }),
        ),
    };
  });
}

type Forge = (link: URL, random: Random) => string;

const forgeries: Readonly<Record<string, Forge>> = {
  "another path": (link) => link.pathname.replace(/[^/]+$/, "source") + link.search,
  "a path that leads out": (link, random) =>
    `${link.pathname}/${random.pick(["..", "%2e%2e", "..%2f..", "....//"])}/${random.pick(["source", "etc/passwd", "secrets.json"])}${link.search}`,
  "no query": (link) => link.pathname,
  "a letter changed": (link, random) => {
    const at = random.integer(1, link.search.length - 1);
    const other = letters[random.integer(0, 63)]!;
    const search = link.search.slice(0, at) + (link.search[at] === other ? "~" : other) + link.search.slice(at + 1);
    return link.pathname + search;
  },
  "a later end": (link) => link.pathname + link.search.replace(/\d{9,}/, (ends) => String(Number(ends) + 86_400)),
  "a value twice": (link, random) =>
    `${link.pathname}${link.search}&${random.pick([...link.searchParams.keys()] as [string])}=${random.integer(0, 9)}`,
  "a signature of no letters": (link) => link.pathname + link.search.replace(/([?&][a-z]*sig[a-z]*=)[^&]*/i, "$1"),
};

export function linkAttacks(random: Random, count: number, { resultPath }: Target): Attack[] {
  const all = Object.entries(forgeries) as [[string, Forge], ...[string, Forge][]];
  return Array.from({ length: count }, () => {
    const [name, forge] = random.pick(all);
    const path = forge(new URL(resultPath, "http://link"), random);
    const method = random.pick(["GET", "GET", "PUT", "DELETE", "POST"]);
    return {
      name: `${method} a link with ${name}`,
      right: [
        "400 invalid_request",
        "401 unauthenticated",
        "403 link_invalid",
        "404 not_found",
        "405 method_not_allowed",
        "410 link_expired",
      ],
      send: async (client) => describe(await client.request({ method, path, key: null })),
    };
  });
}
