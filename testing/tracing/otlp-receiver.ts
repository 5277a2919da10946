/** A collector of our own: it takes OTLP/HTTP in JSON and remembers the spans. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** undefined: the trace's first span. */
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: "internal" | "server" | "client" | "producer" | "consumer";
  /** `service.name` of its process. */
  readonly service: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Span ids. */
  readonly links: readonly string[];
  readonly hasFailed: boolean;
}

export interface OtlpReceiver {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Resolves when `condition` holds; it is checked after each request. */
  until(condition: (spans: readonly ReceivedSpan[]) => boolean): Promise<void>;
  stop(): Promise<void>;
}

interface AnyValue {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
}

interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly KeyValue[];
  readonly links?: readonly { readonly spanId: string }[];
  readonly status?: { readonly code?: number };
}

interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

const kinds = ["internal", "internal", "server", "client", "producer", "consumer"] as const;
const statusError = 2;

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const looks = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const isTraces = request.url === "/v1/traces" && request.headers["content-type"] === "application/json";
    if (!isTraces) return void response.writeHead(404).end();
    spans.push(...parseSpans(JSON.parse(Buffer.concat(chunks).toString()) as ExportRequest));
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
    for (const look of looks) look();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    until: (condition) =>
      new Promise((resolve) => {
        const look = () => {
          if (!condition(spans)) return;
          looks.delete(look);
          resolve();
        };
        looks.add(look);
        look();
      }),
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function parseSpans({ resourceSpans }: ExportRequest): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(attributesOf(resource.attributes)["service.name"]);
    return scopeSpans.flatMap((scope) => scope.spans.map((span) => parseSpan(span, service)));
  });
}

function parseSpan(span: OtlpSpan, service: string): ReceivedSpan {
  const { traceId, spanId, name, kind, links = [] } = span;
  return {
    traceId,
    spanId,
    name,
    service,
    parentSpanId: span.parentSpanId === "" ? undefined : span.parentSpanId,
    kind: kinds[kind] ?? "internal",
    startMs: Number(span.startTimeUnixNano) / 1e6,
    endMs: Number(span.endTimeUnixNano) / 1e6,
    attributes: attributesOf(span.attributes),
    links: links.map((link) => link.spanId),
    hasFailed: span.status?.code === statusError,
  };
}

function attributesOf(list: readonly KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(
    list.map(({ key, value: { stringValue, intValue, doubleValue, boolValue } }) => [
      key,
      stringValue ?? (intValue === undefined ? (doubleValue ?? boolValue) : Number(intValue)),
    ]),
  );
}
