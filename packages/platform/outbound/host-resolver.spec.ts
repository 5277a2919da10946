import { pbkdf2 } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Answer, type NameServer, type Question, startNameServer } from "../../../testing/servers/name-server.ts";
import { parseAllowList } from "./address-guard.ts";
import { fetchSource } from "./fetch-source.ts";
import { createHostResolver } from "./host-resolver.ts";

let folder: string;
let hostsFile: string;
let resolvConf: string;
const servers: NameServer[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "packshot-resolver-"));
  [hostsFile, resolvConf] = [join(folder, "hosts"), join(folder, "resolv.conf")];
});

afterAll(async () => await rm(folder, { recursive: true }));

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  await Promise.all([hostsFile, resolvConf].map((file) => rm(file, { force: true })));
});

async function serveNames(onQuestion: (question: Question) => void): Promise<NameServer> {
  const server = await startNameServer(onQuestion);
  servers.push(server);
  return server;
}

const zone = (names: Readonly<Record<string, Answer>>) =>
  serveNames(({ name, answer }) => answer(names[name] ?? "no such name"));

function resolverFor(server: NameServer, timeoutMs?: number) {
  const deps = { hostsFile, resolvConf, servers: [server.address] };
  return createHostResolver(timeoutMs === undefined ? deps : { ...deps, timeoutMs });
}

async function addressesOf(resolver: ReturnType<typeof createHostResolver>, name: string): Promise<string[]> {
  return (await resolver(name)).map(({ address, family }) => `${family}: ${address}`);
}

const codeOf = (lookup: Promise<unknown>) =>
  lookup.then(
    () => "resolved",
    (error: NodeJS.ErrnoException) => error.code,
  );

describe("name servers", () => {
  it("give the addresses of both families", async () => {
    const resolver = resolverFor(await zone({ "shop.example": ["192.0.2.1", "2001:db8::1", "192.0.2.2"] }));
    expect(await addressesOf(resolver, "Shop.Example")).toEqual(["4: 192.0.2.1", "4: 192.0.2.2", "6: 2001:db8::1"]);
    expect(await addressesOf(resolver, "shop.example.")).toHaveLength(3);
  });

  it("may know addresses of one family only, and fail for the other", async () => {
    const server = await serveNames(({ type, answer }) => answer(type === "A" ? ["192.0.2.1"] : "server failure"));
    expect(await addressesOf(resolverFor(server), "shop.example")).toEqual(["4: 192.0.2.1"]);
  });

  it("may know no such name, no address, or nothing", async () => {
    const server = await zone({ "empty.example": [], "broken.example": "server failure" });
    const resolver = resolverFor(server);
    expect(await codeOf(resolver("gone.example"))).toBe("ENOTFOUND");
    expect(await codeOf(resolver("empty.example"))).toBe("ENOTFOUND");
    expect(await codeOf(resolver("broken.example"))).toBe("ESERVFAIL");
  });

  it("are asked again when a query is lost or its answer late", async () => {
    const unanswered = new Map<string, Question>();
    const server = await serveNames((question) => {
      const first = unanswered.get(question.type);
      unanswered.set(question.type, question);
      if (first === undefined) return;
      first.answer(["192.0.2.2"]);
      question.answer(["192.0.2.1"]);
    });
    expect(await addressesOf(resolverFor(server), "shop.example")).toEqual(["4: 192.0.2.1"]);
  });

  it("have a limited time for an answer, and what comes later is ignored", async () => {
    const questions: Question[] = [];
    const server = await serveNames((question) => void questions.push(question));
    const resolver = resolverFor(server, 300);
    // By this limit, which ends it before anything is asked a second time, and not by that of an attempt.
    await expect(resolver("shop.example")).rejects.toMatchObject({
      code: "ETIMEOUT",
      message: expect.stringContaining("was not answered within 300 ms"),
    });
    expect(questions.map(({ type }) => type).filter((type, at, all) => all.indexOf(type) < at)).toEqual([]);
    for (const { answer } of questions.splice(0)) answer(["192.0.2.1"]);
    expect(await codeOf(resolver("shop.example"))).toBe("ETIMEOUT");
  });

  it("are not asked for what the hosts file names, nor for localhost", async () => {
    await writeFile(
      hostsFile,
      "192.0.2.9 Inside inside.example # ours\n2001:db8::9\tinside\n#192.0.2.8 other\nx inside\n",
    );
    const server = await zone({});
    const resolver = resolverFor(server);
    expect(await addressesOf(resolver, "inside")).toEqual(["4: 192.0.2.9", "6: 2001:db8::9"]);
    expect(await addressesOf(resolver, "INSIDE.example")).toEqual(["4: 192.0.2.9"]);
    expect(await addressesOf(resolver, "localhost")).toEqual(["4: 127.0.0.1", "6: ::1"]);
    expect(await addressesOf(resolver, "a.localhost.")).toEqual(["4: 127.0.0.1", "6: ::1"]);
    expect(server.names).toEqual([]);
    await writeFile(hostsFile, "192.0.2.10 inside localhost\n");
    expect(await addressesOf(resolver, "inside")).toEqual(["4: 192.0.2.10"]);
    expect(await addressesOf(resolver, "localhost")).toEqual(["4: 192.0.2.10"]);
  });
});

describe("search domains of a cluster", () => {
  const clusterConf =
    "nameserver 10.0.0.10\nsearch prod.svc.cluster.local svc.cluster.local. cluster.local\noptions ndots:5\n";

  it("are tried in order for a name of few dots, which comes last itself", async () => {
    await writeFile(resolvConf, clusterConf);
    const server = await zone({ "cdn.media.svc.cluster.local": ["10.1.2.3"], "shop.example": ["192.0.2.1"] });
    const resolver = resolverFor(server);
    expect(await addressesOf(resolver, "cdn.media")).toEqual(["4: 10.1.2.3"]);
    expect(server.names).toEqual(["cdn.media.prod.svc.cluster.local", "cdn.media.svc.cluster.local"]);
    expect(await addressesOf(resolver, "shop.example")).toEqual(["4: 192.0.2.1"]);
    expect(server.names.slice(2)).toEqual([
      "shop.example.prod.svc.cluster.local",
      "shop.example.svc.cluster.local",
      "shop.example.cluster.local",
      "shop.example",
    ]);
  });

  it("are left out for a name that ends with a dot, and come last for one of many dots", async () => {
    await writeFile(resolvConf, clusterConf);
    const server = await zone({});
    const resolver = resolverFor(server);
    expect(await codeOf(resolver("cdn.media."))).toBe("ENOTFOUND");
    expect(server.names).toEqual(["cdn.media"]);
    expect(await codeOf(resolver("a.b.c.d.e.f"))).toBe("ENOTFOUND");
    expect(server.names.slice(1)).toEqual([
      "a.b.c.d.e.f",
      "a.b.c.d.e.f.prod.svc.cluster.local",
      "a.b.c.d.e.f.svc.cluster.local",
      "a.b.c.d.e.f.cluster.local",
    ]);
  });

  it("may fail: the next one is tried, and a name that no other knows is not called unknown", async () => {
    await writeFile(resolvConf, clusterConf);
    const failing = {
      "cdn.prod.svc.cluster.local": "server failure",
      "x.prod.svc.cluster.local": "server failure",
    } as const;
    const resolver = resolverFor(await zone({ ...failing, cdn: ["192.0.2.1"] }));
    expect(await addressesOf(resolver, "cdn")).toEqual(["4: 192.0.2.1"]);
    expect(await codeOf(resolver("x"))).toBe("ESERVFAIL");
  });
});

it("resolves while every thread of libuv's pool is occupied", async () => {
  const http = createServer((_request, response) => response.end("bytes")).listen(0, "127.0.0.1");
  await once(http, "listening");
  const { port } = http.address() as AddressInfo;
  const server = await zone({ "shop.example": ["127.0.0.1"] });
  let ended = 0;
  const occupied = Array.from({ length: 8 }, async () => {
    await promisify(pbkdf2)("password", "salt", 3_000_000, 32, "sha256");
    ended += 1;
  });
  const allow = parseAllowList("localhost:*,shop.example:*");
  for (const [host, resolver] of [["localhost"], ["shop.example", resolverFor(server)]] as const) {
    const limits = { allow, bytesMax: 1_000, timeoutMs: 30_000, resolver };
    const { stream } = await fetchSource(`http://${host}:${port}/`, limits);
    expect(Buffer.concat(await stream.toArray()).toString()).toBe("bytes");
  }
  expect(ended).toBe(0);
  await Promise.all(occupied);
  http.close();
});

it.each([
  [["127.0.0.1"], "source_forbidden"],
  [["8.8.8.8", "10.0.0.1"], "source_forbidden"],
  [["8.8.8.8", "::ffff:7f00:1"], "source_forbidden"],
  ["no such name", "source_unreachable"],
] as const)("a name that resolves to %j is %s", async (answer, code) => {
  const resolver = resolverFor(await zone({ "shop.example": answer }));
  const limits = { allow: parseAllowList(""), bytesMax: 1_000, timeoutMs: 30_000, resolver };
  await expect(fetchSource("http://shop.example/a.jpg", limits)).rejects.toMatchObject({ code });
});
