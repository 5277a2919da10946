/** The gRPC services that the model server offers and the worker calls, from proto/. */
import { fileURLToPath } from "node:url";
import { loadPackageDefinition, type ServiceClientConstructor } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";

/** Bytes are views of the received buffer, and 64-bit numbers are text, because JavaScript's numbers lose digits. */
const protoOptions = { keepCase: true, longs: String, enums: String, defaults: true, oneofs: false } as const;

const protoFiles = ["open_inference", "health"].map((name) =>
  fileURLToPath(new URL(`../../../proto/${name}.proto`, import.meta.url)),
);

let services: ReturnType<typeof readServices> | undefined;

/** Read once: their types are half a megabyte of a heap. */
export function loadGrpcServices() {
  services ??= readServices();
  return services;
}

function readServices() {
  const packages = loadPackageDefinition(loadSync(protoFiles, protoOptions)) as unknown as {
    inference: { GRPCInferenceService: ServiceClientConstructor };
    grpc: { health: { v1: { Health: ServiceClientConstructor } } };
  };
  return { Inference: packages.inference.GRPCInferenceService, Health: packages.grpc.health.v1.Health };
}
