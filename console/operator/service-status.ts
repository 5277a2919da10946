import type { UseQueryResult } from "@tanstack/react-query";
import type { components } from "./generated/admin-openapi.ts";
import { useOperatorRead } from "./operator-session.tsx";

export type ServiceStatus = components["schemas"]["ServiceStatus"];

const refetchIntervalMs = 2_000;

export function useServiceStatus(): UseQueryResult<ServiceStatus> {
  return useOperatorRead<ServiceStatus>("/status", {}, refetchIntervalMs);
}
