/** Settings reach the processes that read them, and what stands around these lets them do it: policies, users, proxies. */

import { builtInPlans } from "@packshot/domain/accounts/plan.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { uploadBytesMax } from "@packshot/domain/uploads/upload.ts";
import { natsServices } from "@packshot/log/operate/permissions.ts";
import { settingsTable } from "@packshot/platform/config/settings.ts";
import { describe, expect, test } from "vitest";
import { type ChartValues, exampleNames, renderChart } from "../../testing/deploy/chart.ts";
import { containersOf, type KubernetesObject, ofKind, podsOf } from "../../testing/deploy/kubernetes-objects.ts";
import { isMissing } from "../../testing/programs.ts";

/** By component, what its environment says. */
function environments(values: ChartValues): ReadonlyMap<string, Readonly<Record<string, string | undefined>>> {
  return new Map(
    podsOf(renderChart(values)).map((pod) => {
      const variables = containersOf(pod).flatMap(({ env = [] }) => env);
      const component = pod.labels["app.kubernetes.io/component"]!;
      return [component, Object.fromEntries(variables.map(({ name, value }) => [name, value]))] as const;
    }),
  );
}

/** A setting, a value of it, and who reads it. */
const readers: readonly (readonly [keyof typeof settingsTable, string, readonly string[]])[] = [
  ["PACKSHOT_CORS_ORIGINS", "https://shop.example,https://admin.shop.example", ["api", "migrate"]],
  ["PACKSHOT_ALLOW_CONNECTIONS", "minio.storage.svc:9000", ["api", "worker"]],
  ["PACKSHOT_DESTINATION_TIMEOUT_MS", "30000", ["api", "worker"]],
  ["PACKSHOT_DROP_IN_WAIT_SECONDS", "90", ["api"]],
  ["PACKSHOT_PLANS_FILE", "/etc/packshot/plans.json", ["api"]],
  ["PACKSHOT_RETENTION_SECONDS", "7200", ["api", "worker", "migrate"]],
  ["PACKSHOT_ALLOW_WEBHOOKS", "hooks.shop.svc:*", ["api", "webhooks"]],
];

describe("settings of the chart", { tags: ["helm"] }, () => {
  test("reach every process that reads them, with each kind of storage", () => {
    const settings = Object.fromEntries(readers.map(([name, value]) => [name, value]));
    for (const storage of [{}, { type: "s3", s3: { bucket: "photos" } }]) {
      const found = environments({ values: { settings, storage } });
      for (const [name, value, components] of readers) {
        expect(() => settingsTable[name].parse(value), name).not.toThrow();
        for (const component of components) expect(found.get(component)?.[name], `${component} ${name}`).toBe(value);
      }
    }
  });

  test("of one component win over those of all", () => {
    const settings = { PACKSHOT_DROP_IN_WAIT_SECONDS: "90", PACKSHOT_DESTINATION_TIMEOUT_MS: "30000" };
    const values = { settings, api: { settings: { PACKSHOT_DROP_IN_WAIT_SECONDS: "20" } } };
    const found = environments({ values });
    expect(found.get("api")).toMatchObject({ ...settings, PACKSHOT_DROP_IN_WAIT_SECONDS: "20" });
    expect(found.get("worker")).toMatchObject(settings);
  });

  test("API, workers and webhook service reach customers' endpoints in the internet, and the others nothing there", () => {
    const reach = componentsWithEgress(renderChart(), "0.0.0.0/0");
    expect(reach).toEqual(["api", "test", "webhooks", "worker"]);
    expect(componentsWithEgress(renderChart({ values: { networkPolicy: { internet: false } } }), "0.0.0.0/0")).toEqual(
      [],
    );
  });

  test("names are asked of the cluster's DNS only, or of what the operator says", () => {
    const dnsPeers = (values: ChartValues) => {
      const rules = ofKind(renderChart(values), "NetworkPolicy").flatMap(
        ({ spec }) => (spec.egress ?? []) as EgressRule[],
      );
      return rules.filter(({ ports = [] }) => ports.some(({ port }) => port === 53)).map(({ to }) => to);
    };
    const [peer, ...others] = dnsPeers({});
    expect(peer).toEqual([
      {
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "kube-system" } },
        podSelector: { matchLabels: { "k8s-app": "kube-dns" } },
      },
    ]);
    for (const other of others) expect(other).toEqual(peer);
    const dnsTo = [{ ipBlock: { cidr: "169.254.20.10/32" } }];
    for (const own of dnsPeers({ values: { networkPolicy: { dnsTo } } })) expect(own).toEqual(dnsTo);
  });

  test("an endpoint inside of the cluster is reached where it is named", () => {
    const to = [{ ipBlock: { cidr: "10.7.0.9/32" } }];
    const extraEgress = [{ to, ports: [{ port: 9000, protocol: "TCP" }] }];
    const reach = componentsWithEgress(renderChart({ values: { networkPolicy: { extraEgress } } }), "10.7.0.9/32");
    expect(reach).toEqual(expect.arrayContaining(["api", "webhooks", "worker"]));
    expect(reach).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(nats|redis)$/)]));
  });

  test("nats-server's users may write every kind of record, and ask for links to customers' buckets", () => {
    const [files] = renderChart().filter(({ kind }) => kind === "ConfigMap");
    const users = usersIn(files!.data["users.conf"] as string);
    const written = [
      ...[subjects.account("*"), subjects.erasure("*"), subjects.batch("*", "*"), subjects.connection("*", "*")],
      ...[subjects.preset("*", "*"), subjects.audit("*", "*")],
      ...(["connections", "presets", "batches", "uploads"] as const).map((kind) => subjects.index("*", kind)),
    ];
    for (const subject of written) expect(users.get("api")?.publish, subject).toContain(`"${subject}"`);
    expect(users.get("api")?.subscribe).toContain(`"${subjects.bucketLink}"`);
    expect(users.get("worker")?.publish).toContain(`"${subjects.bucketLink}"`);
    for (const name of natsServices.filter((service) => service !== "api" && users.has(service)))
      for (const subject of written)
        expect(users.get(name)?.publish, `${name} ${subject}`).not.toContain(`"${subject}"`);
  });
});

const bytesOf = (size: string) => Number.parseInt(size, 10) * 1024 ** 2;

describe("an example behind nginx", { tags: ["helm"] }, () => {
  const rendered = !isMissing("helm")
    ? exampleNames.map((name) => [name, renderChart({ example: name })] as const)
    : [];
  const behindNginx = rendered.filter(([, objects]) =>
    ofKind(objects, "Ingress").some(({ spec }) => spec.ingressClassName === "nginx"),
  );

  test("is there", () => expect(behindNginx.length).toBeGreaterThan(1));

  test.each(behindNginx)("%s: is waited for as long as the API waits, and takes the largest file", (_, objects) => {
    const [ingress] = ofKind(objects, "Ingress");
    const annotation = (name: string) => ingress!.metadata.annotations?.[`nginx.ingress.kubernetes.io/${name}`] ?? "";
    // Long polls wait as long as the drop-in does; nginx would give up at the same moment.
    expect(Number(annotation("proxy-read-timeout"))).toBeGreaterThan(
      settingsTable.PACKSHOT_DROP_IN_WAIT_SECONDS.default!,
    );
    const largest = Math.max(...builtInPlans.map(({ limits }) => limits.maxFileSizeBytes));
    expect(annotation("proxy-body-size")).toMatch(/^\d+m$/);
    expect(bytesOf(annotation("proxy-body-size"))).toBeGreaterThan(largest);
    // Rows of a batch come through the API where no bucket takes them.
    const rows = uploadBytesMax("text/csv", builtInPlans[0]!.limits);
    if (!uses(objects, "PACKSHOT_S3_BUCKET"))
      expect(bytesOf(annotation("proxy-body-size"))).toBeGreaterThanOrEqual(rows);
  });
});

function uses(objects: readonly KubernetesObject[], setting: string): boolean {
  return podsOf(objects).some((pod) =>
    containersOf(pod).some(({ env = [] }) => env.some(({ name }) => name === setting)),
  );
}

interface EgressRule {
  readonly to?: readonly { readonly ipBlock?: { readonly cidr: string } }[];
  readonly ports?: readonly { readonly port: number | string }[];
}

function componentsWithEgress(objects: readonly KubernetesObject[], cidr: string): string[] {
  return ofKind(objects, "NetworkPolicy")
    .filter(({ spec }) =>
      ((spec.egress ?? []) as EgressRule[]).some(({ to = [] }) => to.some(({ ipBlock }) => ipBlock?.cidr === cidr)),
    )
    .map(({ spec }) => spec.podSelector.matchLabels["app.kubernetes.io/component"] as string)
    .toSorted();
}

/** By name, the lists of subjects in nats-server's configuration. */
function usersIn(config: string): ReadonlyMap<string, { readonly publish: string; readonly subscribe: string }> {
  return new Map(
    config
      .split(/(?=user: ")/)
      .slice(1)
      .map((text) => {
        const [publish = "", subscribe = ""] = text.split(/\bsubscribe\b/);
        return [/user: "(\w+)"/.exec(text)![1]!, { publish, subscribe }] as const;
      }),
  );
}
