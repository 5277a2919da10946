/**
 * What every pod of the chart must have, whatever the values: safe, probed, limited, and with settings that exist.
 * @module-tag helm
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { settingsTable } from "@packshot/platform/config/settings.ts";
import { describe, expect, test } from "vitest";
import { chartCases } from "../../testing/deploy/chart-cases.ts";
import { type ChartValues, renderChart, renderText } from "../../testing/deploy/chart.ts";
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
              expect(Object.keys(settingsTable), `${pod.owner} ${name}`).toContain(variable.name);
              const row = settingsTable[variable.name as keyof typeof settingsTable];
              if (variable.value) expect(() => row.parse(variable.value!), variable.name).not.toThrow();
            }
          }
      }),
    );
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
              expect([...claims, "photos", "packshot-photos", "packshot-models"], pod.owner).toContain(
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
          ["worker", "model-server"].includes(labels["app.kubernetes.io/component"]!),
        ))
          for (const { env = [] } of containersOf(pod))
            expect(env.map(({ name }) => name)).not.toEqual(
              expect.arrayContaining([expect.stringMatching(/LINK_KEY|MASTER_KEY|ADMIN_TOKEN/)]),
            );
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
