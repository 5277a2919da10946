/** The chart's values: each is described, and a wrong one is refused with a message that says where and what. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
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
