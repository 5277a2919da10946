import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PackshotError } from "@packshot/domain/errors.ts";
import { expect, test } from "vitest";
import { startTestTracing } from "../../../testing/tracing/test-tracing.ts";
import type { Logger } from "./logger.ts";
import {
  activeSpan,
  endWith,
  isTracing,
  jobIdAttribute,
  startSpan,
  startTrace,
  traced,
  tracedBatch,
  traceField,
  traceLogFields,
} from "./tracing.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const sampled = `00-${traceId}-b7ad6b7169203331-01`;
const unsampled = `00-${traceId}-b7ad6b7169203331-00`;

/** A program that has started tracing with these settings, and the loggers of a process. */
function tracingProgram(environment: Readonly<Record<string, string>>, body: string): string {
  const load = (name: string) => `await import(${JSON.stringify(new URL(name, import.meta.url).href)})`;
  return `
    const { startTracing } = ${load("start-tracing.ts")};
    const { endWith, startTrace } = ${load("tracing.ts")};
    const { readSettings } = ${load("../config/settings.ts")};
    const { createLogger } = ${load("logger.ts")};
    const { Registry } = await import("prom-client");
    const logger = createLogger({ name: "test", level: "info" });
    const settings = readSettings(${JSON.stringify(environment)});
    const tracing = await startTracing({ name: "test", settings, registry: new Registry(), logger });
    ${body}
    await tracing.stop();`;
}

function runProgram(program: string) {
  const cwd = new URL("..", import.meta.url);
  return spawnSync(process.execPath, ["--input-type=module", "-e", program], { cwd, encoding: "utf8" });
}

/** What a process loads of OpenTelemetry that starts tracing with these settings. prom-client loads the bare API. */
function loadedPackages(environment: Readonly<Record<string, string>>): string[] {
  const program = `
    import { registerHooks } from "node:module";
    const loaded = new Set();
    registerHooks({ resolve(specifier, context, next) {
      if (/^@opentelemetry\\/(?!api$)/.test(specifier)) loaded.add(specifier);
      return next(specifier, context);
    } });
    ${tracingProgram(environment, "console.log(JSON.stringify([...loaded]));")}`;
  return JSON.parse(runProgram(program).stdout) as string[];
}

test("no part of the SDK is loaded unless a collector is named, and not where tracing is disabled", () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };
  expect(loadedPackages({})).toEqual([]);
  expect(loadedPackages({ ...endpoint, OTEL_SDK_DISABLED: "true" })).toEqual([]);
  expect(loadedPackages({ ...endpoint, OTEL_TRACES_EXPORTER: "none" })).toEqual([]);
  expect(loadedPackages(endpoint)).toContain("@opentelemetry/sdk-trace");
});

test("while tracing is off, spans and fields are absent and work is done as without them", async () => {
  expect(isTracing()).toBe(false);
  expect(startTrace("a", { parent: sampled })).toBeUndefined();
  expect(startSpan("a", { parent: sampled })).toBeUndefined();
  expect(await traced("a", { parent: sampled }, async (span) => [span, traceField(), traceLogFields()])).toEqual([
    undefined,
    {},
    {},
  ]);
  expect(await tracedBatch("a", {}, [sampled], async () => 7)).toBe(7);
});

test("a request continues its client's trace, begins one without, and respects that a client's is not sampled", async () => {
  const tracing = await startTestTracing();
  startTrace("continued", { kind: "server", parent: sampled })!.end();
  startTrace("begun", { kind: "server" })!.end();
  startTrace("begun after nonsense", { kind: "server", parent: "00-nonsense" })!.end();
  expect(startTrace("not sampled", { parent: unsampled })).toBeUndefined();
  const spans = await tracing.stop();
  expect(spans.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([
    ["continued", "b7ad6b7169203331"],
    ["begun", undefined],
    ["begun after nonsense", undefined],
  ]);
  expect(spans[0]).toMatchObject({ traceId, kind: "server", service: "packshot-test" });
  expect(spans[1]!.traceId).not.toBe(traceId);
});

test("the sampler decides on requests without a traceparent only", async () => {
  const ratio = { OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0" };
  for (const environment of [ratio, { OTEL_TRACES_SAMPLER: "parentbased_always_off" }]) {
    const tracing = await startTestTracing(environment);
    expect(startTrace("begun", {})).toBeUndefined();
    startTrace("continued", { parent: sampled })!.end();
    expect((await tracing.stop()).map(({ name }) => name)).toEqual(["continued"]);
  }
});

test("nothing but a request begins a trace: a span needs a cause that is traced", async () => {
  const tracing = await startTestTracing();
  expect(startSpan("no cause")).toBeUndefined();
  expect(startSpan("nonsense", { parent: "" })).toBeUndefined();
  expect(startSpan("not sampled", { parent: unsampled })).toBeUndefined();
  const root = startTrace("request", {})!;
  root.setAttribute(jobIdAttribute, "job");
  await endWith(root, async () => {
    await traced("child", {}, async (child) => {
      await new Promise(setImmediate);
      expect(activeSpan()).toBe(child);
      expect(traceField().traceparent).toContain(child!.spanContext().spanId);
    });
    expect(activeSpan()).toBe(root);
  });
  const spans = await tracing.stop();
  expect(spans.map(({ name }) => name)).toEqual(["child", "request"]);
  expect(spans[0]).toMatchObject({ parentSpanId: spans[1]!.spanId, attributes: { [jobIdAttribute]: "job" } });
});

test("work for several causes has a span in each traced one's trace, and the first links to the others", async () => {
  const tracing = await startTestTracing();
  const causes = [undefined, unsampled, startTrace("a", {}), startTrace("b", {}), sampled];
  const act = async () => {
    throw new PackshotError("not_found", "https://secret.example/link");
  };
  await expect(tracedBatch("batch", {}, causes, act)).rejects.toThrow();
  const [first, ...others] = await tracing.stop();
  expect(others).toHaveLength(2);
  expect(first!.links).toEqual(others.map(({ spanId }) => spanId));
  for (const { links } of others) expect(links).toEqual([first!.spanId]);
  for (const span of [first!, ...others]) {
    expect(span).toMatchObject({ name: "batch", hasFailed: true, attributes: { "error.type": "not_found" } });
    expect(JSON.stringify(span)).not.toContain("secret.example");
  }
});

test("a log line has the ids of the active span and of its job, and no others have any", () => {
  const body = `
    const span = startTrace("request", { attributes: { "packshot.job.id": "job" } });
    logger.info({}, "before");
    await endWith(span, async () => {
      logger.info({}, "within");
      logger.info({ jobId: "other" }, "of another job");
    });
    console.log(JSON.stringify(span.spanContext()));`;
  const { stdout, stderr } = runProgram(tracingProgram({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" }, body));
  const { traceId: trace_id, spanId: span_id } = JSON.parse(stdout) as { traceId: string; spanId: string };
  const lines = stderr.split("\n").filter((line) => line.startsWith("{"));
  const [before, within, ofAnother] = lines.map((line) => JSON.parse(line) as object);
  expect(before).not.toHaveProperty("trace_id");
  expect(within).toMatchObject({ msg: "within", trace_id, span_id, jobId: "job" });
  expect(ofAnother).toMatchObject({ trace_id, jobId: "other" });
});

/** Keeps the warnings. */
function recordingLogger(): { readonly logger: Logger; readonly warnings: object[] } {
  const warnings: object[] = [];
  const logger = { info() {}, warn: (fields: object) => warnings.push(fields) } as unknown as Logger;
  return { logger, warnings };
}

test("a collector that is out of reach costs dropped spans, one line in the log, and no more time at the stop", async () => {
  const { logger, warnings } = recordingLogger();
  const endpoint = "http://127.0.0.1:1";
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_BSP_MAX_QUEUE_SIZE: "8" };
  const tracing = await startTestTracing(environment, logger);
  for (let n = 0; n < 100; n++) startTrace("request", {})!.end();
  const dropped = /packshot_trace_spans_dropped_total\{reason="queue_full"\} (\d+)/;
  expect(Number(dropped.exec(await tracing.registry.metrics())?.[1])).toBeGreaterThan(80);
  expect(warnings).toHaveLength(1);
  await tracing.stop();
});

test("spans that the collector refuses are counted", async () => {
  const { logger, warnings } = recordingLogger();
  const server = createServer((_request, response) => void response.writeHead(400).end()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const tracing = await startTestTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, logger);
  for (let n = 0; n < 3; n++) startTrace("request", {})!.end();
  await tracing.stop();
  server.close();
  expect(await tracing.registry.metrics()).toContain('dropped_total{reason="export_failed"} 3');
  expect(warnings).toHaveLength(1);
});
