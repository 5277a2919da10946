/** The preflight in the cluster: what stands in its log when something is wrong, as whoever installs the chart reads it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnNodes } from "../../testing/kubernetes/describe-on-nodes.ts";
import { type NodesCluster, startNodes } from "../../testing/kubernetes/nodes/start-nodes.ts";
import { chartImages, localImages, makeS3Image } from "./chart-images.ts";
import { powerlessUser, s3Engine, s3Values, toS3 } from "./engines.ts";
import { createRelease, egressTo, type Release } from "./release.ts";

const timeoutMs = 1_800_000;
const namespace = "preflight";
/** The migration and its nats-server alone. */
const alone = ["api", "worker", "modelServer", "webhooks"].map((part) => `${part}.replicas=0`);
const values = [
  ...[...localImages, ...s3Values, ...egressTo(toS3), ...alone],
  ...["redis.enabled=false", "nats.replicas=1", "migrate.preflight.enabled=true"],
];
/** An hour ahead: what a machine without NTP does to a process. */
const ahead = "const now = Date.now; Date.now = () => now() + 3600000";
// helm takes a bare comma for the end of a value.
const wrongClock = `--import=data:text/javascript;base64\\,${Buffer.from(ahead).toString("base64")}`;

describeOnNodes("test-chart", "the preflight of an install", (podman) => {
  let cluster: NodesCluster;
  let release: Release;

  beforeAll(async () => {
    const images = [...(await chartImages(podman)), await makeS3Image(podman)];
    cluster = await startNodes(podman, { images });
    release = createRelease(cluster, namespace);
    await cluster.kubectl("create", "namespace", namespace);
    const objects = [...s3Engine(), ...powerlessUser("powerless")].map((object) => JSON.stringify(object));
    await cluster.apply(objects.join("\n---\n"), "--namespace", namespace);
    await release.writeSecret();
    await release.install({ timeout: "10m", values });
  }, timeoutMs);
  afterAll(async () => await cluster?.stop(), timeoutMs);

  /** The log of the preflight of the newest revision. */
  async function logOfNewest(): Promise<string> {
    const history = await cluster.helm("history", "packshot", "--namespace", namespace, "--output", "json");
    const { revision } = (JSON.parse(history) as { revision: number }[]).at(-1)!;
    return await release.kubectl("logs", `job/packshot-migrate-${revision}`, "--container=preflight");
  }

  test("finds nothing where all is well, and the migration runs", { timeout: timeoutMs }, async () => {
    await release.kubectl("wait", "--for=condition=Complete", "job/packshot-migrate-1", "--timeout=300s");
    // Looks before the last one may have found that nats-server or the S3 server were not there yet.
    const log = await logOfNewest();
    const lastLook = log.slice(log.lastIndexOf("ok       settings:"));
    expect(lastLook).toMatch(/^ok +nats: packshot-nats-0 is nats-server/m);
    expect(lastLook).toMatch(/^ok +nats sync: .* writes to disk/m);
    expect(lastLook).toMatch(/^ok +S3 put: works/m);
    expect(lastLook).not.toMatch(/^fault/m);
  });

  test.each([
    [
      "an access key without rights",
      ["storage.s3.existingSecret=powerless"],
      /^fault +S3 put: .*AccessDenied.*\(the access key needs s3:PutObject\)/m,
    ],
    ["a bucket that is not there", ["storage.s3.bucket=missing"], /^fault +S3 put: .*NoSuchBucket/m],
    [
      "a clock that is an hour ahead",
      ["migrate.extraEnv[0].name=NODE_OPTIONS", `migrate.extraEnv[0].value=${wrongClock}`],
      /^fault +clock: 3600\.\d s away from nats-server's/m,
    ],
    [
      "an address at which no nats-server is",
      ["nats.url=nats://nats.elsewhere.svc:4222"],
      /^fault +nats: no nats-server has answered at nats:\/\/nats\.elsewhere\.svc:4222/m,
    ],
  ])("says so of %s", { timeout: timeoutMs }, async (_what, changed, text) => {
    await release.install({ values: [...values, ...changed] });
    await expect.poll(() => logOfNewest().catch(String), { timeout: timeoutMs }).toMatch(text);
  });

  test("says so of a password that nats-server has not read", { timeout: timeoutMs }, async () => {
    await release.install({ timeout: "10m", values });
    await release.writeSecret({ NATS_MIGRATE_PASSWORD: "c".repeat(64) });
    await release.install({ values });
    const text =
      /^fault +nats: nats-server knows no such user, or another secret of it: compare PACKSHOT_NATS_USER \(migrate\) and PACKSHOT_NATS_PASSWORD_FILE/m;
    await expect.poll(() => logOfNewest().catch(String), { timeout: timeoutMs }).toMatch(text);
  });
});
