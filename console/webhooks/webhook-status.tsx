import type { Delivery, Webhook } from "@packshot/sdk";
import { Badge } from "../components/badge.tsx";
import { Time } from "../components/time.tsx";

const reasons: Readonly<Record<string, string>> = {
  client: "disabled",
  operator: "disabled by the operator",
  gone: "disabled: it answered 410",
  failing: "disabled: it failed for three days",
};

export function WebhookStatus({ webhook }: { readonly webhook: Webhook }) {
  const { status, disabledReason, failingSince } = webhook;
  if (status === "disabled") return <Badge kind="muted">{reasons[disabledReason ?? "client"] ?? "disabled"}</Badge>;
  if (failingSince !== null) return <Badge kind="danger">failing</Badge>;
  return <Badge kind="ok">enabled</Badge>;
}

const kinds = { succeeded: "ok", pending: "warn", failed: "danger" } as const;

export function DeliveryStatus({ delivery: { status } }: { readonly delivery: Pick<Delivery, "status"> }) {
  return <Badge kind={kinds[status]}>{status}</Badge>;
}

export function NextAttempt({ delivery }: { readonly delivery: Pick<Delivery, "status" | "nextAttemptAt"> }) {
  if (delivery.nextAttemptAt !== null) return <Time at={delivery.nextAttemptAt} />;
  return delivery.status === "pending" ? "due now" : "–";
}
