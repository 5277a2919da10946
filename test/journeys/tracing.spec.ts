/** One trace through all processes of a real stack, as a collector receives it; and none where nobody asks for one. */
import { randomUUID } from "node:crypto";
import { deliverySubjects } from "@packshot/domain/webhooks/delivery.ts";
import { connectNats } from "@packshot/log/nats/connection.ts";
import { describe, expect, it } from "vitest";
import { jpeg } from "../../testing/images/odd-images.ts";
import { formWith, type LiveStack, startLiveStack } from "../../testing/stack/live-stack.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from "../../testing/tracing/otlp-receiver.ts";
import { pathOf } from "../../testing/tracing/trace-tree.ts";
import { type Receiver, startReceiver } from "../../testing/webhooks/receiver.ts";

const clientSpanId = "00f067aa0ba902b7";

interface Suite {
  readonly stack: LiveStack;
  readonly collector: OtlpReceiver;
  readonly endpoint: Receiver;
  readonly headers: Awaited<ReturnType<typeof watchHeaders>>;
  stop(): Promise<void>;
}

/** `environmentOf`: given the collector's address. */
async function startSuite(environmentOf: (url: string) => Readonly<Record<string, string>>): Promise<Suite> {
  const collector = await startOtlpReceiver();
  const endpoint = await startReceiver();
  // Each edit of the one photo goes through all stages.
  const stack = await startLiveStack({ PACKSHOT_KEPT_MATTE_SECONDS: "0", ...environmentOf(collector.url) });
  const body = JSON.stringify({ url: endpoint.url });
  await stack.call("POST", "/v1/webhooks", { headers: { "Content-Type": "application/json" }, body });
  const headers = await watchHeaders(stack);
  return {
    stack,
    collector,
    endpoint,
    headers,
    async stop() {
      await headers.stop();
      await stack.stop();
      await endpoint.close();
      await collector.stop();
    },
  };
}

/** Edits a photo with this `traceparent` and waits for the webhook. Resolves with the job's id and the webhook's headers. */
async function editAndReceive({ stack, endpoint }: Suite, traceparent: string) {
  const headers = { traceparent, Prefer: "wait=60" };
  const response = await stack.call("POST", "/v1/tools/mask/edit", { body: formWith(await jpeg()), headers });
  const { id, status } = (await response.json()) as { id: string; status: string };
  expect(status).toBe("completed");
  const isOfJob = ({ body }: { body: string }) => body.includes(id);
  await endpoint.until((received) => received.some(isOfJob));
  return { jobId: id, webhook: endpoint.received.find(isOfJob)!.headers };
}

/** The `traceparent` header of each message about a job, by kind, as processes publish them. */
async function watchHeaders({ file }: LiveStack) {
  const connection = await connectNats({ url: file.natsUrl, name: "test" });
  const seen: { readonly subject: string; readonly text: string; readonly traceparent: string }[] = [];
  for (const subject of ["ps.>", deliverySubjects.dueAll]) {
    connection.subscribe(subject, {
      callback: (_error, message) => {
        const traceparent = message.headers?.get("traceparent") ?? "";
        seen.push({ subject: message.subject, text: message.string(), traceparent });
      },
    });
  }
  await connection.flush();
  return {
    ofJob(jobId: string): Record<string, string[]> {
      const about = seen.filter(({ text }) => text.includes(jobId));
      const kindOf = ({ subject }: { subject: string }) => subject.split(".")[subject.startsWith("ps.") ? 2 : 1]!;
      const byKind = Object.groupBy(about, kindOf);
      return Object.fromEntries(
        ["job", "ready", "event", "due"].map((kind) => [kind, (byKind[kind] ?? []).map((one) => one.traceparent)]),
      );
    },
    stop: () => connection.close(),
  };
}

/** `byKind`: headers of the messages that were seen. */
function expectNoHeader(byKind: Readonly<Record<string, readonly string[]>>): void {
  for (const traceparents of Object.values(byKind)) expect(new Set(traceparents)).toEqual(new Set([""]));
}

const rpc = "inference.GRPCInferenceService/ModelStreamInfer";

/** Every span of a mask edit, below its parent. */
const expectedPaths = (() => {
  const request = "POST /v1/tools/{tool_id}/edit (server)";
  const process = `${request} > accept > process PS_READY [lane-0] (consumer)`;
  const call = `${process} > predict > ${rpc} (client)`;
  const commit = "commit PS_STATE (producer)";
  const fanOut = `${process} > finish > process PS_EVENTS [webhooks] (consumer)`;
  const delivery = `${fanOut} > send PS_DELIVERIES (producer) > process PS_DELIVERIES [deliveries] (consumer)`;
  return [
    request,
    ...["inspect image", "storage write", "accept"].map((name) => `${request} > ${name}`),
    ...["accept queue", "accept batch", `accept batch > ${commit}`].map((name) => `${request} > accept > ${name}`),
    process,
    ...["claim", `claim > ${commit}`, "fetchSource", "fetchSource > storage read", "fetchSource > reserve memory"].map(
      (name) => `${process} > ${name}`,
    ),
    ...["decode", "prepare", "predict", "refine", "foreground", "mask", "encode"].map((name) => `${process} > ${name}`),
    call,
    ...["", " > queue", " > batch", " > batch > run"].map((below) => `${call} > ${rpc} (server)${below}`),
    ...["storeResult", "storeResult > storage write", "finish", `finish > ${commit}`].map(
      (name) => `${process} > ${name}`,
    ),
    `${process} > finish > process PS_EVENTS [keeper] (consumer)`,
    `${process} > finish > process PS_EVENTS [keeper] (consumer) > ${commit}`,
    fanOut,
    `${fanOut} > send PS_DELIVERIES (producer)`,
    delivery,
    `${delivery} > POST (client)`,
  ];
})();

describe("with a collector", () => {
  const suite = suiteFixture(() => startSuite((url) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url })));

  const traceOf = (traceId: string) => suite.collector.spans.filter((span) => span.traceId === traceId);
  const pathsOf = (trace: readonly ReceivedSpan[]) => new Set(trace.map((span) => pathOf(span, trace, clientSpanId)));
  /** Polled, so that a failure names the spans that did not come. */
  const missingFrom = (traceId: string) => {
    const paths = pathsOf(traceOf(traceId));
    return expectedPaths.filter((path) => !paths.has(path));
  };

  it("one trace goes from the client's traceparent to the webhook's", async () => {
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    const { jobId, webhook } = await editAndReceive(suite, `00-${traceId}-${clientSpanId}-01`);
    await expect.poll(() => missingFrom(traceId)).toEqual([]);
    const trace = traceOf(traceId);
    expect([...pathsOf(trace)].sort()).toEqual([...expectedPaths].sort());
    expect(trace.filter(({ hasFailed }) => hasFailed)).toEqual([]);
    const only = (name: string, kind: string) => trace.find((span) => span.name === name && span.kind === kind)!;
    expect(webhook.traceparent).toBe(`00-${traceId}-${only("POST", "client").spanId}-01`);

    expect(only("POST /v1/tools/{tool_id}/edit", "server")).toMatchObject({
      parentSpanId: clientSpanId,
      service: "packshot-api",
      attributes: {
        "http.request.method": "POST",
        "http.route": "/v1/tools/{tool_id}/edit",
        "http.response.status_code": 200,
        "packshot.job.id": jobId,
      },
    });
    expect(only("process PS_READY", "consumer")).toMatchObject({
      service: "packshot-worker",
      attributes: { "messaging.system.name": "nats", "messaging.operation.type": "process", "packshot.job.id": jobId },
    });
    expect(only(rpc, "server")).toMatchObject({
      service: "packshot-model-server",
      attributes: { "rpc.system.name": "grpc", "rpc.method": rpc, "rpc.status_code": "OK" },
    });
    expect(only("POST", "client")).toMatchObject({
      service: "packshot-webhooks",
      attributes: { "http.request.method": "POST", "http.response.status_code": 204, "server.address": "127.0.0.1" },
    });
    for (const { name } of trace) expect(name).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
    expect(JSON.stringify(trace)).not.toMatch(/signature|whsec_|psk_|\/hook|storage\//);
    for (const traceparents of Object.values(suite.headers.ofJob(jobId))) {
      expect(traceparents).not.toEqual([]);
      for (const traceparent of traceparents) expect(traceparent).toContain(`00-${traceId}-`);
    }
  });

  it("spans of one batch for several requests are linked in both directions", async () => {
    const image = await jpeg();
    const { spans } = suite.collector;
    const batchOf = (traceId: string) => spans.find((span) => span.name === "accept batch" && span.traceId === traceId);
    let linked: ReceivedSpan | undefined;
    // What arrives while a batch is in flight makes the next one; whether it does is up to the machine.
    while (linked === undefined) {
      const traceIds = Array.from({ length: 12 }, () => randomUUID().replaceAll("-", ""));
      const post = async (traceId: string) => {
        const headers = { traceparent: `00-${traceId}-${clientSpanId}-01` };
        const { status } = await suite.stack.call("POST", "/v1/tools/mask/edit", { body: formWith(image), headers });
        expect(status).toBe(202);
      };
      await Promise.all(traceIds.map(post));
      await suite.collector.until(() => traceIds.every(batchOf));
      linked = traceIds.map(batchOf).find((span) => span!.links.length > 0);
    }
    for (const id of linked.links) {
      const other = spans.find(({ spanId }) => spanId === id)!;
      expect(other.name).toBe("accept batch");
      expect(other.links).toContain(linked.spanId);
      expect(other.traceId).not.toBe(linked.traceId);
    }
  });

  it("a client's trace that is not sampled leaves no mark", async () => {
    const quiet = "1af7651916cd43dd8448eb211c80319c";
    const seen = "2af7651916cd43dd8448eb211c80319c";
    const { jobId, webhook } = await editAndReceive(suite, `00-${quiet}-${clientSpanId}-00`);
    expect(webhook.traceparent).toBeUndefined();
    expectNoHeader(suite.headers.ofJob(jobId));
    await editAndReceive(suite, `00-${seen}-${clientSpanId}-01`);
    await expect.poll(() => missingFrom(seen!)).toEqual([]);
    expect(traceOf(quiet!)).toEqual([]);
  });
});

describe("without a collector", () => {
  const suite = suiteFixture(() => startSuite(() => ({})));

  it("no span and no header appears, whatever the client sends", async () => {
    const traceparent = `00-0af7651916cd43dd8448eb211c80319c-${clientSpanId}-01`;
    const { jobId, webhook } = await editAndReceive(suite, traceparent);
    expect(webhook.traceparent).toBeUndefined();
    expectNoHeader(suite.headers.ofJob(jobId));
    expect(suite.collector.spans).toEqual([]);
  });
});
