/** What `packshot nats` prints is what a nats-server takes, and lets the services do their work. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connectNats } from "@packshot/log/nats/connection.ts";
import { migrateLog } from "@packshot/log/operate/migrate.ts";
import { inboxPrefixOf, natsServices } from "@packshot/log/operate/permissions.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createCertificate, createCertificateAuthority } from "../testing/servers/certificates.ts";
import { findNatsServer } from "./up/nats-server.ts";
import { startService } from "./up/start-service.ts";

const main = fileURLToPath(new URL("packshot.ts", import.meta.url));
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "packshot-nats-cli-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function packshot(...args: readonly string[]): string {
  return execFileSync(process.execPath, [main, "nats", ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** On free ports, because the printed configuration names those that a machine of its own has. */
async function serve(config: string, variables: Readonly<Record<string, string>>) {
  const path = join(folder, "nats.conf");
  writeFileSync(path, config.replace("0.0.0.0:4222", "127.0.0.1:-1").replace("0.0.0.0:8222", "127.0.0.1:-1"));
  return await startService({
    name: "nats-server",
    program: findNatsServer(process.env),
    args: ["-c", path],
    environment: { ...process.env, POD_NAME: "packshot-nats-0", ...variables },
    waitForReady: ({ untilLine }) =>
      untilLine((line) => /Listening for client connections on 127\.0\.0\.1:(\d+)/.exec(line)?.[1]),
  });
}

it("makes an NKEY for each service, once", () => {
  const dir = join(folder, "once");
  const lines = packshot("keys", "--dir", dir).trim().split("\n");
  expect(lines.map((line) => line.replace(/=U[A-Z2-7]{55}$/, ""))).toEqual(
    natsServices.map((service) => `PACKSHOT_NATS_${service.toUpperCase()}_NKEY`),
  );
  expect(statSync(join(dir, "api.nk")).mode & 0o777).toBe(0o600);
  const before = readFileSync(join(dir, "api.nk"), "utf8");
  expect(() => packshot("keys", "--dir", dir)).toThrow(/is there already/);
  expect(readFileSync(join(dir, "api.nk"), "utf8")).toBe(before);
});

it("prints a configuration with TLS and users on which the log is made; a rotated key counts beside the one before", async () => {
  const tlsDir = join(folder, "tls");
  const keysDir = join(folder, "keys");
  const asVariables = (text: string) =>
    Object.fromEntries(
      text
        .trim()
        .split("\n")
        .map((line) => line.split("=") as [string, string]),
    );
  const variables = asVariables(packshot("keys", "--dir", keysDir));
  const next = asVariables(packshot("keys", "--dir", join(folder, "next")));
  mkdirSync(tlsDir);
  const issuer = createCertificateAuthority("CA");
  const { cert, key } = createCertificate({ names: ["localhost"], issuer });
  for (const [name, text] of [
    ["tls.crt", cert],
    ["tls.key", key],
    ["ca.crt", issuer.cert],
  ] as const)
    writeFileSync(join(tlsDir, name), text);
  const args = ["--tls-dir", tlsDir, "--store-dir", join(folder, "store"), "--rotate", "migrate"];
  const server = await serve(packshot("config", ...args), {
    ...variables,
    PACKSHOT_NATS_MIGRATE_NKEY_NEXT: next.PACKSHOT_NATS_MIGRATE_NKEY!,
  });
  for (const dir of [keysDir, join(folder, "next")]) {
    const access = { nkeySeedFile: join(dir, "migrate.nk"), tlsCaFile: join(tlsDir, "ca.crt") };
    const url = `tls://localhost:${server.ready}`;
    const connection = await connectNats({ url, name: "test", access, inboxPrefix: inboxPrefixOf("migrate") });
    await migrateLog(connection, { replicas: 0 });
    await connection.close();
  }
  await server.stop();
});

it("prints one with passwords, of which the environment may have the bcrypt hash", async () => {
  const config = packshot("config", "--users", "password", "--store-dir", join(folder, "store-2"));
  const hash = '"$2a$04$abcdefghijklmnopqrstuufUlS0EEB.H3ewsjUNPrWW5qETJaYIty"';
  const variables = Object.fromEntries(
    natsServices.map((service) => [`PACKSHOT_NATS_${service.toUpperCase()}_PASSWORD`, hash]),
  );
  const server = await serve(config, { ...variables, PACKSHOT_NATS_API_PASSWORD: '"12345678"' });
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, "12345678");
  const access = { user: "migrate", passwordFile };
  const url = `nats://127.0.0.1:${server.ready}`;
  const connection = await connectNats({ url, name: "test", access, inboxPrefix: inboxPrefixOf("migrate") });
  expect((await migrateLog(connection, { replicas: 0 })).length).toBeGreaterThan(0);
  await connection.close();
  await server.stop();
});

it("prints a cluster's routes with certificates, and only the users where asked", () => {
  const routes = "nats-0:6222,nats-1:6222,nats-2:6222";
  const config = packshot("config", "--cluster", "packshot", "--routes", routes, "--tls-dir", "/etc/nats/tls");
  expect(config).toContain('routes: ["nats://nats-0:6222", "nats://nats-1:6222", "nats://nats-2:6222"]');
  expect(config.match(/verify: (true|false)/g)).toEqual(["verify: false", "verify: true"]);
  expect(config).toContain("server_name: $POD_NAME");
  expect(packshot("config", "--only", "users")).toMatch(/^authorization \{/);
  expect(() => packshot("config", "--cluster", "packshot")).toThrow(/go together/);
  expect(() => packshot("config", "--rotate", "model-server")).toThrow(/--rotate knows api/);
});

it("prints what each service may do, for users that have JWTs", () => {
  const { worker } = JSON.parse(packshot("permissions"));
  expect(worker.publish.allow).toContain("ps.*.job.*.*");
  expect(worker).toMatchObject({
    inboxPrefix: "_INBOX_worker",
    subscribe: { allow: expect.arrayContaining(["_INBOX_worker.>", "ps-abort.*"]) },
  });
});
