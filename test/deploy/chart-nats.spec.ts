/**
 * nats-server itself reads the configuration that the chart renders.
 * @module-tag helm
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { findNatsServer } from "../../cli/up/nats-server.ts";
import { type ChartValues, renderChart } from "../../testing/deploy/chart.ts";
import { chartCases } from "../../testing/deploy/chart-cases.ts";
import { containersOf, type EnvironmentVariable, podsOf } from "../../testing/deploy/kubernetes-objects.ts";
import { onFreePorts } from "../../testing/servers/free-ports.ts";

/** Writes what a pod of nats-server mounts, and lets the server check it in the pod's environment. */
function checkConfig(values: ChartValues): { status: number | null; output: string } {
  const folder = mkdtempSync(join(tmpdir(), "packshot-chart-nats-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "tls"));
  const [key, certificate] = ["tls/tls.key", "tls/tls.crt"].map((name) => join(folder, name));
  const subject = ["-subj", "/CN=nats", "-days", "2"];
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key!, "-out", certificate!, ...subject],
    {
      stdio: "ignore",
    },
  );
  const objects = renderChart(values);
  const [pod] = podsOf(objects).filter(({ owner }) => owner.startsWith("StatefulSet/"));
  const files = objects.find(({ kind, metadata }) => kind === "ConfigMap" && metadata.name.endsWith("-nats"))!;
  for (const [name, text] of Object.entries(files.data as Readonly<Record<string, string>>)) {
    const local = text
      .replaceAll("/etc/nats-tls/ca.crt", certificate!)
      .replaceAll("/etc/nats-tls", join(folder, "tls"))
      .replaceAll("/data", join(folder, "data"));
    writeFileSync(join(folder, name), local);
  }
  const { status, stdout, stderr } = spawnSync(findNatsServer(process.env), ["-t", "-c", join(folder, "nats.conf")], {
    encoding: "utf8",
    env: environmentOf(containersOf(pod!)[0]!.env!, "nats-0", "3e".repeat(32)),
  });
  return { status, output: stdout + stderr };
}

/** As Kubernetes makes it, where each key of the secret is `secret`. */
function environmentOf(variables: readonly EnvironmentVariable[], pod: string, secret: string): Record<string, string> {
  const made: Record<string, string> = {};
  for (const { name, value, valueFrom } of variables) {
    made[name] = valueFrom?.fieldRef ? pod : (value?.replaceAll(/\$\((\w+)\)/g, (_, other) => made[other]!) ?? secret);
  }
  return made;
}

interface ClusterMember {
  readonly output: () => string;
  routes(): Promise<number>;
}

/** A pod of the rendered StatefulSet on this machine: one of those at `routePorts`, which is the others' way to it. */
async function startMember(number: number, routePorts: readonly number[], monitorPort: number, secret: string) {
  const folder = mkdtempSync(join(tmpdir(), "packshot-chart-member-"));
  const objects = renderChart();
  const [pod] = podsOf(objects).filter(({ owner }) => owner.startsWith("StatefulSet/"));
  const files = objects.find(({ kind, metadata }) => kind === "ConfigMap" && metadata.name.endsWith("-nats"))!;
  writeFileSync(join(folder, "users.conf"), files.data["users.conf"]);
  const config = (files.data["nats.conf"] as string)
    .replace("listen: 0.0.0.0:4222", "listen: 127.0.0.1:-1")
    .replace("listen: 0.0.0.0:6222", `listen: 127.0.0.1:${routePorts[number]}`)
    .replace("http: 0.0.0.0:8222", `http: 127.0.0.1:${monitorPort}`)
    .replace("/data", join(folder, "data"));
  writeFileSync(join(folder, "nats.conf"), config);
  const env = environmentOf(containersOf(pod!)[0]!.env!, `nats-${number}`, secret);
  env.NATS_ROUTES = env.NATS_ROUTES!.replaceAll(
    /packshot-nats-(\d)\.packshot-nats\.shop\.svc:6222/g,
    (_, n) => `127.0.0.1:${routePorts[n]}`,
  );
  const member = spawn(findNatsServer(process.env), ["-c", join(folder, "nats.conf")], { env, stdio: "pipe" });
  let output = "";
  for (const stream of [member.stdout, member.stderr]) stream.on("data", (text) => (output += text));
  onTestFinished(async () => {
    member.kill("SIGKILL");
    await once(member, "close");
    rmSync(folder, { recursive: true });
  });
  const routes = async () => {
    const answer = await fetch(`http://127.0.0.1:${monitorPort}/routez`).catch(() => undefined);
    return answer === undefined ? 0 : ((await answer.json()) as { num_routes: number }).num_routes;
  };
  return { output: () => output, routes } satisfies ClusterMember;
}

describe("nats-server's configuration in the chart", () => {
  const own = Object.entries(chartCases).filter(([name]) => name !== "engines of the operator");

  test.each(own)("%s: is accepted", (_, values) => {
    const { status, output } = checkConfig(values);
    expect(status, output).toBe(0);
  });

  test("with TLS, and without users, is accepted", () => {
    const tls = checkConfig({ values: { nats: { tls: { existingSecret: "nats-tls" } } } });
    expect(tls.status, tls.output).toBe(0);
    const open = checkConfig({ values: { nats: { auth: { enabled: false } } } });
    expect(open.status, open.output).toBe(0);
  });

  test("lets only a server into the cluster that knows its password", async () => {
    await onFreePorts(6, async (ports) => {
      const routePorts = ports.slice(0, 3);
      const monitorPorts = ports.slice(3);
      const start = (number: number, secret: string) => startMember(number, routePorts, monitorPorts[number]!, secret);
      const [first, second] = await Promise.all([start(0, "3e".repeat(32)), start(1, "3e".repeat(32))]);
      await expect.poll(first.routes).toBeGreaterThan(0);
      await expect.poll(second.routes).toBeGreaterThan(0);
      const stranger = await start(2, "4f".repeat(32));
      await expect.poll(stranger.output).toMatch(/authentication error|Authorization Violation/i);
      expect(await stranger.routes()).toBe(0);
    });
  });

  test("has one user for each service, whose password is a variable", () => {
    const [files] = renderChart().filter(({ kind }) => kind === "ConfigMap");
    const users = [...files!.data["users.conf"].matchAll(/user: "(\w+)"\n\s+password: (\S+)/g)].map(
      ([, ...user]) => user,
    );
    expect(users).toEqual(
      ["api", "worker", "webhooks", "migrate", "backup"].map((name) => [name, `$NATS_${name.toUpperCase()}_PASSWORD`]),
    );
  });
});
