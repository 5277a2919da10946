/**
 * nats-server itself reads the configuration that the chart renders.
 * @module-tag helm
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { findNatsServer } from "../../cli/up/find-nats-server.ts";
import { chartCases } from "../../testing/deploy/chart-cases.ts";
import { type ChartValues, renderChart } from "../../testing/deploy/chart.ts";
import { containersOf, podsOf } from "../../testing/deploy/kubernetes-objects.ts";

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
  const variables = containersOf(pod!)[0]!.env!.map(({ name }) => [
    name,
    name === "POD_NAME" ? "nats-0" : "3e".repeat(32),
  ]);
  const { status, stdout, stderr } = spawnSync(findNatsServer(process.env), ["-t", "-c", join(folder, "nats.conf")], {
    encoding: "utf8",
    env: Object.fromEntries(variables),
  });
  return { status, output: stdout + stderr };
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
