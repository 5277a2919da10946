/** Settings of tracing, by the names that OpenTelemetry gives them in every language. */
import { flag, integer, oneOf, optionalText, optionalWebAddress, ratio } from "./setting-rows.ts";

/** Without a parent: all, a share, or none. What the caller's `traceparent` says comes first. */
const samplers = ["parentbased_always_on", "parentbased_traceidratio", "parentbased_always_off"] as const;

export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalWebAddress(
    "Collector that gets the traces, over OTLP/HTTP as JSON, at `/v1/traces` below this address. Without it, or the next one, tracing is off. The exporter also reads `OTEL_EXPORTER_OTLP_HEADERS`, `_TIMEOUT`, `_COMPRESSION`, `_CERTIFICATE` and `OTEL_RESOURCE_ATTRIBUTES`.",
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optionalWebAddress("The whole address for traces, in place of the one above."),
  OTEL_TRACES_EXPORTER: oneOf("otlp", ["otlp", "none"], "`none` turns tracing off."),
  OTEL_SDK_DISABLED: flag(false, "Turns tracing off."),
  OTEL_TRACES_SAMPLER: oneOf(
    "parentbased_always_on",
    samplers,
    `Which requests without a \`traceparent\` are traced: ${samplers.join(", ")}. A request with one is traced if it says so.`,
  ),
  OTEL_TRACES_SAMPLER_ARG: ratio(1, "The share of requests that `parentbased_traceidratio` traces."),
  OTEL_SERVICE_NAME: optionalText(
    "`service.name` of this process's spans; `packshot-api`, `packshot-worker`, `packshot-model-server` or `packshot-webhooks` when absent.",
  ),
  OTEL_BSP_MAX_QUEUE_SIZE: integer(
    2_048,
    1,
    1_000_000,
    "Spans that wait to be exported. Beyond them spans are dropped and counted.",
  ),
} as const;
