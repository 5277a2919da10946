import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { PackshotError, toJobError } from "@packshot/domain/errors.ts";
import { afterEach, describe, expect, it } from "vitest";
import { parseAllowList } from "./address-guard.ts";
import { fetchSource } from "./fetch-source.ts";

const servers: Server[] = [];

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const limits = { allow: parseAllowList("127.0.0.1:*"), bytesMax: 1_000_000, timeoutMs: 30_000 };

async function bytesOf(...given: Parameters<typeof fetchSource>): Promise<Buffer> {
  const { stream } = await fetchSource(...given);
  return Buffer.concat(await stream.toArray());
}

async function refusal(attempt: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error = await attempt.then(
    () => new Error("it was fetched"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof PackshotError)) throw error;
  return { code: error.code, message: error.message };
}

describe("fetchSource", () => {
  it("streams the bytes and reports the declared type", async () => {
    const port = await serve((_request, response) => response.setHeader("content-type", "image/png").end("bytes"));
    const source = await fetchSource(`http://127.0.0.1:${port}/a.png`, limits);
    expect(source.contentType).toBe("image/png");
    expect(Buffer.concat(await source.stream.toArray()).toString()).toBe("bytes");
  });

  it("refuses a file that declares more than the limit, and one that grows past it", async () => {
    const declared = await serve((_request, response) => response.end(Buffer.alloc(2_000_000)));
    const endless = await serve((_request, response) => {
      const more = () => {
        while (response.write(Buffer.alloc(65_536)));
        response.once("drain", more);
      };
      more();
    });
    for (const port of [declared, endless]) {
      const attempt = bytesOf(`http://127.0.0.1:${port}/`, limits);
      expect((await refusal(attempt)).code).toBe("file_too_large");
    }
  });

  it("fails when an answer trickles, never begins, or breaks off", async () => {
    const trickle = await serve((_request, response) => void response.write("a"));
    const silent = await serve(() => {});
    const broken = await serve((_request, response) => {
      response.writeHead(200, { "content-length": "100" }).write("a", () => response.destroy());
    });
    for (const port of [trickle, silent, broken]) {
      const attempt = bytesOf(`http://127.0.0.1:${port}/`, { ...limits, timeoutMs: 300 });
      expect((await refusal(attempt)).code).toBe("source_unreachable");
    }
  });

  it.each([
    ...[401, 403, 404, 410].map((status) => [status, false] as const),
    ...[400, 408, 429, 500, 503, 204, 206, 304].map((status) => [status, true] as const),
  ])("calls status %i unreachable, and whether it may pass: %s", async (status, retryable) => {
    const port = await serve((_request, response) => response.writeHead(status).end());
    const thrown: unknown = await fetchSource(`http://127.0.0.1:${port}/`, limits).catch((error) => error);
    const message = `imageUrl responded with status ${status}.`;
    expect(toJobError(thrown)).toEqual({ code: "source_unreachable", message, retryable });
  });

  it("calls a 403 with Retry-After one that may pass", async () => {
    const port = await serve((_request, response) => response.writeHead(403, { "retry-after": "1" }).end());
    const thrown: unknown = await fetchSource(`http://127.0.0.1:${port}/`, limits).catch((error) => error);
    expect(toJobError(thrown)).toMatchObject({ code: "source_unreachable", retryable: true });
  });

  it.each([
    ["200", { "content-encoding": "" }],
    ["200", { "content-encoding": "IDENTITY" }],
    ["200", { "content-encoding": "aws-chunked" }],
    ["200", { "content-encoding": "utf-8" }],
    ["200", { "content-encoding": "none" }],
    ["200", { "content-encoding": "gzip" }],
    ["203", {}],
    ["206", { "content-range": "bytes 0-4/5" }],
  ])("takes plain bytes as they are, whatever is said of them: status %s, %j", async (status, headers) => {
    const port = await serve((_request, response) => response.writeHead(Number(status), headers).end("bytes"));
    expect((await bytesOf(`http://127.0.0.1:${port}/`, limits)).toString()).toBe("bytes");
  });

  const photo = Buffer.alloc(300_000, "photo");
  it.each<[string, Buffer]>([
    ["gzip", gzipSync(photo)],
    ["X-GZip", gzipSync(photo)],
    ["aws-chunked, gzip", gzipSync(photo)],
    ["deflate", deflateSync(photo)],
    ["deflate", deflateRawSync(photo)],
    ["br", brotliCompressSync(photo)],
    ["zstd", zstdCompressSync(photo)],
    ["deflate, gzip", gzipSync(deflateSync(photo))],
  ])("unpacks %s that was not asked for", async (encoding, packed) => {
    const port = await serve((_request, response) => {
      response.setHeader("content-encoding", encoding).write(packed.subarray(0, 1));
      response.end(packed.subarray(1));
    });
    expect((await bytesOf(`http://127.0.0.1:${port}/`, limits)).equals(photo)).toBe(true);
  });

  it.each<[string, Buffer]>([
    ["gzip", gzipSync(Buffer.alloc(2_000_000))],
    ["br", brotliCompressSync(Buffer.alloc(2_000_000))],
    ["zstd", zstdCompressSync(Buffer.alloc(2_000_000))],
    // Unpacked once it is over the limit, unpacked twice it is empty.
    ["gzip, gzip", gzipSync(Buffer.concat(Array.from({ length: 100_000 }, () => gzipSync(""))))],
  ])("stops unpacking %s at the limit", async (encoding, packed) => {
    expect(packed.length).toBeLessThan(limits.bytesMax);
    const port = await serve((_request, response) => response.setHeader("content-encoding", encoding).end(packed));
    expect((await refusal(bytesOf(`http://127.0.0.1:${port}/`, limits))).code).toBe("file_too_large");
  });

  it.each<[string, Buffer, string]>([
    ["compress", photo, "Content-Encoding compress"],
    ["gzip, gzip, gzip", photo, "3 content encodings"],
    ["gzip", gzipSync(photo).subarray(0, 100), "gzip that cannot be unpacked"],
    ["br", photo, "br that cannot be unpacked"],
  ])("says that it cannot unpack %s", async (encoding, packed, words) => {
    const port = await serve((_request, response) => response.setHeader("content-encoding", encoding).end(packed));
    const { code, message } = await refusal(bytesOf(`http://127.0.0.1:${port}/`, limits));
    expect(code).toBe("source_unreachable");
    expect(message).toContain(words);
  });

  it("closes the connection when its reader stops amid a packed photo, and says when such a photo is late", async () => {
    const closed: Promise<unknown>[] = [];
    const port = await serve((_request, response) => {
      closed.push(once(response, "close"));
      response.setHeader("content-encoding", "gzip").write(gzipSync(randomBytes(500_000)).subarray(0, 400_000));
    });
    const { stream } = await fetchSource(`http://127.0.0.1:${port}/`, limits);
    await once(stream, "readable");
    stream.destroy();
    // On a busy machine the time may be over before the server is asked.
    while (closed.length < 2) {
      const late = bytesOf(`http://127.0.0.1:${port}/`, { ...limits, timeoutMs: 300 });
      expect((await refusal(late)).message).toContain("within 300 ms");
    }
    await Promise.all(closed);
  });

  it("calls a part of the file unreachable", async () => {
    const headers = { "content-range": "bytes 0-4/9" };
    const port = await serve((_request, response) => response.writeHead(206, headers).end("bytes"));
    expect((await refusal(fetchSource(`http://127.0.0.1:${port}/`, limits))).message).toContain("206");
  });

  it.each([
    ["/größe.jpg", "utf8", "/gr%C3%B6%C3%9Fe.jpg"],
    ["größe 1.jpg?farbe=grün", "utf8", "/a/gr%C3%B6%C3%9Fe%201.jpg?farbe=gr%C3%BCn"],
    ["/gr\u00f6\u00dfe.jpg", "latin1", "/gr%F6%DFe.jpg"],
    ["/gr%C3%B6%C3%9Fe.jpg", "latin1", "/gr%C3%B6%C3%9Fe.jpg"],
    ["../b c/%20d.jpg", "latin1", "/b%20c/%20d.jpg"],
    ["?v=2", "latin1", "/a/?v=2"],
  ] as const)("follows Location: %s, in %s, to %s", async (location, charset, path) => {
    const paths: (string | undefined)[] = [];
    const port = await serve((request, response) => {
      paths.push(request.url);
      if (request.url !== "/a/") response.end("there");
      // Node writes a header in Latin-1, so each character is one byte of the location.
      else response.writeHead(302, { location: Buffer.from(location, charset).toString("latin1") }).end();
    });
    expect((await bytesOf(`http://127.0.0.1:${port}/a/`, limits)).toString()).toBe("there");
    expect(paths).toEqual(["/a/", path]);
  });

  it("follows a Location with an international name", async () => {
    const port = await serve((request, response) => {
      if (request.headers.host?.startsWith("127")) {
        const location = Buffer.from(`http://größe.example:${port}/`, "utf8").toString("latin1");
        response.writeHead(302, { location }).end();
      } else response.end(request.headers.host);
    });
    const allow = parseAllowList("127.0.0.1:*,xn--gre-6ka8i.example:*");
    const resolver = async () => [{ address: "127.0.0.1", family: 4 }];
    const bytes = await bytesOf(`http://127.0.0.1:${port}/`, { ...limits, allow, resolver });
    expect(bytes.toString()).toBe(`xn--gre-6ka8i.example:${port}`);
  });

  it("follows three redirects, not four", async () => {
    const port = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end("there");
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    expect((await bytesOf(`http://127.0.0.1:${port}/3`, limits)).toString()).toBe("there");
    expect((await refusal(fetchSource(`http://127.0.0.1:${port}/4`, limits))).code).toBe("source_unreachable");
  });

  it.each([
    "http://169.254.169.254/",
    "http://localhost:80/",
    "http://[::1]/",
    "ftp://example.com/",
    "http://10.0.0.1/",
  ])("checks a redirect again: %s", async (location) => {
    const port = await serve((_request, response) => response.writeHead(302, { location }).end());
    expect((await refusal(fetchSource(`http://127.0.0.1:${port}/`, limits))).code).toBe("source_forbidden");
  });

  it("refuses a name that leads to a forbidden address, even beside a public one, and never connects", async () => {
    let requests = 0;
    const port = await serve((_request, response) => {
      requests += 1;
      response.end();
    });
    const answers = [["127.0.0.1"], ["8.8.8.8", "127.0.0.1"], ["::ffff:127.0.0.1"], ["169.254.169.254"]];
    for (const addresses of answers) {
      const resolver = async () => addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
      const attempt = fetchSource(`http://rebinding.example:${port}/`, { ...limits, resolver });
      expect((await refusal(attempt)).code).toBe("source_forbidden");
    }
    expect(requests).toBe(0);
  });

  it("resolves once per connection: a name that changes between check and connect has no effect", async () => {
    let lookups = 0;
    const resolver = async () => {
      lookups += 1;
      return [{ address: lookups === 1 ? "192.0.2.1" : "127.0.0.1", family: 4 }];
    };
    const attempt = fetchSource("http://rebinding.example:8080/", { ...limits, resolver });
    expect((await refusal(attempt)).code).toBe("source_forbidden");
    expect(lookups).toBe(1);
  });

  it("lets a listed name resolve to any address", async () => {
    const port = await serve((_request, response) => response.end("inside"));
    const resolver = async () => [{ address: "127.0.0.1", family: 4 }];
    const allow = parseAllowList("cdn.internal:*");
    const bytes = await bytesOf(`http://cdn.internal:${port}/`, { ...limits, allow, resolver });
    expect(bytes.toString()).toBe("inside");
  });

  it("stops with the reason of the caller's signal", async () => {
    const arrived = Promise.withResolvers<void>();
    const port = await serve(() => arrived.resolve());
    const stop = new AbortController();
    const attempt = fetchSource(`http://127.0.0.1:${port}/`, { ...limits, signal: stop.signal });
    await arrived.promise;
    const reason = new Error("the job was cancelled");
    stop.abort(reason);
    await expect(attempt).rejects.toBe(reason);
  });

  it("reports a refused connection", async () => {
    const port = await serve(() => {});
    servers[0]!.close();
    const { message } = await refusal(fetchSource(`http://127.0.0.1:${port}/`, limits));
    expect(message).toBe("imageUrl could not be fetched: nobody listens there (ECONNREFUSED).");
  });
});
