/** What nats-server lets each service do, asked of three real ones. */
import { headers, type NatsConnection } from "@nats-io/transport-node";
import { shards, subjects } from "@packshot/domain/subjects.ts";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type SecuredNats, startSecuredNats } from "../../../testing/servers/secured-nats.ts";
import { commitBatch } from "../commit/atomic-batch.ts";
import { createLog } from "../log.ts";
import { connectNats } from "../nats/connection.ts";
import { onElected } from "../nats/leader-watch.ts";
import { migrateLog } from "./migrate.ts";
import { type NatsService, natsServices } from "./permissions.ts";

let secured: SecuredNats;
const connections = {} as Record<NatsService, NatsConnection>;

beforeAll(async () => {
  secured = await startSecuredNats();
  for (const service of natsServices) connections[service] = await connectNats(secured.settings(service));
  await migrateLog(connections.migrate, { replicas: 3, stateStreams: 4 });
  // Each server has heard of each stream.
  for (const shard of shards) {
    const write = { subject: `ps.${shard}.job.nobody.nothing`, value: { v: 1 } };
    for (const service of ["api", "worker"] as const)
      await vi.waitFor(() => commitBatch(connections[service], "test", [write]), { timeout: 60_000, interval: 100 });
  }
}, 180_000);
afterAll(async () => {
  await Promise.all(Object.values(connections).map((connection) => connection.close()));
  await secured?.stop();
});

/** Rejects at once with what the server refuses: it answers nothing else. */
async function ask(service: NatsService, subject: string, body: object | string = ""): Promise<unknown> {
  const payload = typeof body === "string" ? body : JSON.stringify(body);
  return (await connections[service].request(subject, payload, { timeout: 20_000 })).json();
}

async function expectRefused(service: NatsService, subject: string, body?: object): Promise<void> {
  const refusal = await ask(service, subject, body).then(
    () => undefined,
    (error: Error & { cause?: unknown }) => error,
  );
  expect(`${service} ${subject}: ${refusal}, ${refusal?.cause}`).toContain("PermissionViolation");
}

async function expectDeaf(service: NatsService, subject: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<Error | null>();
  connections[service].subscribe(subject, { callback: (error) => resolve(error) });
  await connections[service].flush();
  expect(`${service} ${subject}: ${await promise}`).toContain("PermissionViolation");
}

/** One of each kind, in each shard where there are shards. */
const accountRecords = shards.map((shard) => `ps.${shard}.account.acct`);
const keyRecords = shards.flatMap((shard) => [`ps.${shard}.key.hash`, `ps.${shard}.apikey.acct.key`]);
const others: readonly NatsService[] = ["worker", "webhooks", "migrate", "backup", "doctor"];
const allStreams = ["PS_STATE", "PS_STATE_3", "PS_EVENTS", "PS_READY", "PS_LEDGER", "PS_DELIVERIES", "PS_ATTEMPTS"];

describe("writes", () => {
  it.each(others)("%s writes no account and no key, in any shard", async (service) => {
    for (const subject of [...accountRecords, ...keyRecords]) await expectRefused(service, subject, { v: 1 });
  });

  it.each(others)("%s makes no jobs: no credits, no ledger entries, no places in the queue", async (service) => {
    for (const subject of [
      "ps.03.ready.0.acct.job",
      "ps.03.wait.acct.job",
      "ps.03.sandboxwait.acct.job",
      "ps.03.ledger.acct.1.entry.grant",
      "ps.03.usage.acct.2026-01-01",
      "ps.03.index.acct.keys",
      "ps.03.idem.acct.hash",
      "ps.03.upload.acct.upload",
      "ps.03.connection.acct.connection",
      "ps.03.index.acct.connections",
    ])
      await expectRefused(service, subject, { v: 1 });
  });

  it("the webhook service writes no jobs and no events of jobs", async () => {
    for (const subject of ["ps.03.job.acct.job", "ps.03.event.acct.job.completed", "PS_READY", "ps-progress.job"])
      await expectRefused("webhooks", subject, { v: 1 });
  });

  it("a worker writes no webhooks, deliveries, cursors or leases, and cancels nothing", async () => {
    for (const subject of [
      "ps.03.webhook.acct.hook",
      "ps.03.change.webhook",
      "psd.due.acct.hook.event",
      "psd.retry.acct.hook.event",
      "psa.acct.hook.event.1",
      "ps.log0.cursor.keeper",
      "ps.log0.lease.keeper",
      "ps.03.event.acct.job.cancelled",
      "ps.03.event.acct.job.deleted",
      "ps-api.accept.process",
    ])
      await expectRefused("worker", subject, { v: 1 });
  });

  it("only the migration records a schema", async () => {
    for (const service of ["api", "worker", "webhooks", "backup", "doctor"] as const)
      await expectRefused(service, subjects.schema, { v: 1 });
  });

  it("an account record is no part of a worker's batch either", async () => {
    const job = { subject: "ps.03.job.acct.job-1", value: { v: 1 }, expected: 0 };
    const account = { subject: "ps.03.account.acct", value: { v: 1 }, expected: 0 };
    await expect(commitBatch(connections.worker, "test", [job, account])).rejects.toThrow();
    await expect(commitBatch(connections.worker, "test", [account, job])).rejects.toThrow();
    const read = { last_by_subj: job.subject };
    expect(await ask("api", "$JS.API.STREAM.MSG.GET.PS_STATE_3", read)).toMatchObject({ error: { err_code: 10037 } });
    await commitBatch(connections.api, "test", [job, account]);
    expect(await ask("api", "$JS.API.STREAM.MSG.GET.PS_STATE_3", read)).toMatchObject({ message: {} });
  });

  it("what somebody has JetStream answer to a record's subject is taken for no record", async () => {
    // nats-server does not look at the subject of an answer.
    const subject = "ps.04.account.acct";
    const asked = JSON.stringify({ last_by_subj: subjects.schema });
    connections.worker.publish("$JS.API.STREAM.MSG.GET.PS_STATE", asked, { reply: subject });
    const log = createLog(connections.api, { stateStreamCount: 4 });
    await vi.waitFor(() => expect(log.read(subject)).rejects.toThrow(/ps\.04\.account\.acct was overwritten/), {
      timeout: 30_000,
    });
  });

  it("what a consumer delivers to a record's subject is not stored under it", async () => {
    const config = { ack_policy: "none", deliver_policy: "all", deliver_subject: "ps.05.account.acct" };
    const made = await ask("webhooks", "$JS.API.CONSUMER.CREATE.PS_EVENTS_3", { stream_name: "PS_EVENTS_3", config });
    expect(made).toMatchObject({ name: expect.any(String) });
    await commitBatch(connections.api, "test", [{ subject: "ps.03.event.acct.job.completed", value: { v: 1 } }]);
    const delivered = async () =>
      (await ask("doctor", "$JS.API.STREAM.INFO.PS_EVENTS_3")) as { state: { messages: number } };
    await vi.waitFor(async () => expect((await delivered()).state.messages).toBe(1), { timeout: 30_000 });
    const pull = { subject: "ps.06.account.acct", asked: JSON.stringify({ batch: 1 }) };
    await ask("webhooks", "psd.due.acct.hook.event", { v: 1 });
    connections.webhooks.publish("$JS.API.CONSUMER.MSG.NEXT.PS_DELIVERIES.deliveries", pull.asked, {
      reply: pull.subject,
    });
    await connections.webhooks.flush();
    // Both would have been stored before this.
    await commitBatch(connections.api, "test", [{ subject: "ps.05.account.later", value: { v: 1 } }]);
    const log = createLog(connections.api, { stateStreamCount: 4 });
    for (const subject of ["ps.05.account.acct", pull.subject])
      expect(await log.read(subject)).toMatchObject({ value: undefined, sequence: 0 });
  });

  it("a schedule reaches no other stream", async () => {
    const options = headers();
    options.set("Nats-Schedule", `@at ${new Date(Date.now() + 1_000).toISOString()}`);
    options.set("Nats-Schedule-Target", "ps.03.account.acct");
    const answer = await connections.webhooks.request("psd.retry.acct.hook.event", "{}", {
      headers: options,
      timeout: 20_000,
    });
    expect(answer.json()).toMatchObject({ error: { description: expect.stringContaining("schedule") } });
  });
});

describe("streams and consumers", () => {
  it.each(["api", "worker", "webhooks", "doctor"] as const)(
    "%s makes, changes and deletes no stream",
    async (service) => {
      for (const stream of allStreams)
        for (const call of ["CREATE", "UPDATE", "DELETE", "RESTORE", "SNAPSHOT", "MSG.DELETE", "LEADER.STEPDOWN"])
          await expectRefused(service, `$JS.API.STREAM.${call}.${stream}`, {});
      await expectRefused(service, "$JS.API.STREAM.CREATE.ANOTHER", { name: "ANOTHER" });
    },
  );

  it("the migration deletes none, and removes no record", async () => {
    for (const stream of allStreams)
      for (const call of ["DELETE", "PURGE", "MSG.DELETE", "RESTORE", "SNAPSHOT"])
        await expectRefused("migrate", `$JS.API.STREAM.${call}.${stream}`, {});
    await expectRefused("migrate", "$JS.API.CONSUMER.DELETE.PS_READY.lane-0");
    await expectRefused("migrate", "$JS.API.STREAM.CREATE.ANOTHER", { name: "ANOTHER" });
  });

  it("a backup makes no stream anew that is there, and changes and deletes none", async () => {
    for (const stream of allStreams)
      for (const call of ["CREATE", "UPDATE", "DELETE", "PURGE", "MSG.DELETE"])
        await expectRefused("backup", `$JS.API.STREAM.${call}.${stream}`, {});
    const config = { name: "PS_STATE", subjects: ["ps.>"] };
    expect(await ask("backup", "$JS.API.STREAM.RESTORE.PS_STATE", { config, state: {} })).toMatchObject({
      error: { description: expect.stringContaining("already in use") },
    });
  });

  it("only a backup writes what streams take while they are restored, and no stream takes it before", async () => {
    for (const service of natsServices) {
      if (service !== "backup") await expectRefused(service, "psr.PS_STATE.ps.03.account.acct", { v: 1 });
    }
    const refusal = ask("backup", "psr.PS_STATE.ps.03.account.acct", { v: 1 });
    await expect(refusal).rejects.toThrow(/no responders/);
  });

  it("nobody purges records; the archive purges the ledger and webhooks their deliveries", async () => {
    for (const service of natsServices)
      for (const stream of allStreams) {
        const may = `${service} ${stream}`;
        if (may === "api PS_LEDGER" || may === "webhooks PS_DELIVERIES") continue;
        await expectRefused(service, `$JS.API.STREAM.PURGE.${stream}`, {});
      }
  });

  it.each(["api", "webhooks"] as const)("%s makes no durable consumers, and touches none", async (service) => {
    for (const stream of ["PS_STATE", "PS_READY"]) {
      const config = { durable_name: "mine", ack_policy: "none" };
      await expectRefused(service, `$JS.API.CONSUMER.CREATE.${stream}.mine`, { stream_name: stream, config });
      await expectRefused(service, `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.mine`, { stream_name: stream, config });
    }
    const config = { durable_name: "mine", ack_policy: "none" };
    const legacy = await ask(service, "$JS.API.CONSUMER.CREATE.PS_STATE", { stream_name: "PS_STATE", config });
    expect(legacy).toMatchObject({ error: { description: expect.stringContaining("ephemeral") } });
    const subjectsOfOthers = ["DELETE.PS_STATE", "MSG.NEXT.PS_STATE", "DELETE.PS_STATE_2"];
    for (const call of subjectsOfOthers) await expectRefused(service, `$JS.API.CONSUMER.${call}.early-fetch`);
    await expectRefused(service, "$JS.API.CONSUMER.MSG.NEXT.PS_READY.lane-0", { batch: 1 });
    await expectRefused(service, "$JS.API.CONSUMER.DELETE.PS_READY.lane-0");
    await expectRefused(service, "$JS.ACK.PS_READY.lane-0.1.1.1.1.1");
  });

  it("a worker makes no consumers and acks nothing but ready messages", async () => {
    for (const stream of allStreams) await expectRefused("worker", `$JS.API.CONSUMER.CREATE.${stream}`, {});
    await expectRefused("worker", "$JS.ACK.PS_DELIVERIES.deliveries.1.1.1.1.1");
    await expectRefused("worker", "$JS.API.CONSUMER.MSG.NEXT.PS_DELIVERIES.deliveries");
    await expectRefused("worker", "$JS.API.STREAM.MSG.GET.PS_DELIVERIES", { seq: 1 });
  });
});

describe("listening", () => {
  it.each(natsServices)("%s hears neither records as they are written nor the answers of others", async (service) => {
    const strangers = natsServices.filter((other) => other !== service).map((other) => `_INBOX_${other}.>`);
    const advisories = ["$JS.EVENT.ADVISORY.>", "$JS.EVENT.ADVISORY.API"];
    for (const subject of ["ps.>", "psd.>", ">", "_INBOX.>", "$JS.>", "$SYS.>", ...advisories, ...strangers])
      await expectDeaf(service, subject);
  });

  it.each(natsServices)("%s hears that a stream has a new leader", async (service) => {
    const heard = Promise.withResolvers<void>();
    const forget = onElected(connections[service], "PS_ATTEMPTS", heard.resolve);
    await connections[service].flush();
    const operator = await connectNats(secured.operatorSettings);
    const stepDown = () => void operator.request("$JS.API.STREAM.LEADER.STEPDOWN.PS_ATTEMPTS").catch(() => {});
    stepDown();
    // Again, in case that no other server was ready to lead.
    const asking = setInterval(stepDown, 2_000);
    await heard.promise;
    clearInterval(asking);
    forget();
    await operator.close();
  });

  it("only the API answers, itself and workers that ask for links", async () => {
    for (const service of natsServices)
      for (const other of natsServices)
        if (service !== "api" || (other !== "api" && other !== "worker"))
          await expectRefused(service, `_INBOX_${other}.forged.answer`);
  });

  it("a worker hears which image models other workers have", async () => {
    const heard = Promise.withResolvers<string>();
    connections.worker.subscribe(subjects.processAlive, {
      callback: (error, message) => (error === null ? heard.resolve(message.string()) : heard.reject(error)),
    });
    // Each server learns of the subscription from its neighbor.
    const again = setInterval(() => connections.webhooks.publish(subjects.processAlive, "alive"), 100);
    onTestFinished(() => clearInterval(again));
    expect(await heard.promise).toBe("alive");
  });

  it("a worker asks the API for a link, and nobody else asks or hears it", async () => {
    connections.api.subscribe(subjects.bucketLink, { callback: (_error, message) => void message.respond("a link") });
    await connections.api.flush();
    const answer = async () =>
      (await connections.worker.request(subjects.bucketLink, "", { timeout: 20_000 })).string();
    // Each server learns of the subscription from its neighbor.
    await vi.waitFor(async () => expect(await answer()).toBe("a link"), { timeout: 60_000, interval: 100 });
    for (const service of natsServices) if (service !== "worker") await expectRefused(service, subjects.bucketLink);
    for (const service of natsServices) if (service !== "api") await expectDeaf(service, subjects.bucketLink);
  });

  it("the API has a photo looked at by a worker, whose answer it alone hears", async () => {
    const { api, worker } = connections;
    worker.subscribe(subjects.look, {
      callback: (_error, message) => worker.publish(subjects.lookAnswer(message.string()), "seen"),
    });
    const answered = Promise.withResolvers<string>();
    api.subscribe(subjects.lookAnswer("*"), { callback: (_error, message) => answered.resolve(message.string()) });
    await Promise.all([worker.flush(), api.flush()]);
    // Each server learns of the subscriptions from its neighbor.
    const asking = setInterval(() => api.publish(subjects.look, "one"), 100);
    expect(await answered.promise.finally(() => clearInterval(asking))).toBe("seen");
    for (const service of natsServices) if (service !== "api") await expectRefused(service, subjects.look);
    for (const service of natsServices) if (service !== "worker") await expectDeaf(service, subjects.look);
    for (const service of natsServices)
      if (service !== "worker") await expectRefused(service, subjects.lookAnswer("one"));
    for (const service of natsServices) if (service !== "api") await expectDeaf(service, subjects.lookAnswer("*"));
  });
});
