import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { parseAllowList } from "@packshot/platform/outbound/address-guard.ts";
import { createGuardedAgent } from "@packshot/platform/outbound/guarded-agent.ts";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { createCertificate, createCertificateAuthority } from "../../../testing/servers/certificates.ts";
import { send } from "./send.ts";

const settings = { connectTimeoutMs: 5_000, connectionsMax: 8 };
const agent = createGuardedAgent({ ...settings, allow: parseAllowList("127.0.0.1:*") });
const servers: Server[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});
afterAll(() => agent.destroy());

const post = (url: string) => send(agent, { url, headers: { "webhook-id": "1" }, body: "{}" });

describe("send", () => {
  it("reports the status, the first bytes of the body and Retry-After", async () => {
    const url = await serve((_request, response) => {
      response.writeHead(429, { "retry-after": "30" }).end("é".repeat(2_000));
    });
    const sent = await post(url);
    expect(sent).toMatchObject({ kind: "answered", status: 429, retryAfterMs: 30_000 });
    expect(sent.kind === "answered" && sent.head).toBe("é".repeat(512));
  });

  it("follows no redirect", async () => {
    let requests = 0;
    const url = await serve((_request, response) => {
      requests += 1;
      response.writeHead(302, { location: "/elsewhere" }).end();
    });
    expect(await post(url)).toMatchObject({ kind: "answered", status: 302 });
    expect(requests).toBe(1);
  });

  it.each([
    ["never ends", (more: () => boolean) => void more()],
    ["trickles", () => {}],
  ])("takes the status of an answer whose body %s, and closes the connection", async (_how, write) => {
    const closed = Promise.withResolvers<void>();
    const url = await serve((_request, response) => {
      response.writeHead(200).write("begun");
      response.on("close", closed.resolve);
      write(() => {
        while (response.write("x".repeat(65_536)));
        return response.once("drain", () => response.write("x".repeat(65_536))) !== undefined;
      });
    });
    expect(await post(url)).toMatchObject({ kind: "answered", status: 200 });
    await closed.promise;
  });

  it("reuses a connection", async () => {
    const ports = new Set<number | undefined>();
    const url = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end("ok");
    });
    for (let n = 0; n < 5; n++) await post(url);
    expect(ports.size).toBeLessThan(5);
  });

  it("says that nobody listens, that the connection broke, and that an address is forbidden", async () => {
    const url = await serve((request) => request.socket.destroy());
    expect(await post(url)).toMatchObject({ kind: "unanswered", error: expect.stringContaining("closed") });
    servers[0]!.close();
    expect(await post(url)).toMatchObject({ kind: "unanswered", error: expect.stringContaining("ECONNREFUSED") });
    const strict = createGuardedAgent({ ...settings, allow: parseAllowList("") });
    const sent = await send(strict, { url, headers: {}, body: "{}" });
    expect(sent).toMatchObject({ kind: "unanswered", error: expect.stringContaining("may not be called") });
    await strict.destroy();
  });
});

const authority = createCertificateAuthority("Packshot test authority");
const stranger = createCertificateAuthority("Unknown authority");
const yesterday = new Date(Date.now() - 24 * 3600 * 1000);

describe("send over TLS, to a name whose checked address is the one connected to", () => {
  const name = "hooks.example";
  const trusting = createGuardedAgent({
    ...settings,
    allow: parseAllowList(`${name}:*`),
    resolver: async () => [{ address: "127.0.0.1", family: 4 }],
    certificateAuthority: authority.cert,
  });
  afterAll(() => trusting.destroy());

  async function serveTls(certificate: { cert: string; key: string }) {
    const namesAsked: (string | false | null | undefined)[] = [];
    const server = createTlsServer(certificate, (request, response) => {
      namesAsked.push((request.socket as TLSSocket & { servername?: string | false | null }).servername);
      response.writeHead(204).end();
    }).listen(0, "127.0.0.1");
    servers.push(server);
    await once(server, "listening");
    return { url: `https://${name}:${(server.address() as AddressInfo).port}/hook`, namesAsked };
  }

  it("asks TLS for the name, not the address, and accepts a certificate for that name", async () => {
    const { url, namesAsked } = await serveTls(createCertificate({ names: [name], issuer: authority }));
    const sent = await send(trusting, { url, headers: {}, body: "{}" });
    expect(sent).toMatchObject({ kind: "answered", status: 204 });
    expect(namesAsked).toEqual([name]);
  });

  it.each([
    ["self-signed", { names: [name] }, "self-signed"],
    ["expired", { names: [name], issuer: authority, validUntil: yesterday }, "has expired"],
    ["for another name", { names: ["other.example"], issuer: authority }, "for another name"],
    ["for the address instead of the name", { names: ["127.0.0.1"], issuer: authority }, "for another name"],
    ["of an unknown authority", { names: [name], issuer: stranger }, "authority is not trusted"],
  ])("sends nothing to one whose certificate is %s, and says so", async (_what, certificate, error) => {
    const { url, namesAsked } = await serveTls(createCertificate(certificate));
    const sent = await send(trusting, { url, headers: {}, body: "{}" });
    expect(sent).toMatchObject({ kind: "unanswered", error: expect.stringContaining(error) });
    expect(namesAsked).toEqual([]);
  });

  it("says that a port speaks no TLS", async () => {
    const plain = await serve((_request, response) => response.end());
    const url = plain.replace("http://127.0.0.1", `https://${name}`);
    const sent = await send(trusting, { url, headers: {}, body: "{}" });
    expect(sent).toMatchObject({ kind: "unanswered", error: "no TLS connection: wrong version number" });
  });
});
