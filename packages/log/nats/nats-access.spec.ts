/** Whom nats-server lets in, with secrets that are rotated and with wrong ones. */
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type NatsConnection, nkeys } from "@nats-io/transport-node";
import { readSettings } from "@packshot/platform/config/settings.ts";
import { createReadiness } from "@packshot/platform/lifecycle/readiness.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createCertificate, createCertificateAuthority } from "../../../testing/servers/certificates.ts";
import { operatorConfig, startConfiguredNats, userCredentials } from "../../../testing/servers/configured-nats.ts";
import { connectLog } from "../connect-log.ts";
import { migrateLog } from "../operate/migrate.ts";
import { connectNats, findConnectionProblem } from "./connection.ts";
import { type NatsAccess, readNatsAccess } from "./nats-access.ts";

const patient = { timeout: 60_000, interval: 20 };
const password = "correct-horse-battery-staple";
const logger = createLogger({ name: "test", level: "silent" });
let folder: string;
const closing: (() => unknown)[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "packshot-nats-access-"));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const userConfig = (secret: string) =>
  `authorization { users: [{ user: worker, password: ${JSON.stringify(secret)} }] }`;

async function serve(config: string) {
  const server = await startConfiguredNats(config);
  closing.push(() => server.stop());
  return { ...server, url: `nats://localhost:${server.port}` };
}

async function connected(url: string, access: NatsAccess) {
  const connection = await connectNats({ url, name: "test", access });
  closing.push(() => connection.close());
  return connection;
}

/** A connection that was told of its end may have come and gone several times by then. */
const reconnected = (connection: NatsConnection) => vi.waitFor(() => connection.flush(), patient);

const unreached = /^no nats-server has answered/;

/** Asked again where a busy nats-server has not answered in the three seconds that a connection has. */
async function problemAt(url: string, access: NatsAccess = {}): Promise<string | undefined> {
  for (;;) {
    const problem = await findConnectionProblem({ url, name: "test", access });
    if (problem === undefined || !unreached.test(problem)) return problem;
  }
}

describe("credentials", () => {
  it("are a user and a password, and the ones in the file count at each connection", async () => {
    const { url, reload } = await serve(userConfig(password));
    const access = { user: "worker", passwordFile: file("password", `${password}\n`) };
    const connection = await connected(url, access);
    const statuses = connection.status()[Symbol.asyncIterator]();
    await reload(userConfig("the-next-one"));
    // It is refused again and again until the file has the new one.
    while ((await statuses.next()).value?.type !== "error");
    expect(await problemAt(url, access)).toMatch(/another secret.*PACKSHOT_NATS_PASSWORD_FILE/);
    file("password", "the-next-one");
    await reconnected(connection);
    expect(await problemAt(url, access)).toBeUndefined();
  });

  it("are an NKEY", async () => {
    const mine = nkeys.createUser();
    const another = nkeys.createUser();
    const { url } = await serve(`authorization { users: [{ nkey: ${mine.getPublicKey()} }] }`);
    const seedOf = (pair: typeof mine) => Buffer.from(pair.getSeed()).toString();
    await connected(url, { nkeySeedFile: file("mine.nk", `${seedOf(mine)}\n`) });
    const strange = { nkeySeedFile: file("another.nk", seedOf(another)) };
    expect(await problemAt(url, strange)).toMatch(/knows no such user.*PACKSHOT_NATS_NKEY_SEED_FILE/);
  });

  it("are a JWT with its seed, and a new one counts once the old one has expired", async () => {
    const { url } = await serve(operatorConfig());
    const access = { credentialsFile: file("user.creds", userCredentials(Date.now() + 10_000)) };
    const connection = await connected(url, access);
    const statuses = connection.status()[Symbol.asyncIterator]();
    while ((await statuses.next()).value?.type !== "disconnect");
    await vi.waitFor(async () => {
      expect(await problemAt(url, access)).toMatch(/PACKSHOT_NATS_CREDENTIALS_FILE/);
    }, patient);
    file("user.creds", userCredentials());
    await reconnected(connection);
  });
});

describe("what is wrong, in words that name the setting", () => {
  it("no server, no credentials, wrong ones", async () => {
    const { url } = await serve(userConfig(password));
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const { port } = closed.address() as { port: number };
    closed.close();
    expect(await findConnectionProblem({ url: `nats://user:pass@127.0.0.1:${port}`, name: "test" })).toBe(
      `no nats-server has answered at nats://127.0.0.1:${port}`,
    );
    expect(await problemAt(url)).toMatch(/asks who this is: set PACKSHOT_NATS_NKEY_SEED_FILE/);
    const wrong = { user: "worker", passwordFile: file("wrong", "hush-hush-hush") };
    const problem = await problemAt(url, wrong);
    expect(problem).toMatch(/PACKSHOT_NATS_USER \(worker\) and PACKSHOT_NATS_PASSWORD_FILE/);
    expect(problem).not.toContain("hush");
  });

  it.each([
    ["a file that is missing", { nkeySeedFile: "/nowhere/seed" }, /NKEY_SEED_FILE names \/nowhere\/seed.*ENOENT/],
    ["an empty file", { credentialsFile: "empty" }, /CREDENTIALS_FILE names .*empty.*is empty/],
    ["no seed", { nkeySeedFile: "garbage" }, /NKEY_SEED_FILE names .*garbage.*no seed of a user/],
    ["no credentials", { credentialsFile: "garbage" }, /CREDENTIALS_FILE names .*garbage.*no JWT/],
  ])("%s", async (_what, names, text) => {
    file("empty", "");
    file("garbage", "SUhush-hush");
    const absolute = Object.entries(names).map(([name, path]) => [
      name,
      path.startsWith("/") ? path : join(folder, path),
    ]);
    const { url } = await serve(userConfig(password));
    const problem = await problemAt(url, Object.fromEntries(absolute));
    expect(problem).toMatch(text);
    expect(problem).not.toContain("hush");
  });

  it("settings that contradict each other", () => {
    const read = (environment: Record<string, string>) => () => readNatsAccess(readSettings(environment));
    expect(read({ PACKSHOT_NATS_USER: "worker" })).toThrow(/PACKSHOT_NATS_PASSWORD_FILE are set together/);
    expect(read({ PACKSHOT_NATS_TLS_CERT_FILE: "a" })).toThrow(/PACKSHOT_NATS_TLS_KEY_FILE are set together/);
    const several = { PACKSHOT_NATS_NKEY_SEED_FILE: "a", PACKSHOT_NATS_CREDENTIALS_FILE: "b" };
    expect(read(several)).toThrow(/set one of/);
  });
});

describe("TLS", () => {
  const authority = createCertificateAuthority("packshot test CA");
  const other = createCertificateAuthority("another CA");
  const yesterday = () => new Date(Date.now() - 24 * 3600 * 1000);
  const tls = (options: { names?: readonly string[]; validUntil?: Date; verify?: boolean } = {}) => {
    const { names = ["localhost"], verify = false, validUntil } = options;
    const { cert, key } = createCertificate({ names, issuer: authority, ...(validUntil && { validUntil }) });
    const files = [file("server.crt", cert), file("server.key", key), file("ca.crt", authority.cert)];
    const [certFile, keyFile, caFile] = files.map((path) => JSON.stringify(path));
    return `tls { cert_file: ${certFile}, key_file: ${keyFile}, ca_file: ${caFile}, verify: ${verify} }`;
  };
  const trusting = () => ({ tlsCaFile: file("ca.crt", authority.cert) });

  it("speaks with a server that its authority has certified, and with no other", async () => {
    const { url } = await serve(tls());
    await connected(url, trusting());
    expect(await problemAt(url, { tlsCaFile: file("other.crt", other.cert) })).toMatch(/PACKSHOT_NATS_TLS_CA_FILE/);
    expect(await problemAt(url)).toMatch(/PACKSHOT_NATS_TLS_CA_FILE: set it/);
  });

  it("refuses a certificate for other names, and one that has expired", async () => {
    const elsewhere = await serve(tls({ names: ["elsewhere"] }));
    const byIp = /for other names than PACKSHOT_NATS_URL .*, where an IP address counts as localhost: write a name/;
    expect(await problemAt(elsewhere.url.replace("localhost", "127.0.0.1"), trusting())).toMatch(byIp);
    const byName = await problemAt(elsewhere.url, trusting());
    expect(byName).toMatch(/for other names than PACKSHOT_NATS_URL/);
    expect(byName).not.toContain("IP address");
    const expired = await serve(tls({ validUntil: yesterday() }));
    expect(await problemAt(expired.url, trusting())).toMatch(/has expired/);
  });

  it("sends no secret to a server without TLS", async () => {
    const { url } = await serve(userConfig(password));
    const access = { ...trusting(), user: "worker", passwordFile: file("password", password) };
    expect(await problemAt(url, access)).toMatch(/speaks no TLS/);
    expect(await problemAt(url.replace("nats:", "tls:"), { ...access, tlsCaFile: undefined })).toMatch(/speaks no TLS/);
  });

  it("shows its own certificate where the server asks for one", async () => {
    const { url } = await serve(tls({ verify: true }));
    expect(await problemAt(url, trusting())).toMatch(/PACKSHOT_NATS_TLS_CERT_FILE/);
    const mine = createCertificate({ names: ["worker"], issuer: authority });
    const own = { tlsCertFile: file("mine.crt", mine.cert), tlsKeyFile: file("mine.key", mine.key) };
    await connected(url, { ...trusting(), ...own });
  });
});

it("a process with a wrong secret is not ready and says why, until the file is right", async () => {
  const jetstream = `jetstream { store_dir: ${JSON.stringify(join(folder, "store"))} }`;
  const { url } = await serve(`${jetstream}\n${userConfig(password)}`);
  const access = { user: "worker", passwordFile: file("password", "wrong") };
  const readiness = createReadiness();
  const observer = { batchAnswered() {}, committed() {} };
  const connecting = connectLog({
    url,
    name: "test",
    access,
    streams: [],
    readiness,
    logger,
    observer,
  });
  await vi.waitFor(
    () => expect(readiness.reasons().log).toMatch(/another secret.*PACKSHOT_NATS_PASSWORD_FILE/),
    patient,
  );
  file("password", password);
  await vi.waitFor(() => expect(readiness.reasons().log).toMatch(/packshot migrate/), patient);
  await migrateLog(await connected(url, access), { replicas: 1 });
  const { components } = await connecting;
  closing.push(async () => {
    for (const component of components.toReversed()) await component.stop();
  });
  for (const component of components) await component.start();
  expect(readiness.reasons().log).toBeUndefined();
});
