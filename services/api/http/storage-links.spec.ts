import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Log } from "@packshot/log/log.ts";
import { createWindowCounts } from "@packshot/platform/redis/window-counts.ts";
import { createDiskLinks } from "@packshot/platform/storage/disk-links.ts";
import { createDiskStorage } from "@packshot/platform/storage/disk-storage.ts";
import { expect, test } from "vitest";
import { createRateLimit } from "./rate-limit.ts";
import { createStorageMount } from "./storage-links.ts";

/** More than the buffers of two sockets hold. */
const fileBytes = 64 * 1024 * 1024;

test("a client that stops reading a download is disconnected, and the file is closed", async () => {
  const dir = await mkdtemp(join(tmpdir(), "packshot-links-"));
  const linkSettings = { publicUrl: "http://127.0.0.1", linkKeys: [randomBytes(32)] };
  const links = createDiskLinks(linkSettings);
  const storage = createDiskStorage({ dir, links: linkSettings });
  await storage.write("api/result", Buffer.alloc(fileBytes), { bytesMax: fileBytes });
  const mount = createStorageMount({
    log: {} as Log,
    storage,
    links,
    records: { read: async () => undefined },
    rateLimit: createRateLimit({ counts: createWindowCounts(undefined), nowMs: () => 0 }),
    nowMs: () => 0,
    stallTimeoutMs: 100,
  });
  const sent = Promise.withResolvers<unknown>();
  const server = createServer((request, response) => mount(request, response).then(sent.resolve, sent.reject));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { pathname, search } = new URL(links.signGet("api/result", { expiresAtMs: 1, contentType: "image/png" }));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.pause();
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: x\r\n\r\n`);
  expect(await sent.promise).toBe("sent");
  socket.destroy();
  server.close();
  await once(server, "close");
  await rm(dir, { recursive: true });
});
