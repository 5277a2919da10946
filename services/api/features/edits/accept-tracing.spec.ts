/** Traces of accepts among several processes: what another process accepts or promotes stays in the request's trace. */
import { randomUUID } from "node:crypto";
import type { QueueEntry } from "@packshot/domain/accounts/queue-entry.ts";
import { subjects } from "@packshot/domain/subjects.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openAccount } from "../../../../testing/api/accounts.ts";
import { type ApiProcesses, startApis } from "../../../../testing/api/api-processes.ts";
import { png } from "../../../../testing/images/odd-images.ts";
import { formWith } from "../../../../testing/stack/live-stack.ts";
import { type OtlpReceiver, startOtlpReceiver } from "../../../../testing/tracing/otlp-receiver.ts";
import { pathOf } from "../../../../testing/tracing/trace-tree.ts";

const clientSpanId = "00f067aa0ba902b7";
let apis: ApiProcesses;
let collector: OtlpReceiver;

beforeAll(async () => {
  collector = await startOtlpReceiver();
  apis = await startApis({ count: 2, environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
});
afterAll(async () => {
  await apis?.stop();
  await collector?.stop();
});

async function call(method: string, path: string, { key, body }: { key: string; body?: FormData }) {
  const traceId = randomUUID().replaceAll("-", "");
  const headers = { Authorization: `Bearer ${key}`, traceparent: `00-${traceId}-${clientSpanId}-01` };
  const init = { method, headers, body };
  const response = await fetch(`${apis.all[0]!.url}${path}`, init);
  const { id } = (await response.json()) as { id: string };
  return { traceId, jobId: id, status: response.status };
}

async function edit(key: string) {
  const accepted = await call("POST", "/v1/tools/mask/edit", { key, body: formWith(await png(), {}, "image/png") });
  expect(accepted.status).toBe(202);
  return accepted;
}

const pathsOf = (traceId: string) => {
  const trace = collector.spans.filter((span) => span.traceId === traceId);
  return trace.map((span) => pathOf(span, trace, clientSpanId));
};

test("an accept that is forwarded to its account's owner is in the request's trace", async () => {
  const route = "POST /v1/tools/{tool_id}/edit (server) > accept";
  const forwarded = `${route} > accept forward (client) > accept forwarded (server)`;
  const committed = (path: string) => path.endsWith("accept batch > commit PS_STATE (producer)");
  // Half of the accounts belong to the other process.
  for (let paths: string[] = []; !paths.some((path) => path.startsWith(forwarded)); ) {
    const { traceId } = await edit((await openAccount(apis.all[0]!)).key);
    await collector.until(() => pathsOf(traceId).some(committed));
    await collector.until(() => pathsOf(traceId).includes(route));
    paths = pathsOf(traceId);
    expect(paths.find(committed)).toMatch(new RegExp(`^${RegExp.escape(route)} > (accept forward|accept batch)`));
  }
});

test("a job that waits is promoted with its own trace, by whichever process does it", async () => {
  const { accountId, key } = await openAccount(apis.all[0]!, { limits: { concurrentJobs: 1 } });
  const running = await edit(key);
  const waiting = await edit(key);
  const ready = subjects.ready("*", accountId, waiting.jobId);
  expect((await apis.log.readNext(ready, 1))?.value).toBeUndefined();
  const cancelled = await call("POST", `/v1/jobs/${running.jobId}/cancel`, { key });
  // The keeper settles the cancelled job in the trace of what cancelled it, and promotes the other.
  await collector.until(() => pathsOf(cancelled.traceId).some((path) => path.includes("process PS_EVENTS [keeper]")));
  const promoted = (await apis.log.readNext<QueueEntry>(ready, 1))?.value;
  expect(promoted).toMatchObject({ jobId: waiting.jobId });
  expect(promoted!.traceparent).toContain(`00-${waiting.traceId}-`);
});
