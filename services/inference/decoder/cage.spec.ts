/**
 * What a decoder may do that a photo has taken over: nothing in the cage, and everything that is tried here without it.
 * @module-tag packshot-cage
 */
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { confinedModules } from "@packshot/platform/images/confined-modules.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noCage, realCage, takenDecoder } from "../../../testing/decoder/test-cages.ts";
import { type CagedDecoder, createCagedDecoder } from "./caged-decoder.ts";
import { spawnDecoder } from "./decoder-child.ts";
import { openCage } from "./open-cage.ts";

let folder: string;
let server: Server;
let inside: CagedDecoder;
let outside: CagedDecoder;

const decoderIn = (cage: ReturnType<typeof realCage>) =>
  createCagedDecoder({
    startChild: spawnDecoder(cage),
    decodeTimeoutMs: 60_000,
    startTimeoutMs: 60_000,
    onLost: () => {},
  });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "packshot-escape-"));
  writeFileSync(join(folder, "secrets.json"), "{}", { mode: 0o600 });
  server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  await once(server, "listening");
  inside = decoderIn(realCage(takenDecoder));
  outside = decoderIn(noCage(takenDecoder));
});
afterAll(async () => {
  await Promise.all([inside.stop(), outside.stop()]);
  server.close();
  rmSync(folder, { recursive: true });
});

/** What came of it, as the decoder says. */
async function attempt(decoder: CagedDecoder, what: string): Promise<string> {
  return await decoder.decodePhoto(Buffer.from(what), { maxPixels: 1 }).then(
    () => "a photo",
    ({ message }: Error) => message,
  );
}

interface Try {
  readonly what: string;
  /** What the process says of it in the cage. */
  readonly inCage: string | RegExp;
  readonly argument?: () => string;
}

const tries: readonly Try[] = [
  { what: "read", inCage: "EACCES", argument: () => join(folder, "secrets.json") },
  { what: "parent's environment", inCage: "EACCES" },
  { what: "write", inCage: "EACCES", argument: () => join(folder, "written") },
  { what: "connect", inCage: "EPERM", argument: () => String((server.address() as AddressInfo).port) },
  { what: "listen", inCage: "EPERM" },
  { what: "fork", inCage: "EPERM" },
  { what: "signal", inCage: "EPERM" },
  // Node gives up where the kernel refuses it, and so the process is lost.
  { what: "execute", inCage: /decoding it failed/ },
];

describe.each(tries)("$what", ({ what, inCage, argument }) => {
  const said = () => (argument === undefined ? what : `${what}: ${argument()}`);

  it("is refused in the cage", async () => {
    expect(await attempt(inside, said())).toMatch(inCage);
    expect(existsSync(join(folder, "written"))).toBe(false);
  });

  it("succeeds without it", async () => {
    expect(await attempt(outside, said())).toBe("done");
    rmSync(join(folder, "written"), { force: true });
  });
});

it("gives the process no variable of its parent's", async () => {
  process.env.PACKSHOT_LINK_KEY = "secret";
  const decoder = decoderIn(realCage(takenDecoder));
  try {
    const names = (await attempt(decoder, "environment")).split(",");
    const known = ["GLIBC_TUNABLES", "NODE_COMPILE_CACHE", "OPENSSL_CONF", "UV_THREADPOOL_SIZE"];
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  } finally {
    await decoder.stop();
    delete process.env.PACKSHOT_LINK_KEY;
  }
});

it("takes the compiled modules that are kept for it, and writes none", async () => {
  const settings = { PACKSHOT_DECODER_CAGE: "on", PACKSHOT_MAX_PIXELS: 1_000_000 } as const;
  await openCage({ settings, logger: createLogger({ name: "test", level: "silent" }) });
  const modules = confinedModules("decoder")!;
  const decoder = decoderIn(realCage(takenDecoder));
  try {
    expect(await attempt(decoder, "compiled modules")).toMatch(modules);
    expect(await attempt(decoder, `write: ${join(modules, "written")}`)).toBe("EACCES");
  } finally {
    await decoder.stop();
  }
});
