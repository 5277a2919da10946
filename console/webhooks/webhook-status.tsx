import type { Webhook } from "@packshot/sdk";
import { Badge } from "../components/badge.tsx";

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
