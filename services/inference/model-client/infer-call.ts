/** A request to one server, within a span of its own, and the names of models. */
import { type TraceSpan, traced, traceparentOf } from "@packshot/platform/telemetry/tracing.ts";
import type { InferRequest, InferResponse } from "./inference-stream.ts";
import type { CallOptions } from "./server-connection.ts";
import type { ServerLink } from "./server-link.ts";

export function infer(server: ServerLink, message: InferRequest, options: CallOptions): Promise<InferResponse> {
  const rpc = `inference.GRPCInferenceService/${server.inferMethod}`;
  return traced(rpc, { kind: "client" }, (span) => {
    if (span === undefined) return server.infer(message, options);
    return server.infer(describeCall(span, message, { address: server.address, rpc }), options);
  });
}

/** All requests share one stream and its metadata, so the trace context is a parameter of the request. */
function describeCall(
  span: TraceSpan,
  message: InferRequest,
  { address, rpc }: { readonly address: string; readonly rpc: string },
): InferRequest {
  span.setAttributes({
    "rpc.system.name": "grpc",
    "rpc.method": rpc,
    "server.address": address,
    "packshot.model": message.model_name,
  });
  return { ...message, parameters: { ...message.parameters, traceparent: { string_param: traceparentOf(span) } } };
}

/** Splits `name@version`. An absent version is empty: the server takes the newest. */
export function splitVersion(model: string): [name: string, version: string] {
  const [name, version = ""] = model.split("@");
  return [name!, version];
}

export function qualifiedName(name: string, version: string): string {
  return version === "" ? name : `${name}@${version}`;
}
