/** The chart's values: each is described, and a wrong one is refused with a message that says where and what. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isPublicAddress } from "@packshot/platform/outbound/address-guard.ts";
import ipaddr from "ipaddr.js";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { tryChart } from "../../testing/deploy/chart.ts";

const chart = fileURLToPath(new URL("../../deploy/helm/", import.meta.url));

interface Schema {
  readonly description?: string;
  readonly type?: string;
  readonly $ref?: string;
  readonly additionalProperties?: boolean | Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const schema = JSON.parse(readFileSync(`${chart}values.schema.json`, "utf8")) as Schema;
const values = parse(readFileSync(`${chart}values.yaml`, "utf8")) as Readonly<Record<string, unknown>>;

function resolve(node: Schema): Schema {
  return node.$ref === undefined ? node : schema.$defs![node.$ref.replace("#/$defs/", "")]!;
}

/** Every place below `node`, by its path. */
function walk(node: Schema, path: string): [string, Schema][] {
  const resolved = resolve(node);
  return [
    [path, node],
    ...Object.entries(resolved.properties ?? {}).flatMap(([name, child]) => walk(child, `${path}.${name}`)),
    ...(resolved.items ? walk(resolved.items, `${path}[]`) : []),
    ...(typeof resolved.additionalProperties === "object" ? walk(resolved.additionalProperties, `${path}.*`) : []),
  ];
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

describe("networks that the internet rule leaves out", () => {
  const { privateNetworks } = values.networkPolicy as { privateNetworks: { v4: string[]; v6: string[] } };
  const parsed = [...privateNetworks.v4, ...privateNetworks.v6].map((cidr) => ipaddr.parseCIDR(cidr));
  const isLeftOut = (text: string) => {
    const address = ipaddr.parse(text);
    return parsed.some(
      ([network, bits]) =>
        network.kind() === address.kind() && (address as ipaddr.IPv4).match(network as ipaddr.IPv4, bits),
    );
  };
  const hex = (group: number) => group.toString(16);

  test("are those that the product's own guard refuses", () => {
    // Two unions of networks are the same if they agree around the ends of each network of both.
    const ofGuard = ["198.18.0.0/15", "168.63.129.16/32", "2000::/3", "2001::/23", "2002::/16", "3fff::/20"];
    const known = [ipaddr.IPv4.prototype, ipaddr.IPv6.prototype].flatMap(
      (kind) =>
        Object.values((kind as unknown as { SpecialRanges: object }).SpecialRanges).flat(9) as (Address | number)[],
    );
    const special = known.flatMap((part, n) => (typeof part === "number" ? [[known[n - 1], part] as Network] : []));
    const networks = [...parsed, ...special, ...ofGuard.map((cidr) => ipaddr.parseCIDR(cidr))];
    const ends = networks.flatMap(([network, bits]) => edgesOf(network.toByteArray(), bits));
    const coarse = Array.from({ length: 256 }, (_, n) => [`${n}.7.7.7`, `${hex(n * 256)}:7::7`]).flat();
    // The guard looks into NAT64, which the rule leaves out whole.
    const isNat64 = (text: string) => text.startsWith("64:ff9b::");
    expect(ends.length).toBeGreaterThan(150);
    const differing = [...ends, ...coarse].filter(
      (address) => !isNat64(address) && isLeftOut(address) === isPublicAddress(address),
    );
    expect(differing).toEqual([]);
  });

  test("have NAT64 among them, by which every private network could be reached", () => {
    for (const inside of ["a00:1", "a9fe:a9fe", "808:808"]) expect(isLeftOut(`64:ff9b::${inside}`)).toBe(true);
  });
});

/** The first and the last address of a network, and those before and after it. */
function edgesOf(bytes: readonly number[], bits: number): string[] {
  const size = BigInt(bytes.length * 8);
  const first = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  const last = first + (1n << (size - BigInt(bits))) - 1n;
  return [first - 1n, first, last, last + 1n]
    .filter((value) => value >= 0n && value < 1n << size)
    .map((value) =>
      Array.from({ length: bytes.length }, (_, n) => Number((value >> (size - 8n * BigInt(n + 1))) & 255n)),
    )
    .map((parts) => ipaddr.fromByteArray(parts).toString());
}

test("every value has a description, and every object says which values it has", () => {
  const places = walk(schema, "");
  expect(places.length).toBeGreaterThan(300);
  for (const [path, node] of places) {
    expect(node.description, path).toMatch(/\S{2,}.*[.:]$/);
    const { properties, additionalProperties } = resolve(node);
    if (properties !== undefined) expect(additionalProperties, path).toBe(false);
  }
});

test("values.yaml names every value of the schema", () => {
  const missing = (node: Schema, value: unknown, path: string): string[] => {
    const { properties = {} } = resolve(node);
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(properties).flatMap(([name, child]) =>
      name in value ? missing(child, (value as Record<string, unknown>)[name], `${path}.${name}`) : [`${path}.${name}`],
    );
  };
  // `global` is Helm's own, and `modelServer.image` holds only what differs from `image`.
  const allowed = [
    ".global",
    ...["registry", "repository", "tag", "digest"].map((name) => `.modelServer.image.${name}`),
  ];
  expect(missing(schema, values, "").filter((path) => !allowed.includes(path))).toEqual([]);
});

/** A wrong value, and what helm must say. */
const wrong: readonly (readonly [object, RegExp])[] = [
  [{ wroker: { replicas: 3 } }, /'wroker' not allowed/],
  [{ worker: { replica: 3 } }, /'\/worker': .*'replica' not allowed/],
  [{ worker: { replicas: "three" } }, /'\/worker\/replicas': got string, want integer/],
  [{ worker: { replicas: -1 } }, /'\/worker\/replicas': minimum: got -1, want 0/],
  [{ worker: { slots: 0 } }, /'\/worker\/slots': minimum: got 0, want 1/],
  [{ worker: { resources: { limits: { memory: null } } } }, /resources\/limits': missing property 'memory'/],
  [{ api: { service: { type: "Loadbalancer" } } }, /'\/api\/service\/type': value must be one of 'ClusterIP'/],
  [{ api: { autoscaling: { targetCpuPercent: 700 } } }, /targetCpuPercent': maximum: got 700, want 100/],
  [{ nats: { replicas: 2 } }, /'\/nats\/replicas': value must be one of 1, 3, 5/],
  [{ nats: { stateStreams: "2" } }, /'\/nats\/stateStreams': value must be one of '', '1', '4'/],
  [{ nats: { storage: "20GB" } }, /'\/nats\/storage': '20GB' does not match pattern/],
  [{ nats: { url: "nats.engines:4222" } }, /'\/nats\/url': 'nats.engines:4222' does not match pattern/],
  [{ storage: { type: "nfs" } }, /'\/storage\/type': value must be/],
  [{ storage: { volume: { accessMode: "RWX" } } }, /accessMode': value must be one of 'ReadWriteOnce'/],
  [{ image: { tag: "latest" } }, /'\/image\/tag': 'latest' does not match pattern/],
  [{ image: { digest: "sha256:abc" } }, /'\/image\/digest': 'sha256:abc' does not match pattern/],
  [{ publicUrl: "photos.example.com" }, /'\/publicUrl': 'photos.example.com' does not match pattern/],
  [{ publicUrl: "https://photos.example.com/" }, /'\/publicUrl'/],
  [{ existingSecret: "" }, /'\/existingSecret': minLength: got 0, want 1/],
  [{ settings: { PACKSHOT_LOG_MAX_BYTES: 85_899_345_920 } }, /PACKSHOT_LOG_MAX_BYTES': got number, want string/],
  [{ settings: { LOG_LEVEL: "info" } }, /'LOG_LEVEL' does not match pattern/],
  [{ modelServer: { mode: "daemonset" } }, /'\/modelServer\/mode': value must be one of 'apart', 'sidecar'/],
  [{ modelServer: { gpu: { enabled: "yes" } } }, /'\/modelServer\/gpu\/enabled': got string, want boolean/],
  [{ modelServer: { gpu: { count: 16 } } }, /'\/modelServer\/gpu\/count': maximum: got 16, want 8/],
  [{ modelServer: { models: { pull: [{ name: "u2net", sha256: "abc" }] } } }, /sha256': 'abc' does not match/],
  [{ imageModel: { enabled: true, name: "Klein" } }, /'\/imageModel\/name': 'Klein' does not match pattern/],
  [{ imageModel: { enabled: true } }, /imageModel\.enabled needs imageModel\.name/],
  [{ imageModel: { enabled: true, name: "klein" } }, /needs either imageModel\.manifest or imageModel\.existingClaim/],
  [
    { imageModel: { enabled: true, name: "klein", manifest: { name: "x" }, existingClaim: "c" } },
    /needs either imageModel\.manifest or imageModel\.existingClaim/,
  ],
  [
    { imageModel: { enabled: true, name: "klein", manifest: { name: "x" } } },
    /must be the name in imageModel\.manifest/,
  ],
  [
    { worker: { autoscaling: { natsMonitoring: "keda:secret@nats.engines:8222" } } },
    /natsMonitoring': 'keda:secret@nats.engines:8222' does not match pattern/,
  ],
  [
    { worker: { autoscaling: { enabled: true } }, nats: { url: "nats://nats.engines:4222" } },
    /needs worker\.autoscaling\.natsMonitoring or natsAuthentication/,
  ],
  [
    { worker: { autoscaling: { prometheus: { authModes: "basic,bearer" } } } },
    /authModes': 'basic,bearer' does not match pattern/,
  ],
  [
    { worker: { autoscaling: { enabled: true, prometheus: { address: "http://prometheus:9090", authModes: "tls" } } } },
    /authModes needs worker\.autoscaling\.prometheus\.authentication/,
  ],
  [{ ingress: { trustedProxies: 11 } }, /trustedProxies': maximum: got 11, want 10/],
  [{ existingSecrets: "packshot" }, /'existingSecrets' not allowed/],
];

describe("wrong values", { tags: ["helm"] }, () => {
  test.each(wrong)("%j is refused", (value, message) => {
    const { status, output } = tryChart({ values: value });
    expect(status).toBe(1);
    expect(output).toMatch(message);
  });
});
