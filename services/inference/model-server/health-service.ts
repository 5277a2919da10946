/** `grpc.health.v1`: the empty service name means the server; a model's name means that model. */
import { type sendUnaryData, type ServerUnaryCall, type ServerWritableStream, status } from "@grpc/grpc-js";
import type { ModelRegistry } from "./model-registry.ts";

interface Request {
  readonly service: string;
}
type ServingStatus = "SERVING" | "NOT_SERVING" | "SERVICE_UNKNOWN";
interface Response {
  readonly status: ServingStatus;
}

const ownServices = ["", "inference.GRPCInferenceService"];

export function createHealthService(registry: ModelRegistry) {
  function statusOf(service: string): ServingStatus {
    if (ownServices.includes(service)) return registry.isReady() ? "SERVING" : "NOT_SERVING";
    if (!registry.index().some(({ name }) => name === service)) return "SERVICE_UNKNOWN";
    return registry.versionsOf(service).length > 0 ? "SERVING" : "NOT_SERVING";
  }

  const watchers = new Map<ServerWritableStream<Request, Response>, () => void>();
  registry.onChange(() => {
    for (const notify of watchers.values()) notify();
  });

  const handlers = {
    Check(call: ServerUnaryCall<Request, Response>, callback: sendUnaryData<Response>): void {
      const found = statusOf(call.request.service);
      if (found === "SERVICE_UNKNOWN")
        callback({ code: status.NOT_FOUND, details: `unknown service '${call.request.service}'` });
      else callback(null, { status: found });
    },
    Watch(call: ServerWritableStream<Request, Response>): void {
      let last: ServingStatus | null = null;
      const notify = (): void => {
        const now = statusOf(call.request.service);
        if (now !== last) call.write({ status: now });
        last = now;
      };
      const end = (): void => void watchers.delete(call);
      watchers.set(call, notify);
      call.on("cancelled", end);
      call.on("error", end);
      call.on("close", end);
      notify();
    },
  };
  return {
    handlers,
    endStreams() {
      for (const call of watchers.keys()) call.end();
    },
  };
}
