/**
 * The chart's default values, but for what pods ask for of the nodes, from the first install to the end: what an operator does, in
 * this order, while clients edit photos. Containers run on Kubernetes' own kubelet, kube-proxy and containerd, with network policies
 * that hold. The first install is that of the release before.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { connects } from "../../testing/containers/connects.ts";
import { buildReleaseImage, type ReleaseImage } from "../../testing/containers/release-image.ts";
import { standInEngines } from "../../testing/containers/stand-in-engines.ts";
import { type WrittenBundle, writeBundle } from "../../testing/containers/written-bundle.ts";
import { describeOnNodes } from "../../testing/kubernetes/describe-on-nodes.ts";
import { type NodesCluster, startNodes } from "../../testing/kubernetes/nodes/start-nodes.ts";
import { engineValues, packshotImage as image, imageValues } from "./chart-images.ts";
import { chartOf, createRelease, type Release, sharedVolume } from "./release.ts";

const timeoutMs = 1_800_000;
const waitMs = 600_000;
const namespace = "shop";
const components = ["api", "worker", "model-server", "webhooks", "nats", "redis"] as const;
type Component = (typeof components)[number];

/** Arguments of Node: prints what the kernel says of a pod's first process, and of its decoders. */
const confinements = [
  "--eval",
  `const { readdirSync, readFileSync } = require("fs");
  const of = (pid) => Object.fromEntries(readFileSync("/proc/" + pid + "/status", "utf8").split("\\n").map((line) => line.split(/:?\\s+/)));
  const decodes = (pid) => readFileSync("/proc/" + pid + "/cmdline", "utf8").split("\\0").some((word) => word.endsWith("/decoder-main.ts"));
  const pids = readdirSync("/proc").filter((name) => /^\\d+$/.test(name) && name !== String(process.pid));
  console.log(JSON.stringify({ worker: of(1), decoders: pids.filter(decodes).map(of) }));`,
];

interface PodList {
  readonly items: readonly {
    readonly metadata: { readonly name: string; readonly uid: string };
    readonly spec: { readonly nodeName: string; readonly containers: readonly { readonly image: string }[] };
    readonly status: {
      readonly containerStatuses: readonly {
        readonly containerID: string;
        readonly restartCount: number;
        readonly state: { readonly waiting?: { readonly reason: string } };
        readonly lastState: { readonly terminated?: { readonly reason: string; readonly message?: string } };
      }[];
    };
  }[];
}

describeOnNodes("test-chart", "a release of the chart", (engine) => {
  let cluster: NodesCluster;
  let release: Release;
  let previous: ReleaseImage;
  let bundle: WrittenBundle;
  const kubectl = (...args: readonly string[]) => release.kubectl(...args);
  const podsOf = async (component: Component) => {
    const selector = `--selector=app.kubernetes.io/component=${component}`;
    const list = JSON.parse(
      await kubectl("get", "pods", selector, "--field-selector=status.phase=Running", "--output=json"),
    );
    return (list as PodList).items;
  };
  const firstPod = async (component: Component) => (await podsOf(component))[0]!;
  const inPod = async (component: Component, ...command: readonly string[]) =>
    (await kubectl("exec", (await firstPod(component)).metadata.name, "--", ...command)).trim();
  const reach = (component: Component, host: string, port: number) => inPod(component, "node", ...connects(host, port));
  const stranger = async (host: string, port: number) =>
    (await cluster.kubectl("--namespace=strangers", "exec", "stranger", "--", "node", ...connects(host, port))).trim();
  const containerOf = async (component: Component) => {
    const { metadata, status } = await firstPod(component);
    const [container] = status.containerStatuses;
    return { pod: metadata.name, id: container!.containerID.replace("containerd://", "") };
  };
  const statusOf = async (component: Component, pod: string) =>
    (await podsOf(component)).find(({ metadata }) => metadata.name === pod)!.status.containerStatuses[0]!;
  const rolledOut = async () => {
    for (const part of ["api", "worker", "model-server", "webhooks", "redis"])
      await kubectl("rollout", "status", `deployment/packshot-${part}`, "--timeout=600s");
    await kubectl("rollout", "status", "statefulset/packshot-nats", "--timeout=600s");
  };

  const installPrevious = async (timeout: string) => {
    const values = [...sharedVolume, ...engineValues, ...imageValues(previous.image)];
    await release.install({ timeout, chart: chartOf(previous.checkout), values });
  };

  const installed = async (install: () => Promise<unknown>) => {
    const startedAtMs = performance.now();
    await install();
    expect(await release.test()).toMatch(/Phase:\s+Succeeded/);
    console.info(`installed and tested in ${Math.round((performance.now() - startedAtMs) / 1000)} s`);
  };

  const installBundle = () =>
    release.install({ timeout: "15m", chart: bundle.chart, file: bundle.values, values: sharedVolume });

  const uninstalled = async () => {
    await cluster.helm("uninstall", "packshot", "--namespace", namespace, "--wait", "--timeout", "10m");
    const left = async () => (await kubectl("get", "pods", "--output=name")).trim();
    await expect.poll(left, { timeout: waitMs }).toMatch(/^(pod\/packshot-edit-photo)?$/);
  };
  const claims = async () => (await kubectl("get", "persistentvolumeclaims", "--output=name")).trim();

  beforeAll(async () => {
    previous = await buildReleaseImage(engine);
    const engines = await standInEngines(engine);
    bundle = await writeBundle(engine, { packshot: image, ...engines });
    cluster = await startNodes(engine, { images: [previous.image], archives: bundle.archives, zones: ["a", "b", "c"] });
    release = createRelease(cluster, namespace);
  }, timeoutMs);
  afterAll(async () => {
    await release?.stop();
    await cluster?.stop();
    bundle?.remove();
  }, timeoutMs);

  test("without its secret, an install fails and the pods name what is missing", { timeout: timeoutMs }, async () => {
    await expect(installPrevious("20s")).rejects.toThrow("context deadline exceeded");
    const api = "--selector=app.kubernetes.io/component=api";
    await expect
      .poll(() => kubectl("describe", "pods", api), { timeout: waitMs })
      .toContain('secret "packshot" not found');
    expect(await kubectl("get", "pods", api)).toMatch(/ContainerCreating|CreateContainerConfigError/);
  });

  test("with a wrong secret, the pods say what to do", { timeout: timeoutMs }, async () => {
    await release.writeSecret({ PACKSHOT_LINK_KEY: "short" });
    const states = async () => (await podsOf("api")).map(({ status }) => status.containerStatuses[0]!);
    const reasons = async () => (await states()).map(({ state }) => state.waiting?.reason);
    await expect.poll(reasons, { timeout: waitMs }).toContain("CrashLoopBackOff");
    const messages = (await states()).map(({ lastState }) => lastState.terminated?.message);
    expect(messages.join("\n")).toMatch(/PACKSHOT_LINK_KEY.*32 bytes/);
  });

  test("with its secret, the last release becomes ready in three zones, and helm test edits a photo", {
    timeout: timeoutMs,
  }, async () => {
    await release.writeSecret();
    await installed(() => installPrevious("15m"));
    expect(new Set((await podsOf("nats")).map(({ spec }) => spec.nodeName)).size).toBe(3);
  });

  test("an upgrade to this release, and a rollback to the one before, replace every pod and lose no job", {
    timeout: timeoutMs,
  }, async () => {
    const running = async () => (await Promise.all(components.map(podsOf))).flat();
    const imagesOfOurs = async () =>
      (await Promise.all(components.slice(0, 4).map(podsOf)))
        .flat()
        .flatMap(({ spec }) => spec.containers.map((one) => one.image));
    const replacedBy = async (one: string, act: () => Promise<unknown>) => {
      const before = new Set((await running()).map(({ metadata }) => metadata.uid));
      await act();
      const left = async () => (await running()).filter(({ metadata }) => before.has(metadata.uid));
      await expect.poll(left, { timeout: waitMs }).toEqual([]);
      expect([...new Set(await imagesOfOurs())]).toEqual([one]);
    };
    // The engines' images stay as they are.
    const values = ["nats.podAnnotations.revision=second", "redis.podAnnotations.revision=second"];
    const upgrade = () => release.upgrade({ timeout: "10m", chart: bundle.chart, file: bundle.values, values });
    await replacedBy(image, () => release.whileClientsWork(upgrade));
    await replacedBy(previous.image, () => release.whileClientsWork(() => release.rollback()));
    await replacedBy(image, upgrade);
    expect(await release.test()).toMatch(/Phase:\s+Succeeded/);
  });

  test("an upgrade that fails is rolled back, and clients notice neither", { timeout: timeoutMs }, async () => {
    await release.whileClientsWork(async () => {
      await expect(release.upgrade({ timeout: "15s", values: ["image.tag=0.0.0-missing"] })).rejects.toThrow(
        "context deadline exceeded",
      );
      await expect.poll(() => kubectl("get", "pods"), { timeout: waitMs }).toContain("ImagePullBackOff");
      await release.rollback();
    });
  });

  test("every container has a user without rights, a seccomp filter and a root that cannot be written", {
    timeout: timeoutMs,
  }, async () => {
    for (const component of components) {
      const user = component === "redis" ? "999" : "10001";
      const status = await inPod(component, "cat", "/proc/self/status");
      expect(status, component).toMatch(new RegExp(`^Uid:(\\s+${user}){4}$`, "m"));
      expect(status, component).toMatch(new RegExp(`^Gid:(\\s+${user}){4}$`, "m"));
      expect(status, component).toMatch(/^CapEff:\s+0{16}$/m);
      expect(status, component).toMatch(/^CapBnd:\s+0{16}$/m);
      expect(status, component).toMatch(/^NoNewPrivs:\s+1$/m);
      expect(status, component).toMatch(/^Seccomp:\s+2$/m);
      await expect(inPod(component, "touch", "/new"), component).rejects.toThrow("Read-only file system");
      expect(await inPod(component, "touch", "/tmp/new"), component).toBe("");
    }
  });

  test("decoders run in their cage within the container's own seccomp filter", { timeout: timeoutMs }, async () => {
    const { worker, decoders } = JSON.parse(await inPod("worker", "node", ...confinements));
    expect(worker).toMatchObject({ Seccomp: "2", NoNewPrivs: "1" });
    expect(decoders.length).toBeGreaterThan(0);
    for (const decoder of decoders) {
      expect(decoder).toMatchObject({ Seccomp: "2", NoNewPrivs: "1", CapEff: "0000000000000000", Uid: "10001" });
      expect(Number(decoder.Seccomp_filters)).toBe(Number(worker.Seccomp_filters) + 1);
    }
  });

  test("secrets and volumes belong to the group of the pod", { timeout: timeoutMs }, async () => {
    const modeOf = (component: Component, path: string) =>
      inPod(component, "stat", "--dereference", "--format=%a %u %g", path);
    expect(await modeOf("api", "/run/secrets/packshot/PACKSHOT_LINK_KEY")).toBe("440 0 10001");
    expect(await modeOf("worker", "/run/secrets/model-server/token")).toBe("440 0 10001");
    expect(await modeOf("redis", "/run/secrets/packshot/REDIS_PASSWORD")).toBe("440 0 999");
    expect(await modeOf("nats", "/data")).toMatch(/ 10001$/);
    expect(await modeOf("worker", "/storage")).toMatch(/ 10001$/);
    // A service account's token is of no use to any of them.
    await expect(inPod("api", "ls", "/var/run/secrets/kubernetes.io")).rejects.toThrow("No such file");
  });

  test("a stranger's pod reaches the API and metrics, and nothing else", { timeout: timeoutMs }, async () => {
    await cluster.kubectl("create", "namespace", "strangers");
    const container = { name: "main", image, imagePullPolicy: "Never", args: ["--eval", "setInterval(() => {}, 1e6)"] };
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "stranger" }, spec: { containers: [container] } };
    await cluster.apply(JSON.stringify(pod), "--namespace=strangers");
    await cluster.kubectl("--namespace=strangers", "wait", "--for=condition=Ready", "pod/stranger", "--timeout=300s");
    expect(await stranger(`packshot-api.${namespace}`, 80)).toBe("open");
    const address = "--output=jsonpath={.status.podIP}";
    const worker = await kubectl("get", "pod", (await firstPod("worker")).metadata.name, address);
    expect(await stranger(worker, 9090)).toBe("open");
    const denied = [
      ["packshot-nats", 4222],
      ["packshot-nats", 8222],
      ["packshot-nats-0.packshot-nats", 6222],
      ["packshot-model-server", 8001],
      ["packshot-redis", 6379],
      ["packshot-admin", 8081],
    ] as const;
    for (const [name, port] of denied)
      expect(await stranger(`${name}.${namespace}`, port), `${name}:${port}`).toBe("timeout");
  });

  test("each service reaches what it needs, and no more", { timeout: timeoutMs }, async () => {
    expect(await reach("worker", "packshot-nats", 4222)).toBe("open");
    expect(await reach("worker", "packshot-model-server", 8001)).toBe("open");
    expect(await reach("worker", "packshot-redis", 6379)).toBe("timeout");
    expect(await reach("api", "packshot-redis", 6379)).toBe("open");
    expect(await reach("api", "packshot-model-server", 8001)).toBe("timeout");
    expect(await reach("webhooks", "packshot-nats", 4222)).toBe("open");
    expect(await reach("webhooks", "packshot-redis", 6379)).toBe("timeout");
    expect(await reach("model-server", "packshot-nats", 4222)).toBe("timeout");
  });

  test("it is the policies that keep a stranger out", { timeout: timeoutMs }, async () => {
    const nats = () => stranger(`packshot-nats.${namespace}`, 4222);
    await kubectl("delete", "networkpolicies", "--all");
    await expect.poll(nats, { timeout: waitMs }).toBe("open");
    await release.upgrade({ timeout: "10m" });
    await expect.poll(nats, { timeout: waitMs }).toBe("timeout");
  });

  test("a worker that is killed for memory comes back, and its job is done", { timeout: timeoutMs }, async () => {
    await release.whileClientsWork(async () => {
      const { pod, id } = await containerOf("worker");
      await cluster.exhaustMemory(id);
      const reason = async () => (await statusOf("worker", pod)).lastState.terminated?.reason;
      await expect.poll(reason, { timeout: waitMs }).toBe("OOMKilled");
      await rolledOut();
    });
  });

  test("a process that no longer answers is restarted by its liveness probe", { timeout: timeoutMs }, async () => {
    const { pod, id } = await containerOf("webhooks");
    const { restartCount } = await statusOf("webhooks", pod);
    await cluster.freeze(id);
    const restarts = async () => (await statusOf("webhooks", pod)).restartCount;
    await expect.poll(restarts, { timeout: waitMs }).toBeGreaterThan(restartCount);
    await rolledOut();
  });

  test("the jobs of a drained node go on elsewhere", { timeout: timeoutMs }, async () => {
    const node = (await firstPod("worker")).spec.nodeName;
    await release.whileClientsWork(async () => {
      await kubectl("drain", node, "--delete-emptydir-data", "--ignore-daemonsets", "--force", "--timeout=600s");
      await rolledOut();
    });
    for (const component of components)
      for (const { spec } of await podsOf(component)) expect(spec.nodeName, component).not.toBe(node);
    await kubectl("uncordon", node);
  });

  test("an uninstall leaves nothing but the volumes", { timeout: timeoutMs }, async () => {
    await uninstalled();
    const kinds =
      "deployments,statefulsets,jobs,services,configmaps,serviceaccounts,poddisruptionbudgets,networkpolicies";
    expect(await kubectl("get", kinds, "--selector=app.kubernetes.io/instance=packshot", "--output=name")).toBe("");
    expect((await claims()).split("\n")).toHaveLength(4);
  });

  test("the chart of the bundle, installed anew on these volumes, edits a photo", { timeout: timeoutMs }, async () => {
    await installed(installBundle);
  });

  test("the chart of the bundle, installed on empty volumes, edits a photo", { timeout: timeoutMs }, async () => {
    await uninstalled();
    await kubectl("delete", "persistentvolumeclaims", "--all", "--timeout=600s");
    expect(await claims()).toBe("");
    await installed(installBundle);
  });
});
