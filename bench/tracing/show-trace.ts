/**
 * Prints the trace of one edit as a tree: from a stack of its own, with a webhook.
 *
 *   node bench/tracing/show-trace.ts [--photo FILE] [--tool mask]
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { jpeg } from "../../testing/images/odd-images.ts";
import { formWith, startLiveStack } from "../../testing/stack/live-stack.ts";
import { startOtlpReceiver } from "../../testing/tracing/otlp-receiver.ts";
import { formatTrace } from "../../testing/tracing/trace-tree.ts";
import { startReceiver } from "../../testing/webhooks/receiver.ts";

const { values } = parseArgs({
  options: { photo: { type: "string" }, tool: { type: "string", default: "mask" } },
});
const photo = values.photo === undefined ? await jpeg() : readFileSync(values.photo);
const collector = await startOtlpReceiver();
const endpoint = await startReceiver();
const stack = await startLiveStack({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_TRACES_SAMPLER: "parentbased_always_off",
});
try {
  const init = { headers: { "Content-Type": "application/json" }, body: JSON.stringify({ url: endpoint.url }) };
  await stack.call("POST", "/v1/webhooks", init);
  // The first edit warms caches. Only the second one's client asks for a trace.
  await stack.edit(values.tool, formWith(photo));
  const traceId = crypto.randomUUID().replaceAll("-", "");
  const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
  const headers = { traceparent, Prefer: "wait=60" };
  await stack.call("POST", `/v1/tools/${values.tool}/edit`, { body: formWith(photo), headers });
  const isDone = (name: string) => collector.spans.some((span) => span.name === name);
  await collector.until(() => ["POST", "process PS_DELIVERIES", "process PS_READY"].every(isDone));
} finally {
  await stack.stop();
  await endpoint.close();
  await collector.stop();
}
console.log(formatTrace(collector.spans));
