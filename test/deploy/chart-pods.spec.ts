/**
 * What every pod of the chart must have, whatever the values: safe, probed, limited, and with settings that exist.
 * @module-tag helm
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { secretFileSettings } from "@packshot/platform/config/secret-settings.ts";
import { settingsTable } from "@packshot/platform/config/settings.ts";
import { describe, expect, onTestFinished, test } from "vitest";
import { type ChartValues, renderChart, renderText } from "../../testing/deploy/chart.ts";
import { chartCases } from "../../testing/deploy/chart-cases.ts";
import {
  containersOf,
  type KubernetesObject,
  ofKind,
  type PodOf,
  podsOf,
  servingContainers,
} from "../../testing/deploy/kubernetes-objects.ts";

const notes = readFileSync(fileURLToPath(new URL("../../deploy/helm/templates/NOTES.txt", import.meta.url)), "utf8");
const secretKeys = [...notes.matchAll(/--from-literal=(\w+)=/g)].map(([, key]) => key!);
const secretFiles = secretFileSettings(settingsTable);
/** Read by the CLI of the test's pod only. */
const ofTheCli = ["PACKSHOT_ADMIN_URL"];

function each(check: (pods: readonly PodOf[], objects: readonly KubernetesObject[], values: ChartValues) => void) {
  return ([, values]: [string, ChartValues]) => {
    const objects = renderChart(values);
    check(podsOf(objects), objects, values);
  };
}

describe("pods of the chart", () => {
  const cases = Object.entries(chartCases);

  test("run as a user that is not root, with a read-only root, and without rights or a token", () => {
    cases.forEach(
      each((pods) => {
        for (const { owner, spec } of pods) {
          expect(spec, owner).toMatchObject({
            automountServiceAccountToken: false,
            enableServiceLinks: false,
            securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
          });
          expect(Number(spec.securityContext.runAsUser), owner).toBeGreaterThan(0);
        }
        for (const pod of pods)
          for (const container of containersOf(pod))
            expect(container.securityContext, `${pod.owner} ${container.name}`).toEqual({
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ["ALL"] },
            });
      }),
    );
  });

  test("have an exact image, requests and a memory limit", () => {
    cases.forEach(
      each((pods) => {
        for (const pod of pods)
          for (const { name, image, resources } of containersOf(pod)) {
            expect(image, `${pod.owner} ${name}`).toMatch(/(:[^:/]*\d[^:/]*|@sha256:[0-9a-f]{64})$/);
            expect(resources?.requests, `${pod.owner} ${name}`).toMatchObject({
              cpu: expect.anything(),
              memory: expect.anything(),
            });
            expect(resources?.limits, `${pod.owner} ${name}`).toMatchObject({ memory: expect.anything() });
          }
      }),
    );
  });

  test("answer three probes, each at a port that the container has; started, live and ready differ", () => {
    cases.forEach(
      each((pods) => {
        for (const pod of pods)
          for (const { name, ports = [], ...container } of servingContainers(pod)) {
            const probes = [container.startupProbe, container.readinessProbe, container.livenessProbe];
            for (const probe of probes) {
              const { port } = probe?.httpGet ?? probe?.tcpSocket ?? {};
              expect(
                ports.map((one) => one.name),
                `${pod.owner} ${name}`,
              ).toContain(port);
            }
            if (container.readinessProbe?.httpGet)
              expect(container.readinessProbe.httpGet.path).not.toBe(container.livenessProbe?.httpGet.path);
          }
      }),
    );
  });

  test("write only to volumes, each mounted once and there, and each empty one with a size", () => {
    cases.forEach(
      each((pods) => {
        for (const pod of pods) {
          const { owner, spec } = pod;
          const volumes = spec.volumes?.map(({ name }) => name) ?? [];
          const templates: string[] =
            pod.object.spec.volumeClaimTemplates?.map((claim: KubernetesObject) => claim.metadata.name) ?? [];
          expect(volumes.toSorted(), owner).toEqual([...new Set(volumes)].toSorted());
          for (const { name, volumeMounts = [] } of containersOf(pod)) {
            const paths = volumeMounts.map(({ mountPath }) => mountPath);
            expect(paths.toSorted(), `${owner} ${name}`).toEqual([...new Set(paths)].toSorted());
            expect(paths, `${owner} ${name}`).toContain("/tmp");
            for (const mount of volumeMounts) expect([...volumes, ...templates], owner).toContain(mount.name);
          }
          for (const { name, emptyDir } of spec.volumes ?? [])
            if (emptyDir) expect(emptyDir.sizeLimit, `${owner} ${name}`).toMatch(/^\d+(Mi|Gi)$/);
        }
      }),
    );
  });

  test("get settings that exist, with values that Packshot reads, each once", () => {
    cases.forEach(
      each((pods) => {
        for (const pod of pods)
          for (const { name, env = [] } of containersOf(pod)) {
            const names = env.map((variable) => variable.name);
            expect(names.toSorted(), `${pod.owner} ${name}`).toEqual([...new Set(names)].toSorted());
            for (const variable of env.filter((one) => one.name.startsWith("PACKSHOT_"))) {
              if (ofTheCli.includes(variable.name)) continue;
              if (secretFiles.has(variable.name)) continue;
              expect(Object.keys(settingsTable), `${pod.owner} ${name}`).toContain(variable.name);
              const row = settingsTable[variable.name as keyof typeof settingsTable];
              if (variable.value) expect(() => row.parse(variable.value!), variable.name).not.toThrow();
            }
          }
      }),
    );
  });

  test("have no secret on a command line, and in the environment only what reads it from nowhere else", () => {
    const byEnvironment = /^(NATS_[A-Z]+_PASSWORD|AWS_ACCESS_KEY_ID|AWS_SECRET_ACCESS_KEY|PACKSHOT_REDIS_URL)$/;
    cases.forEach(
      each((pods) => {
        for (const pod of pods)
          for (const { name, args = [], command = [], env = [] } of containersOf(pod)) {
            const secrets = env.filter(({ valueFrom }) => valueFrom?.secretKeyRef !== undefined);
            for (const secret of secrets) expect(secret.name, `${pod.owner} ${name}`).toMatch(byEnvironment);
            if (!pod.owner.startsWith("StatefulSet/"))
              expect(
                secrets.filter((one) => one.name.startsWith("NATS_")),
                pod.owner,
              ).toEqual([]);
            for (const word of [...command, ...args]) expect(word, `${pod.owner} ${name}`).not.toMatch(/\$\(\w+\)/);
          }
      }),
    );
  });

  test("read a secret's file where it is mounted, and get no other key", () => {
    cases.forEach(
      each((pods) => {
        for (const pod of pods)
          for (const { name, env = [], volumeMounts = [] } of containersOf(pod))
            for (const { name: setting, value } of env) {
              if (!setting.endsWith("_FILE") || !value?.startsWith("/run/secrets/packshot/")) continue;
              const mount = volumeMounts.find(({ mountPath }) => mountPath === "/run/secrets/packshot");
              const volume = pod.spec.volumes?.find((one) => one.name === mount?.name);
              const keys = volume?.secret?.items?.map(({ key }) => key);
              expect(keys, `${pod.owner} ${name} ${setting}`).toContain(value.slice("/run/secrets/packshot/".length));
              expect(mount?.readOnly).toBe(true);
            }
      }),
    );
    const [api] = podsOf(renderChart()).filter(({ owner }) => owner === "Deployment/packshot-api");
    const files = containersOf(api!)[0]!.env!.filter(({ value }) => value?.startsWith("/run/secrets/packshot/"));
    expect(files.map(({ name }) => name).toSorted()).toEqual([
      ...["PACKSHOT_ADMIN_TOKEN_FILE", "PACKSHOT_LINK_KEY_FILE", "PACKSHOT_MASTER_KEY_FILE"],
      "PACKSHOT_REDIS_PASSWORD_FILE",
    ]);
  });

  test("start a Redis that asks for the password, which no list of processes shows", {
    tags: ["redis-server"],
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "packshot-chart-redis-"));
    const password = "3e".repeat(32);
    writeFileSync(join(folder, "REDIS_PASSWORD"), `${password}\n`);
    const [pod] = podsOf(renderChart()).filter(({ owner }) => owner === "Deployment/packshot-redis");
    const { command = [], args = [] } = containersOf(pod!)[0]!;
    const [program, ...words] = [...command, ...args].map((word) =>
      word.replaceAll("/tmp", folder).replaceAll("/run/secrets/packshot", folder),
    );
    const socket = join(folder, "redis.sock");
    const unset = spawnSync(program!, [
      ...words.map((word) => word.replaceAll("REDIS_PASSWORD", "none")),
      "--port",
      "0",
    ]);
    expect(unset.status, "without its password").not.toBe(0);
    const server = spawn(program!, [...words, "--port", "0", "--unixsocket", socket], { stdio: "ignore" });
    onTestFinished(async () => {
      server.kill("SIGKILL");
      await once(server, "close");
      rmSync(folder, { recursive: true });
    });
    const ask = (text: string) =>
      new Promise<string>((resolve) => {
        const connection = connect(socket, () => connection.write(text));
        connection.once("data", (data) => resolve(data.toString()) ?? connection.destroy());
        connection.once("error", ({ message }) => resolve(message));
      });
    await expect.poll(() => ask("PING\r\n")).toMatch(/^-NOAUTH/);
    expect(await ask(`AUTH ${password}\r\n`)).toBe("+OK\r\n");
    const shown = execFileSync("ps", ["-ww", "-p", String(server.pid), "-o", "command="], { encoding: "utf8" });
    expect(shown).toMatch(/redis-server|valkey-server/);
    expect(shown).not.toContain(password);
  });

  test("read no secret or config map but those that the chart makes or documents", () => {
    const documented = [
      "packshot",
      "redis",
      "ca",
      "nats-tls",
      "model-server-tls",
      "packshot-s3",
      "packshot-nats-tls",
      "packshot-model-server-tls",
    ];
    const tlsKeys = ["ca.crt", "tls.crt", "tls.key"];
    cases.forEach(
      each((pods, objects) => {
        const made = ofKind(objects, "ConfigMap").map(({ metadata }) => metadata.name);
        const claims = ofKind(objects, "PersistentVolumeClaim").map(({ metadata }) => metadata.name);
        for (const pod of pods) {
          for (const { env = [] } of containersOf(pod))
            for (const { valueFrom } of env) {
              const secret = valueFrom?.secretKeyRef;
              if (secret === undefined) continue;
              expect(documented, pod.owner).toContain(secret.name);
              if (secret.name === "packshot") expect(secretKeys, pod.owner).toContain(secret.key);
            }
          for (const { secret, configMap, persistentVolumeClaim } of pod.spec.volumes ?? []) {
            if (secret) expect(documented, pod.owner).toContain(secret.secretName);
            for (const { key } of secret?.items ?? []) expect([...secretKeys, ...tlsKeys], pod.owner).toContain(key);
            if (configMap) expect([...made, ...documented], pod.owner).toContain(configMap.name);
            if (persistentVolumeClaim)
              expect([...claims, "photos", "packshot-photos", "packshot-models", "image-models"], pod.owner).toContain(
                persistentVolumeClaim.claimName,
              );
          }
        }
      }),
    );
    expect(renderText()).not.toMatch(/^kind: Secret$/m);
  });

  test("whoever opens what anybody sends gets no key of the API", () => {
    cases.forEach(
      each((pods) => {
        for (const pod of pods.filter(({ labels }) =>
          ["worker", "model-server", "image-model"].includes(labels["app.kubernetes.io/component"]!),
        ))
          for (const name of [
            ...containersOf(pod).flatMap(({ env = [] }) => env.map((variable) => variable.name)),
            ...(pod.spec.volumes ?? []).flatMap(({ secret }) => secret?.items?.map(({ key }) => key) ?? []),
          ])
            expect(name, pod.owner).not.toMatch(/LINK_KEY|MASTER_KEY|ADMIN_TOKEN|REDIS_PASSWORD/);
      }),
    );
  });

  test("a pod that shares a ReadWriteOnce volume is placed beside the others", () => {
    const near = podsOf(renderChart()).filter(({ spec }) =>
      spec.volumes?.some(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === "packshot-storage"),
    );
    expect(near.map(({ owner }) => owner)).toEqual(["Deployment/packshot-api", "Deployment/packshot-worker"]);
    for (const { labels, spec } of near) {
      expect(labels["packshot/storage"]).toBe("packshot");
      expect(spec).toHaveProperty("affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution.0.topologyKey");
    }
  });
});
