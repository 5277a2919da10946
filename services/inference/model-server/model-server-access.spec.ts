/** Who may call the model server, over real connections. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSettings } from "@packshot/platform/config/settings.ts";
import { createLogger } from "@packshot/platform/telemetry/logger.ts";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { tinyModelSide as side, writeTinyModel } from "../../../testing/models/tiny-model-repository.ts";
import { createCertificate, createCertificateAuthority } from "../../../testing/servers/certificates.ts";
import { onFreePorts } from "../../../testing/servers/free-ports.ts";
import { callUnary, openChannel, openChannelAccess } from "../model-client/grpc-channel.ts";
import {
  createOpenInferenceClient,
  type OpenInferenceClient,
  type OpenInferenceClientDeps,
} from "../model-client/open-inference-client.ts";
import { watchCertificateFiles } from "../protocol/certificate-files.ts";
import { type ModelServerAccess, openAccess, readModelServerAccess } from "../protocol/model-server-access.ts";
import { type ModelServer, type ModelServerDeps, startModelServer } from "./model-server.ts";

const logger = createLogger({ name: "test", level: "fatal" });
const [token, nextToken, strange] = ["a", "b", "c"].map((letter) => letter.repeat(32)) as [string, string, string];
const patient = { timeout: 60_000, interval: 20 };

let folder: string;
const closing: (() => unknown)[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "packshot-access-"));
  writeTinyModel(join(folder, "models"), "tiny", 1);
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => rmSync(folder, { recursive: true }));

async function serve(access: Partial<ModelServerAccess>, deps: Partial<ModelServerDeps> = {}): Promise<ModelServer> {
  const server = await startModelServer({
    host: "127.0.0.1",
    grpcPort: 0,
    httpPort: 0,
    modelDirs: [join(folder, "models")],
    threads: 1,
    logger,
    access: { ...openAccess, ...access },
    ...deps,
  });
  closing.push(() => server.stop());
  return server;
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function call(server: ModelServer, access: Partial<ModelServerAccess>) {
  const address = `localhost:${server.grpcPort}`;
  const { inference, health } = openChannel(address, openChannelAccess(address, { ...openAccess, ...access }));
  closing.push(() => {
    health.close();
    inference.close();
  });
  const options = () => ({ deadlineAtMs: Date.now() + 30_000 });
  return {
    unary: (method: string, message: object = {}) => callUnary(inference, method, message, options()),
    health: () => callUnary(health, "Check", { service: "" }, options()),
  };
}

function connect(
  { grpcPort }: Pick<ModelServer, "grpcPort">,
  access: Partial<ModelServerAccess>,
  deps: Partial<OpenInferenceClientDeps> = {},
): OpenInferenceClient {
  const address = `localhost:${grpcPort}`;
  const client = createOpenInferenceClient({ address, access: { ...openAccess, ...access }, ...deps });
  closing.push(() => client.close());
  return client;
}

const ready = (client: OpenInferenceClient) => vi.waitFor(() => expect(client.problem()).toBeUndefined(), patient);
const problem = (client: OpenInferenceClient, text: RegExp) =>
  vi.waitFor(() => expect(client.problem()).toMatch(text), patient);

const predict = (client: OpenInferenceClient) =>
  client.predict({
    model: "tiny",
    input: { shape: [1, side, side, 3], data: new Uint8Array(side * side * 3) },
    tenant: "acct",
    deadlineAtMs: Date.now() + 30_000,
    signal: new AbortController().signal,
  });

describe("a model server with tokens", () => {
  it("answers no call without one of them, and says which setting to look at", async () => {
    const server = await serve({ tokens: () => [token, nextToken] });
    const refusal = { code: 16, details: expect.stringContaining("PACKSHOT_MODEL_SERVER_TOKEN") };
    for (const tokens of [[], [strange], [token.slice(1)]]) {
      const caller = call(server, { tokens: () => tokens });
      for (const method of ["ModelInfer", "RepositoryIndex", "ModelMetadata", "ServerMetadata", "ModelStatistics"])
        await expect(caller.unary(method)).rejects.toMatchObject(refusal);
    }
    for (const one of [token, nextToken]) await call(server, { tokens: () => [one] }).unary("RepositoryIndex");
  });

  it("answers probes without a token", async () => {
    const server = await serve({ tokens: () => [token] });
    const probe = call(server, {});
    expect(await probe.health()).toMatchObject({ status: "SERVING" });
    expect(await probe.unary("ServerReady")).toMatchObject({ ready: true });
    expect(await probe.unary("ServerLive")).toMatchObject({ live: true });
  });

  it("takes edits of a worker with the token", async () => {
    const client = connect(await serve({ tokens: () => [token] }), { tokens: () => [token] });
    await ready(client);
    expect(await predict(client)).toMatchObject({ modelName: "tiny" });
  });

  it("leaves a worker with a wrong token not ready, until its file is right", async () => {
    const server = await serve({ tokens: () => [nextToken] });
    const path = file("token", `${token}\n`);
    const client = connect(server, readModelServerAccess(readSettings({ PACKSHOT_MODEL_SERVER_TOKEN_FILE: path })));
    await problem(client, /refuses this worker.*PACKSHOT_MODEL_SERVER_TOKEN/);
    await expect(predict(client)).rejects.toMatchObject({ code: "model_unavailable", details: { refused: true } });
    file("token", nextToken);
    await ready(client);
    expect(await predict(client)).toMatchObject({ modelName: "tiny" });
  });
});

describe("a model server with TLS", () => {
  const authority = createCertificateAuthority("packshot test CA");
  const certificate = (name: string, names: readonly string[], issuer = authority) => {
    const { cert, key } = createCertificate({ names, issuer });
    return { certFile: file(`${name}.crt`, cert), keyFile: file(`${name}.key`, key) };
  };
  const caFile = () => file("ca.crt", authority.cert);
  const server = () => certificate("server", ["localhost"]);
  const otherAuthority = createCertificateAuthority("another CA");

  it("speaks with workers that trust its authority", async () => {
    const client = connect(await serve({ certificates: server() }), { certificates: { caFile: caFile() } });
    await ready(client);
    expect(await predict(client)).toMatchObject({ modelName: "tiny" });
  });

  it.each([
    ["of another authority", () => ({ caFile: file("other.crt", otherAuthority.cert) }), /TLS_CA_FILE/],
    ["for another name", () => ({ caFile: caFile() }), /altnames.*TLS_CA_FILE/],
    ["and a worker without TLS", () => undefined, /cannot be reached/],
  ])("is not reached with a certificate %s", async (_what, trusted, text) => {
    const own = text.source.startsWith("altnames") ? certificate("elsewhere", ["elsewhere"]) : server();
    const client = connect(await serve({ certificates: own }), { certificates: trusted() });
    await problem(client, text);
    expect(client.ready()).toBe(false);
  });

  it("asks workers for a certificate when it has their authority", async () => {
    const mutual = await serve({ certificates: { ...server(), caFile: caFile() } });
    await problem(connect(mutual, { certificates: { caFile: caFile() } }), /cannot be reached/);
    const stranger = certificate("stranger", ["worker"], otherAuthority);
    await problem(connect(mutual, { certificates: { caFile: caFile(), ...stranger } }), /cannot be reached/);
    const worker = connect(mutual, { certificates: { caFile: caFile(), ...certificate("worker", ["worker"]) } });
    await ready(worker);
    expect(await predict(worker)).toMatchObject({ modelName: "tiny" });
  });

  it("is connected to at a new address while the worker's key and certificate do not match", async () => {
    const certificates = { ...server(), caFile: caFile() };
    const hosts = ["127.0.0.2", "127.0.0.3"];
    const port = await onFreePorts(1, async ([grpcPort]) => {
      for (const host of hosts) await serve({ certificates }, { host, grpcPort: grpcPort! });
      return grpcPort!;
    });
    let known = hosts.slice(0, 1);
    const own = certificate("rotated", ["worker"]);
    const client = connect(
      { grpcPort: port },
      { certificates: { caFile: caFile(), ...own } },
      { resolve: async () => known.map((address) => ({ address, family: 4 as const })), everyMs: 5 },
    );
    await vi.waitFor(() => expect(client.servers()).toMatchObject({ ready: 1 }), patient);
    file("rotated.crt", createCertificate({ names: ["worker"], issuer: authority }).cert);
    known = hosts;
    await vi.waitFor(() => expect(client.servers()).toMatchObject({ ready: 2 }), patient);
  });

  it("reads rotated certificates, and keeps the old ones while key and certificate do not match", async () => {
    const files = server();
    const problems: string[] = [];
    const provider = watchCertificateFiles(files, (found) => problems.push(found), 10);
    const seen: string[] = [];
    const listener: Parameters<typeof provider.addIdentityCertificateListener>[0] = (update) =>
      void seen.push(String(update?.certificate));
    provider.addIdentityCertificateListener(listener);
    closing.push(() => provider.removeIdentityCertificateListener(listener));
    await vi.waitFor(() => expect(seen).toHaveLength(1), patient);
    const next = createCertificate({ names: ["localhost"], issuer: authority });
    file("server.crt", next.cert);
    await vi.waitFor(() => expect(problems).toEqual([expect.stringContaining("belong together")]), patient);
    expect(seen).toHaveLength(1);
    file("server.key", next.key);
    await vi.waitFor(() => expect(seen).toEqual([expect.anything(), next.cert]), patient);
  });
});

describe("loading and unloading", () => {
  it("is refused unless asked for; what there is can always be listed", async () => {
    const caller = call(await serve({}), {});
    const refusal = { code: 7, details: expect.stringContaining("PACKSHOT_MODEL_CONTROL=on") };
    await expect(caller.unary("RepositoryModelUnload", { model_name: "tiny" })).rejects.toMatchObject(refusal);
    await expect(caller.unary("RepositoryModelLoad", { model_name: "tiny" })).rejects.toMatchObject(refusal);
    expect(await caller.unary("RepositoryIndex")).toMatchObject({ models: [{ name: "tiny", state: "READY" }] });
  });

  it("works where it is on", async () => {
    const caller = call(await serve({}, { allowsControl: true }), {});
    await caller.unary("RepositoryModelUnload", { model_name: "tiny" });
    expect(await caller.unary("RepositoryIndex")).toMatchObject({ models: [{ name: "tiny", state: "UNAVAILABLE" }] });
    await caller.unary("RepositoryModelLoad", { model_name: "tiny" });
    expect(await caller.unary("RepositoryIndex")).toMatchObject({ models: [{ name: "tiny", state: "READY" }] });
  });
});

describe("settings of the model server's access", () => {
  const read = (environment: Record<string, string>) => () => readModelServerAccess(readSettings(environment));

  it("names the setting and the file that cannot be used, never what is in it", () => {
    const missing = join(folder, "missing");
    expect(read({ PACKSHOT_MODEL_SERVER_TOKEN_FILE: missing })).toThrow(`TOKEN_FILE names ${missing}, which cannot be`);
    const short = file("short", "hush-hush");
    expect(read({ PACKSHOT_MODEL_SERVER_TOKEN_FILE: short })).toThrow(/at least 32 characters/);
    expect(read({ PACKSHOT_MODEL_SERVER_TOKEN_FILE: short })).not.toThrow(/hush/);
    expect(read({ PACKSHOT_MODEL_SERVER_TLS_CERT_FILE: short })).toThrow(/set together/);
    expect(read({ PACKSHOT_MODEL_SERVER_TOKEN: `${token},short` })).toThrow(/PACKSHOT_MODEL_SERVER_TOKEN must have/);
  });

  it("is open and without TLS by default", () => {
    const { tokens, certificates } = read({})();
    expect([tokens(), certificates]).toEqual([[], undefined]);
  });
});
