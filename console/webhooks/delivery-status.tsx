import type { Delivery } from "@packshot/sdk";
import { Badge } from "../components/badge.tsx";

const kinds = { succeeded: "ok", pending: "warn", failed: "danger" } as const;

export function DeliveryStatus({ delivery: { status } }: { readonly delivery: Pick<Delivery, "status"> }) {
  return <Badge kind={kinds[status]}>{status}</Badge>;
}
