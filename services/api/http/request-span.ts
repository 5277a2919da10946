import type { IncomingMessage, ServerResponse } from "node:http";
import { isTracing, runInSpan, startTrace } from "@packshot/platform/telemetry/tracing.ts";

/** Probes would be most of the traces. */
const untracedRoutes = ["/healthz"];

/** The server's span of a request, by the semantic conventions. `route` is the template of its path. */
export async function withRequestSpan(
  route: string,
  request: IncomingMessage,
  response: ServerResponse,
  handle: () => Promise<void>,
): Promise<void> {
  if (!isTracing() || untracedRoutes.includes(route)) return await handle();
  const { method = "GET", httpVersion, headers } = request;
  const { traceparent } = headers;
  const span = startTrace(`${method} ${route}`, {
    kind: "server",
    parent: typeof traceparent === "string" ? traceparent : undefined,
  });
  if (span === undefined) return await runInSpan(undefined, handle);
  span.setAttributes({
    "http.request.method": method,
    "http.route": route,
    "url.scheme": "http",
    "network.protocol.version": httpVersion,
    "user_agent.original": headers["user-agent"],
  });
  try {
    await runInSpan(span, handle);
  } finally {
    span.setAttribute("http.response.status_code", response.statusCode);
    if (response.statusCode >= 500) span.setAttribute("error.type", String(response.statusCode)).setStatus({ code: 2 });
    span.end();
  }
}
