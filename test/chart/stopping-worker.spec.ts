/**
 * How a worker's pod goes: it has no preStop hook, because the process itself ends its jobs after SIGTERM (docs/adr/0016-stopping.md). A
 * photo that is held on its way keeps the job open meanwhile.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiClient } from "../../testing/api/contract-client.ts";
import { describeOnNodes } from "../../testing/kubernetes/describe-on-nodes.ts";
import { nodeRange } from "../../testing/kubernetes/nodes/node-network.ts";
import { type NodesCluster, startNodes } from "../../testing/kubernetes/nodes/start-nodes.ts";
import { chartImages, localImages, packshotImage } from "./chart-images.ts";
import { engine } from "./engines.ts";
import { createRelease, egressTo, type Release } from "./release.ts";

const timeoutMs = 1_800_000;
const waitMs = 300_000;
const namespace = "stopping";
const sitePort = 8000;
const metricsPort = 9090;
const site = `site.${namespace}.svc.cluster.local:${sitePort}`;
const values = [
  ...localImages,
  ...egressTo({ site: sitePort }),
  // The test asks the worker itself, from outside of the cluster.
  `networkPolicy.metricsFrom[0].ipBlock.cidr=${nodeRange}`,
  ...["worker.replicas=1", "api.replicas=1", "webhooks.replicas=1", "modelServer.replicas=1"],
  ...["redis.enabled=false", "nats.replicas=1", "storage.volume.storageClassName=shared"],
  // No time ends what the test waits for.
  ...["worker.terminationGracePeriodSeconds=1200", "worker.settings.PACKSHOT_STOP_SECONDS=1200"],
  ...["worker.settings.PACKSHOT_SOURCE_TIMEOUT_MS=120000", `settings.PACKSHOT_ALLOW_SOURCES=${site}`],
];

/** GET /photo comes after POST /release; GET /asked says how often it was asked for, once it was. */
const holdPhoto = `
const asked = Promise.withResolvers(), released = Promise.withResolvers();
let count = 0;
require("http").createServer(async ({ url }, response) => {
  if (url === "/photo") {
    count += 1;
    asked.resolve();
    await released.promise;
    return response.writeHead(200, { "Content-Type": "image/jpeg" }).end(require("fs").readFileSync("cli/demo/sample/mug.jpg"));
  }
  if (url === "/release") released.resolve();
  if (url === "/asked") await asked.promise;
  response.end(String(count));
}).listen(${sitePort});
`;

describeOnNodes("test-chart", "a worker's pod that is deleted", (podman) => {
  let cluster: NodesCluster;
  let release: Release;
  const kubectl = (...args: readonly string[]) => release.kubectl(...args);

  beforeAll(async () => {
    cluster = await startNodes(podman, { images: await chartImages(podman) });
    release = createRelease(cluster, namespace);
    await cluster.kubectl("create", "namespace", namespace);
    const readinessProbe = { periodSeconds: 1, failureThreshold: 300, tcpSocket: { port: sitePort } };
    const containers = [{ name: "site", image: packshotImage, args: ["-e", holdPhoto], readinessProbe }];
    const items = engine({ name: "site", ports: [sitePort], pod: { containers } });
    await cluster.apply(JSON.stringify({ apiVersion: "v1", kind: "List", items }), "--namespace", namespace);
    await release.writeSecret();
    await release.install({ timeout: "15m", values });
  }, timeoutMs);
  afterAll(async () => {
    await release?.stop();
    await cluster?.stop();
  }, timeoutMs);

  async function pod(selector: string): Promise<{ readonly name: string; readonly address: string }> {
    const format = "--output=jsonpath={.items[0].metadata.name} {.items[0].status.podIP}";
    const [name, address] = (await kubectl("get", "pods", `--selector=${selector}`, format)).trim().split(" ");
    return { name: name!, address: address! };
  }

  test("ends its job before it goes, and nobody else begins it", { timeout: timeoutMs }, async () => {
    const { url, key } = await release.openClient();
    const client = apiClient(url, key);
    const sitePod = await pod("app=site");
    const toSite = await cluster.forward(() => `${sitePod.address}:${sitePort}`);
    const fromSite = async (path: string) => await (await fetch(`http://127.0.0.1:${toSite.port}${path}`)).text();
    const worker = await pod("app.kubernetes.io/component=worker");
    const toWorker = await cluster.forward(() => `${worker.address}:${metricsPort}`);
    const readiness = async () => {
      const response = await fetch(`http://127.0.0.1:${toWorker.port}/health/ready`);
      return `${response.status} ${await response.text()}`;
    };
    try {
      const { body, status } = await client.call("POST", "/v1/tools/mask/edit", {
        json: { imageUrl: `http://${site}/photo` },
      });
      expect(status).toBe(202);
      expect(await fromSite("/asked")).toBe("1");
      await kubectl("delete", "pod", worker.name, "--wait=false");
      await expect.poll(readiness, { timeout: waitMs }).toMatch(/^503 .*stopping/);
      await fromSite("/release");
      await kubectl("wait", "--for=delete", `pod/${worker.name}`, "--timeout=600s");
      const job = async () => (await client.call("GET", `/v1/jobs/${body.id}`)).body.status;
      await expect.poll(job, { timeout: waitMs }).toBe("completed");
      expect(await fromSite("/asked")).toBe("1");
    } finally {
      await toSite.stop();
      await toWorker.stop();
    }
  });
});
