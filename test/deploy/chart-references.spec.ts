/**
 * The chart's objects name each other: selectors, ports, accounts, scale targets and policies must fit together.
 * @module-tag helm
 */
import { describe, expect, test } from "vitest";
import { renderChart } from "../../testing/deploy/chart.ts";
import { chartCases } from "../../testing/deploy/chart-cases.ts";
import { type KubernetesObject, matches, ofKind, type PodOf, podsOf } from "../../testing/deploy/kubernetes-objects.ts";
import { isMissing } from "../../testing/programs.ts";

const rendered = !isMissing("helm")
  ? Object.entries(chartCases).map(([name, values]) => ({ name, objects: renderChart(values) }))
  : [];

const nameOf = ({ kind, metadata }: KubernetesObject) => `${kind}/${metadata.name}`;

function selected(pods: readonly PodOf[], selector: Readonly<Record<string, string>>): PodOf[] {
  return pods.filter(({ labels }) => matches(selector, labels));
}

describe("objects of the chart", () => {
  test("workloads, services, budgets, policies and monitors select pods that are there", () => {
    for (const { name, objects } of rendered) {
      const pods = podsOf(objects);
      for (const { owner, labels, object } of pods.filter(({ object }) => object.spec.selector))
        expect(matches(object.spec.selector.matchLabels, labels), `${name}: ${owner}`).toBe(true);
      for (const service of ofKind(objects, "Service")) {
        const found = selected(pods, service.spec.selector);
        expect(found.length, `${name}: ${nameOf(service)}`).toBeGreaterThan(0);
        const ports = found.flatMap(({ spec }) =>
          [...spec.containers, ...(spec.initContainers ?? [])].flatMap((container) => container.ports ?? []),
        );
        for (const { targetPort } of service.spec.ports)
          expect(
            ports.map((port) => port.name),
            `${name}: ${nameOf(service)}`,
          ).toContain(targetPort);
      }
      for (const kind of ["PodDisruptionBudget", "NetworkPolicy"])
        for (const object of ofKind(objects, kind)) {
          const selector = object.spec.selector ?? object.spec.podSelector;
          expect(selected(pods, selector.matchLabels).length, `${name}: ${nameOf(object)}`).toBeGreaterThan(0);
        }
      const monitored = ofKind(objects, "ServiceMonitor").flatMap(({ spec }) =>
        ofKind(objects, "Service").filter(({ metadata }) => matches(spec.selector.matchLabels, metadata.labels!)),
      );
      expect(monitored.length, name).toBe(ofKind(objects, "ServiceMonitor").length);
    }
  });

  test("each process of ours is behind the service that Prometheus reads, and has its annotations", () => {
    for (const { name, objects } of rendered) {
      const [service] = ofKind(objects, "Service").filter(({ metadata }) => metadata.name.endsWith("-metrics"));
      const scraped = selected(podsOf(objects), service!.spec.selector).map(({ owner }) => owner.replace(/.*-/, ""));
      const ours = ["api", "worker", "webhooks"].concat(
        ofKind(objects, "Deployment").some(({ metadata }) => metadata.name.endsWith("model-server")) ? ["server"] : [],
        ofKind(objects, "Deployment").some(({ metadata }) => metadata.name.endsWith("image-model")) ? ["model"] : [],
      );
      expect(scraped.toSorted(), name).toEqual(ours.toSorted());
    }
  });

  test("accounts, scale targets and ingress backends are there", () => {
    for (const { name, objects } of rendered) {
      const accounts = ofKind(objects, "ServiceAccount");
      for (const account of accounts) expect(account.automountServiceAccountToken, name).toBe(false);
      for (const { owner, spec } of podsOf(objects))
        expect(
          accounts.map(({ metadata }) => metadata.name),
          `${name}: ${owner}`,
        ).toContain(spec.serviceAccountName);
      const used = new Set(podsOf(objects).map(({ spec }) => spec.serviceAccountName));
      expect(accounts.filter(({ metadata }) => !used.has(metadata.name)).map(nameOf), name).toEqual([]);
      const deployments = ofKind(objects, "Deployment");
      for (const scaler of [...ofKind(objects, "ScaledObject"), ...ofKind(objects, "HorizontalPodAutoscaler")]) {
        const target = deployments.find(({ metadata }) => metadata.name === scaler.spec.scaleTargetRef.name);
        // Two that set the replicas would fight.
        expect(target?.spec, `${name}: ${nameOf(scaler)}`).not.toHaveProperty("replicas");
      }
      for (const { spec } of ofKind(objects, "Ingress"))
        for (const { service } of spec.rules[0].http.paths.map((path: { backend: object }) => path.backend)) {
          const found = ofKind(objects, "Service").find(({ metadata }) => metadata.name === service.name);
          expect(found?.spec.ports).toMatchObject([{ name: service.port.name }]);
        }
    }
  });

  test("KEDA adds up the four lanes, under the names that nats-server knows", () => {
    const scalers = rendered.flatMap(({ objects }) => ofKind(objects, "ScaledObject"));
    const workers = scalers.filter(({ metadata }) => metadata.name.endsWith("-worker"));
    expect(workers.length).toBeGreaterThan(1);
    for (const { spec } of workers) {
      const lanes = spec.triggers.filter(({ type }: { type: string }) => type === "nats-jetstream");
      expect(lanes).toMatchObject(
        [0, 1, 2, 3].map((lane) => ({
          name: `lane${lane}`,
          metadata: { stream: "PS_READY", consumer: `lane-${lane}` },
        })),
      );
      expect(spec.advanced.scalingModifiers).toMatchObject({
        formula: expect.stringContaining("lane0 + lane1 + lane2 + lane3"),
        metricType: "AverageValue",
      });
      for (const trigger of spec.triggers) expect(spec.advanced.scalingModifiers.formula).toContain(trigger.name);
    }
  });

  test("workers scale by the lanes alone while Prometheus is away, and the last one stays while nats-server does not answer", () => {
    const scalerOf = (autoscaling: object) =>
      ofKind(
        renderChart({ values: { worker: { autoscaling: { enabled: true, ...autoscaling } } } }),
        "ScaledObject",
      )[0]!.spec;
    const prometheus = { address: "http://prometheus:9090" };
    const { fallback, advanced } = scalerOf({ prometheus });
    expect(fallback).toMatchObject({ behavior: "scalingModifiers" });
    // KEDA gives "nil" for a trigger that fails.
    expect(advanced.scalingModifiers.formula).toContain("(age ?? 0) > 30");
    expect(scalerOf({ minReplicas: 0 })).toMatchObject({
      minReplicaCount: 0,
      fallback: { replicas: 1, behavior: "currentReplicasIfHigher" },
    });
    expect(scalerOf({ minReplicas: 3 }).fallback.replicas).toBe(3);
    // It takes a sum that cannot be made for no work, and "nil" for as many as the fallback says.
    const toNone = scalerOf({ minReplicas: 0, prometheus });
    expect(toNone).toMatchObject({ minReplicaCount: 0, fallback: { replicas: 1, behavior: "scalingModifiers" } });
    expect(toNone.advanced.scalingModifiers.formula).toBe(
      `lane0 == nil || lane1 == nil || lane2 == nil || lane3 == nil ? nil : (${advanced.scalingModifiers.formula})`,
    );
  });

  test("KEDA is told how nats-server's monitoring and Prometheus are asked", () => {
    const autoscaling = {
      enabled: true,
      natsMonitoring: "monitor.engines:8443",
      natsMonitoringHttps: true,
      natsAccount: "PHOTOS",
      natsAuthentication: "nats-monitoring",
      prometheus: { address: "https://prometheus:9090", authModes: "bearer", authentication: "prometheus-token" },
    };
    const [scaler] = ofKind(renderChart({ values: { worker: { autoscaling } } }), "ScaledObject");
    const triggers = scaler!.spec.triggers as readonly { type: string; metadata: object; authenticationRef: object }[];
    for (const { type, metadata, authenticationRef } of triggers) {
      if (type === "nats-jetstream") {
        const server = { natsServerMonitoringEndpoint: "monitor.engines:8443", useHttps: "true", account: "PHOTOS" };
        expect(metadata).toMatchObject(server);
        expect(authenticationRef).toEqual({ name: "nats-monitoring" });
      } else {
        expect(metadata).toMatchObject({ serverAddress: "https://prometheus:9090", authModes: "bearer" });
        expect(authenticationRef).toEqual({ name: "prometheus-token" });
      }
    }
    expect(triggers).toHaveLength(5);
  });

  test("all traffic is denied but what a policy names: who may speak to whom", () => {
    const objects = renderChart();
    const pods = podsOf(objects);
    const policies = ofKind(objects, "NetworkPolicy");
    const deny = policies.find(({ metadata }) => metadata.name === "packshot-deny")!;
    expect(deny.spec).toMatchObject({ policyTypes: ["Ingress", "Egress"] });
    expect(deny.spec).not.toHaveProperty("ingress");
    expect(selected(pods, deny.spec.podSelector.matchLabels)).toHaveLength(pods.length);

    const component = ({ labels }: PodOf) => labels["app.kubernetes.io/component"]!;
    const policyOf = (name: string) => policies.find(({ metadata }) => metadata.name === `packshot-${name}`)!.spec;
    interface Rule {
      readonly from?: readonly { readonly podSelector?: { matchLabels: Record<string, string> } }[];
      readonly to?: Rule["from"];
      readonly ports: readonly { readonly port: string | number }[];
    }
    const peers = (list: Rule["from"] = []) =>
      list.flatMap(({ podSelector }) => (podSelector ? selected(pods, podSelector.matchLabels).map(component) : []));
    const into = (name: string, port: string) =>
      (policyOf(name).ingress as Rule[])
        .filter(({ ports }) => ports.some((one) => one.port === port))
        .flatMap(({ from }) => peers(from))
        .toSorted();
    const outOf = (name: string) =>
      (policyOf(name).egress as Rule[]).flatMap(({ to, ports }) =>
        peers(to).map((peer) => `${peer}:${ports[0]!.port}`),
      );

    expect(into("nats", "client")).toEqual(["api", "migrate", "webhooks", "worker"]);
    expect(into("nats", "cluster")).toEqual(["nats"]);
    expect(into("model-server", "grpc")).toEqual(["worker"]);
    expect(into("redis", "redis")).toEqual(["api"]);
    expect(into("api", "admin")).toEqual(["test"]);
    expect(outOf("api").toSorted()).toEqual(["nats:4222", "redis:6379"]);
    expect(outOf("worker").toSorted()).toEqual(["model-server:8001", "nats:4222"]);
    expect(outOf("webhooks")).toEqual(["nats:4222"]);
    expect(outOf("migrate")).toEqual(["nats:4222"]);
    expect(outOf("model-server")).toEqual([]);
    expect(outOf("redis")).toEqual([]);
  });

  test("nothing outside is reached where internet is false", () => {
    const { objects } = rendered.find(({ name }) => name === "example air-gapped")!;
    const blocks = ofKind(objects, "NetworkPolicy").flatMap(({ spec }) =>
      (spec.egress ?? []).flatMap(({ to }: { to: { ipBlock?: { cidr: string } }[] }) =>
        to.flatMap(({ ipBlock }) => ipBlock?.cidr ?? []),
      ),
    );
    expect(new Set(blocks)).toEqual(new Set(["10.20.0.0/24"]));
  });
});
