/** What happens in the life of a deployment, on the days of a week. */

import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { subjects } from "@packshot/domain/subjects.ts";
import type { Webhook } from "@packshot/domain/webhooks/webhook.ts";
import { listRecordSubjects } from "@packshot/log/follow/list-subjects.ts";
import { migrateLog } from "@packshot/log/operate/migrate.ts";
import { createSeal } from "@packshot/platform/crypto/seal.ts";
import { pause } from "@packshot/platform/flow/pause.ts";
import { expect } from "vitest";
import type { Certificate } from "../../testing/servers/certificates.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { migrate, thisFolder } from "../upgrade/running-release.ts";
import { type Environment, scaledLives, scaleStreams } from "./scaled-lives.ts";
import type { WeekPlan } from "./week-plan.ts";

export interface Week {
  readonly cluster: Cluster;
  readonly plan: WeekPlan;
  readonly heapsFolder: string;
  /** In hex. */
  readonly masterKeys: { readonly old: string; readonly next: string };
  /** What the APIs and webhook services have now; each update keeps it. */
  settings: Environment;
}

export interface WeekEvent {
  readonly day: number;
  readonly name: string;
  act(week: Week): Promise<void>;
}

/** Certificates are read every ten seconds. */
const renewalTimeoutMs = 60_000;
/** An API process looks for what to seal anew every ten minutes, whatever the scale. */
const resealTimeoutMs = 900_000;
const keyHolders = ["api", "webhooks"] as const;

/** A rolling update of all processes, after the log's, to this source tree. */
async function update(week: Week): Promise<void> {
  const { cluster, plan, heapsFolder } = week;
  await migrate(thisFolder, cluster.migration);
  await scaleStreams(cluster.log, plan);
  week.settings = { ...week.settings, ...scaledLives(thisFolder, plan, heapsFolder) };
  await cluster.processes.replaceAll({ folder: thisFolder, settings: week.settings });
}

const setMasterKey = (of: (keys: Week["masterKeys"]) => string) => async (week: Week) => {
  week.settings = { ...week.settings, PACKSHOT_MASTER_KEY: of(week.masterKeys) };
  await week.cluster.processes.replaceAll({ folder: thisFolder, settings: week.settings }, keyHolders);
};

async function changeMasterKey(week: Week): Promise<void> {
  await setMasterKey(({ old, next }) => `${old},${next}`)(week);
  await setMasterKey(({ old, next }) => `${next},${old}`)(week);
}

/** By the book once every secret is sealed under the new one. */
async function removeMasterKey(week: Week): Promise<void> {
  const { log } = week.cluster;
  const seal = createSeal({ keys: [Buffer.from(week.masterKeys.next, "hex")] });
  const sealedBefore = async () => {
    const found: string[] = [];
    for await (const subject of listRecordSubjects(log, subjects.webhook("*", "*"))) {
      const { value } = await log.read<Webhook>(subject);
      if (value?.secrets.some(({ sealed }) => !seal.isFirst(sealed))) found.push(subject);
    }
    return found;
  };
  await expect.poll(sealedBefore, { timeout: resealTimeoutMs, interval: 1_000 }).toEqual([]);
  await setMasterKey(({ next }) => next)(week);
}

async function moveNatsServer({ cluster, plan }: Week): Promise<void> {
  await cluster.nats.move(0);
  // Resolves once every stream has all of its replicas again.
  await migrateLog(cluster.log.connection, { replicas: 3 });
  await scaleStreams(cluster.log, plan);
}

async function fillBucket({ cluster: { s3 }, plan }: Week): Promise<void> {
  s3.setFault((request) => (request.startsWith("PUT ") ? { status: 507, code: "InsufficientStorage" } : undefined));
  await pause(plan.outageSeconds * 1000, new AbortController().signal);
  s3.setFault(() => undefined);
}

/** nats-server begins in clear. */
async function natsCertificate(port: number): Promise<string> {
  const plain = connect(port, "127.0.0.1");
  await once(plain, "data");
  return await fingerprintOf(connectTls({ socket: plain, rejectUnauthorized: false }));
}

async function fingerprintOf(socket: TLSSocket): Promise<string> {
  await once(socket, "secureConnect");
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}

async function renewCertificates({ cluster }: Week): Promise<void> {
  const renewed = cluster.renewCertificates();
  const servers = cluster.processes.running().filter(({ role }) => role === "modelServer");
  const ports = servers.map(({ ready }) => Number(ready.grpcPort));
  const ofModels = () =>
    Promise.all(ports.map((port) => fingerprintOf(connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false }))));
  const ofNats = () => Promise.all(cluster.nats.servers.map(({ port }) => natsCertificate(port)));
  const fingerprint = ({ cert }: Certificate) => new X509Certificate(cert).fingerprint256;
  const poll = { timeout: renewalTimeoutMs, interval: 1_000 };
  await expect.poll(ofModels, poll).toEqual(ports.map(() => fingerprint(renewed.modelServer)));
  await expect.poll(ofNats, poll).toEqual(cluster.nats.servers.map(() => fingerprint(renewed.nats)));
}

/** `isWhole`: with the old master key's end, for which ten minutes must have passed. */
export function weekEvents({ from, isWhole }: { from: string | undefined; isWhole: boolean }): WeekEvent[] {
  return [
    { day: 2, name: from === undefined ? "a rolling update" : `the update from ${from}`, act: update },
    { day: 3, name: "another master key", act: changeMasterKey },
    { day: 4, name: "a nats-server moved to an empty disk", act: moveNatsServer },
    { day: 5, name: "an hour of a full bucket", act: fillBucket },
    { day: 6, name: "other certificates, before the first ones expire", act: renewCertificates },
    ...(isWhole ? [{ day: 6, name: "the old master key removed", act: removeMasterKey }] : []),
  ];
}
