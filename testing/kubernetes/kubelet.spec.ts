/**
 * What the tests of the chart rely on: that our kubelet runs pods as Kubernetes does.
 * @module-tag long
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Cluster } from "./cluster/cluster-client.ts";
import { startCluster } from "./cluster/start-cluster.ts";
import { describeOnCluster } from "./describe-on-cluster.ts";

const timeoutMs = 600_000;

/** A pod of our image that runs a line of JavaScript. */
function pod(name: string, script: string, { pod = {}, container = {} } = {}): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, labels: { app: name } },
    spec: {
      terminationGracePeriodSeconds: 20,
      containers: [{ name: "main", image: "packshot:test", args: ["-e", script], ...container }],
      ...pod,
    },
  });
}

const serve = (answer: string) => `http.createServer((request, response) => response.end(${answer})).listen(8080)`;
/** It is ready when it listens. A first process has no default handlers of signals. */
const listening = { readinessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 1 } };
const endsOn = (signal: string) => `process.on("${signal}", () => process.exit())`;

describeOnCluster("a kubelet that runs pods as processes", () => {
  let cluster: Cluster;
  const kubectl = (...args: readonly string[]) => cluster.kubectl(...args);
  const untilReady = (name: string) => kubectl("wait", "--for=condition=Ready", `pod/${name}`, "--timeout=300s");
  const untilPhase = (name: string, phase: string) =>
    kubectl("wait", `--for=jsonpath={.status.phase}=${phase}`, `pod/${name}`, "--timeout=300s");
  const untilWaiting = (name: string, why: string) =>
    kubectl(
      "wait",
      `--for=jsonpath={.status.containerStatuses[0].state.waiting.reason}=${why}`,
      `pod/${name}`,
      "--timeout=300s",
    );
  const logsOf = (name: string, ...args: readonly string[]) => kubectl("logs", name, ...args);

  beforeAll(async () => {
    cluster = await startCluster();
  }, timeoutMs);
  afterAll(async () => await cluster?.stop());

  test("gives a container its environment, from secrets, config maps and its own fields", {
    timeout: timeoutMs,
  }, async () => {
    await kubectl("create", "secret", "generic", "keys", "--from-literal=KEY=secret value");
    await kubectl("create", "configmap", "settings", "--from-literal=LEVEL=debug", "--from-literal=COLOR=red");
    const env = [
      { name: "KEY", valueFrom: { secretKeyRef: { name: "keys", key: "KEY" } } },
      { name: "NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
      { name: "ADDRESS", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } },
      { name: "BYTES", valueFrom: { resourceFieldRef: { resource: "limits.memory" } } },
      { name: "BOTH", value: "$(NAME) $(LEVEL) $$(NAME)" },
    ];
    const script = `const { KEY, NAME, ADDRESS, BYTES, BOTH, COLOR } = process.env;
      const addresses = Object.values(os.networkInterfaces()).flat().map(({ address }) => address);
      console.log(JSON.stringify({ KEY, NAME, BYTES, BOTH, COLOR, own: addresses.includes(ADDRESS), host: os.hostname() }))`;
    const container = {
      env,
      envFrom: [{ configMapRef: { name: "settings" } }],
      resources: { limits: { memory: "64Mi" } },
    };
    await cluster.apply(pod("environment", script, { pod: { restartPolicy: "Never" }, container }));
    await untilPhase("environment", "Succeeded");
    expect(JSON.parse(await logsOf("environment"))).toEqual({
      KEY: "secret value",
      NAME: "environment",
      BYTES: String(64 * 1024 * 1024),
      BOTH: "environment debug $(NAME)",
      COLOR: "red",
      own: true,
      host: "environment",
    });
  });

  test("mounts volumes, runs init containers first, and keeps a read-only root", { timeout: timeoutMs }, async () => {
    await kubectl("create", "secret", "generic", "files", "--from-literal=token=abc");
    await cluster.apply(
      JSON.stringify({
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        metadata: { name: "disk" },
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
      }),
    );
    const volumeMounts = [
      { name: "scratch", mountPath: "/scratch" },
      { name: "disk", mountPath: "/disk" },
      { name: "files", mountPath: "/etc/files", readOnly: true },
    ];
    const volumes = [
      { name: "scratch", emptyDir: {} },
      { name: "disk", persistentVolumeClaim: { claimName: "disk" } },
      { name: "files", secret: { secretName: "files" } },
    ];
    const initContainers = [
      { name: "first", image: "packshot:test", args: ["-e", 'fs.writeFileSync("/scratch/a", "1")'], volumeMounts },
      {
        name: "second",
        image: "packshot:test",
        args: ["-e", 'fs.writeFileSync("/disk/b", fs.readFileSync("/scratch/a") + "2")'],
        volumeMounts,
      },
    ];
    const script = `const attempt = (path) => { try { fs.writeFileSync(path, "") } catch ({ code }) { return code } };
      console.log(fs.readFileSync("/disk/b") + fs.readFileSync("/etc/files/token"), attempt("/x"), attempt("/usr/x"),
        attempt("/packshot/x"), attempt("/etc/files/x"), attempt("/scratch/x"), fs.existsSync("/packshot/package.json"))`;
    const container = {
      volumeMounts,
      securityContext: { readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } },
    };
    await cluster.apply(
      pod("volumes", script, { pod: { restartPolicy: "Never", volumes, initContainers }, container }),
    );
    await untilPhase("volumes", "Succeeded");
    expect((await logsOf("volumes")).trim()).toBe("12abc EROFS EROFS EROFS EROFS undefined true");
  });

  test("resolves names of services, and sends connections to ready pods only", { timeout: timeoutMs }, async () => {
    const ready = (path: string) => ({
      ports: [{ name: "http", containerPort: 8080 }],
      readinessProbe: { httpGet: { path, port: "http" }, periodSeconds: 1 },
    });
    const labels = { labels: { part: "web" } };
    for (const [name, status] of [
      ["web-1", 200],
      ["web-2", 503],
    ] as const) {
      const script = `http.createServer((request, response) => { response.statusCode = ${status}; response.end(os.hostname()) }).listen(8080)`;
      const written = JSON.parse(pod(name, script, { container: ready("/") }));
      await cluster.apply(JSON.stringify({ ...written, metadata: { name, ...labels } }));
    }
    for (const [name, clusterIP] of [
      ["web", undefined],
      ["web-pods", "None"],
    ] as const) {
      const ports = [{ name: "http", port: 80, targetPort: "http" }];
      await cluster.apply(
        JSON.stringify({
          apiVersion: "v1",
          kind: "Service",
          metadata: { name },
          spec: { clusterIP, selector: { part: "web" }, ports },
        }),
      );
    }
    await untilReady("web-1");
    await kubectl(
      "wait",
      "--for=jsonpath={.endpoints[*].conditions.ready}=true",
      "endpointslice",
      "--selector=kubernetes.io/service-name=web",
      "--timeout=300s",
    ).catch(() => {});
    const script = `const answers = new Set();
      for (let count = 0; count < 20; count += 1) answers.add(await (await fetch("http://web.default.svc")).text());
      const { address } = await dns.promises.lookup("web-pods");
      answers.add(await (await fetch("http://" + address + ":8080")).text());
      console.log(JSON.stringify([...answers]))`;
    await cluster.apply(
      pod("client", script, {
        pod: { restartPolicy: "OnFailure" },
        container: { args: ["--input-type=module", "-e", `import dns from "node:dns"; ${script}`] },
      }),
    );
    await untilPhase("client", "Succeeded");
    expect(JSON.parse(await logsOf("client"))).toEqual(["web-1"]);
    expect(await kubectl("get", "pod", "web-2", "-o", "jsonpath={.status.conditions[?(@.type=='Ready')].status}")).toBe(
      "False",
    );
  });

  test("starts a container again later and later, and one that its liveness probe finds dead", {
    timeout: timeoutMs,
  }, async () => {
    await cluster.apply(
      pod("failing", 'console.error("what to do"); process.exit(3)', {
        container: { terminationMessagePolicy: "FallbackToLogsOnError" },
      }),
    );
    await untilWaiting("failing", "CrashLoopBackOff");
    const status = JSON.parse(
      await kubectl("get", "pod", "failing", "-o", "jsonpath={.status.containerStatuses[0].lastState.terminated}"),
    );
    expect(status).toMatchObject({ exitCode: 3, reason: "Error", message: "what to do\n" });
    const dying = `${endsOn("SIGTERM")}; let alive = 200;
        http.createServer((request, response) => { response.statusCode = alive; alive = 500; response.end() }).listen(8080)`;
    await cluster.apply(
      pod("dying", dying, {
        container: {
          startupProbe: { tcpSocket: { port: 8080 }, periodSeconds: 1 },
          livenessProbe: { httpGet: { path: "/", port: 8080 }, periodSeconds: 1, failureThreshold: 1 },
        },
      }),
    );
    await kubectl(
      "wait",
      "--for=jsonpath={.status.containerStatuses[0].restartCount}=1",
      "pod/dying",
      "--timeout=300s",
    );
    expect(await kubectl("describe", "pod", "dying")).toContain(
      "liveness probe failed: HTTP probe failed with statuscode: 500",
    );
    await kubectl("delete", "pod", "dying", "failing", "--wait=false");
  });

  test("says what is missing of a secret, and starts when it is there", { timeout: timeoutMs }, async () => {
    const env = [{ name: "KEY", valueFrom: { secretKeyRef: { name: "late", key: "KEY" } } }];
    await cluster.apply(pod("waiting", serve('"x"'), { container: { env } }));
    await untilWaiting("waiting", "CreateContainerConfigError");
    expect(await kubectl("describe", "pod", "waiting")).toContain('secret "late" not found');
    await kubectl("create", "secret", "generic", "late", "--from-literal=KEY=1");
    await untilReady("waiting");
  });

  test("stops a container by its hook, SIGTERM, and SIGKILL when its grace is over", {
    timeout: timeoutMs,
  }, async () => {
    const volumes = [{ name: "disk", persistentVolumeClaim: { claimName: "disk" } }];
    const volumeMounts = [{ name: "disk", mountPath: "/disk" }];
    const append = (text: string) => `fs.appendFileSync("/disk/end", "${text} ")`;
    const lifecycle = { preStop: { exec: { command: ["node", "-e", append("hook")] } } };
    const polite = `process.on("SIGTERM", () => { ${append("term")}; process.exit(0) }); ${serve("1")}`;
    await cluster.apply(
      pod("polite", polite, { pod: { volumes }, container: { volumeMounts, lifecycle, ...listening } }),
    );
    await untilReady("polite");
    await kubectl("delete", "pod", "polite");
    const stubborn = `process.on("SIGTERM", () => ${append("ignored")}); ${serve("1")}`;
    await cluster.apply(
      pod("stubborn", stubborn, {
        pod: { volumes, terminationGracePeriodSeconds: 3 },
        container: { volumeMounts, ...listening },
      }),
    );
    await untilReady("stubborn");
    await kubectl("delete", "pod", "stubborn");
    await cluster.apply(
      pod("reader", 'console.log(fs.readFileSync("/disk/end", "utf8"))', {
        pod: { volumes, restartPolicy: "Never" },
        container: { volumeMounts },
      }),
    );
    await untilPhase("reader", "Succeeded");
    expect((await logsOf("reader")).trim()).toBe("hook term ignored");
  });

  test("moves pods off a drained node, as far as their disruption budget allows", {
    timeout: timeoutMs,
  }, async () => {
    await cluster.apply(`
apiVersion: apps/v1
kind: Deployment
metadata: { name: spread }
spec:
  replicas: 3
  selector: { matchLabels: { app: spread } }
  template:
    metadata: { labels: { app: spread } }
    spec:
      topologySpreadConstraints:
        - { maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: ScheduleAnyway, labelSelector: { matchLabels: { app: spread } } }
      containers: [{ name: main, image: "packshot:test", args: ["-e", "process.on('SIGTERM', () => process.exit()); setInterval(() => {}, 1e6)"] }]
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: spread }
spec: { maxUnavailable: 0, selector: { matchLabels: { app: spread } } }
`);
    await kubectl("rollout", "status", "deployment/spread", "--timeout=300s");
    const nodes = () => kubectl("get", "pods", "--selector=app=spread", "-o", "jsonpath={.items[*].spec.nodeName}");
    expect((await nodes()).split(" ").sort()).toEqual(["node-a", "node-b", "node-c"]);
    const drain = (timeout: string) => kubectl("drain", "node-b", "--pod-selector=app=spread", `--timeout=${timeout}`);
    await expect(drain("5s")).rejects.toThrow("violate the pod's disruption budget");
    await kubectl("patch", "pdb", "spread", "--patch", '{"spec":{"maxUnavailable":1}}');
    await drain("300s");
    await kubectl("rollout", "status", "deployment/spread", "--timeout=300s");
    expect(await nodes()).not.toContain("node-b");
    await kubectl("uncordon", "node-b");
  });
});
