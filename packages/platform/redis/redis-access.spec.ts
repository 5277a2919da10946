/** @module-tag redis-server */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCertificate, createCertificateAuthority } from "../../../testing/servers/certificates.ts";
import { freePort, startRedis, type TestRedis } from "../../../testing/servers/redis.ts";
import { connectTestRedis } from "../../../testing/servers/test-redis-connection.ts";
import { createKeyv } from "../keyv/keyv.ts";
import { checkRedis } from "./check-redis.ts";
import type { RedisSettings } from "./redis-settings.ts";
import { createWindowCounts } from "./window-counts.ts";

/** As docs/operations.md says. */
const rights =
  "~counts:* ~last-used:* resetchannels -@all +@connection +get +set +eval +hget +hset +hincrby +expire +pttl";
const password = "a password";

let folder: string;
let server: TestRedis;
let settings: RedisSettings;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "packshot-redis-access-"));
  const issuer = createCertificateAuthority("test");
  const { cert, key } = createCertificate({ names: ["localhost"], issuer });
  const files = { "ca.pem": issuer.cert, "cert.pem": cert, "key.pem": key, password: `${password}\n` };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  await writeFile(
    join(folder, "users.acl"),
    `user default off\nuser packshot on #${await sha256(password)} ${rights}\nuser weak on nopass ~* -@all +@connection\n`,
  );
  server = await startRedis([
    ...["--port", "0", "--tls-port", freePort, "--tls-auth-clients", "no", "--aclfile", join(folder, "users.acl")],
    ...["--tls-cert-file", join(folder, "cert.pem"), "--tls-key-file", join(folder, "key.pem")],
    ...["--tls-ca-cert-file", join(folder, "ca.pem")],
  ]);
  settings = {
    url: `rediss://localhost:${new URL(server.url).port}`,
    user: "packshot",
    passwordFile: join(folder, "password"),
    caFile: join(folder, "ca.pem"),
  };
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

async function sha256(text: string): Promise<string> {
  return Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(text))).toString("hex");
}

async function stateOf(change: Partial<RedisSettings>) {
  return await checkRedis({ ...settings, ...change });
}

describe("a Redis with TLS and an ACL user", () => {
  it("counts and keeps values with the documented rights, and a password from a file", async () => {
    const redis = await connectTestRedis(settings);
    const counts = createWindowCounts(redis);
    expect(await counts.add("key", 2, 60)).toMatchObject({ total: 2 });
    expect(await counts.add("key", 0, 60)).toMatchObject({ total: 2 });
    expect(await counts.add("other", 0, 60)).toMatchObject({ total: 0 });
    const keyv = await createKeyv({ redis, namespace: "last-used" });
    await keyv.set("key", "now", 60_000);
    expect(await keyv.get("key")).toBe("now");
    for (const reason of ["away", "timeout", "refused"] as const) expect(await redis.fallbacks(reason)).toBe(0);
    await redis.stop();
  });

  it("tells the doctor what is wrong, and how to mend it", async () => {
    expect(await stateOf({})).toMatchObject({ state: "ok", message: expect.stringMatching(/rediss:.* answers in/) });
    const wrong: readonly (readonly [Partial<RedisSettings>, RegExp])[] = [
      [{ passwordFile: undefined, password: "wrong" }, /PACKSHOT_REDIS_USER and its password/],
      [{ user: "weak" }, /NOPERM.*lacks rights/],
      [{ caFile: undefined }, /PACKSHOT_REDIS_TLS_CA_FILE/],
      [{ url: settings.url.replace("localhost", "127.0.0.1") }, /the name in the address/],
      [{ url: "redis://127.0.0.1:1" }, /ECONNREFUSED.*PACKSHOT_REDIS_URL/],
      [{ passwordFile: join(folder, "missing") }, /ENOENT/],
    ];
    for (const [change, message] of wrong) {
      const finding = await stateOf(change);
      expect(finding).toEqual({ state: "fault", message: expect.stringMatching(message) });
      expect(finding.message).not.toContain(password);
    }
  });

  it("is connected to with a new password once its file has one", async () => {
    const redis = await connectTestRedis(settings);
    await server.kill();
    await writeFile(join(folder, "password"), "another");
    await writeFile(
      join(folder, "users.acl"),
      `user default off\nuser packshot on #${await sha256("another")} ${rights}\n`,
    );
    await server.restart();
    await expect.poll(() => redis.isAway(), { timeout: 30_000 }).toBe(false);
    await redis.stop();
  });
});
