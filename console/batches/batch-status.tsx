import { Badge } from "../components/badge.tsx";
import type { Batch } from "./batch.ts";

const kinds = { validating: "muted", running: "warn", paused: "warn", completed: "ok", cancelled: "muted" } as const;
const pauseReasons = {
  requested: "paused",
  insufficient_credits: "paused: credits are used up",
  api_disabled: "paused: the account is suspended",
} as const;

export function BatchStatus({ batch: { status, pausedBy } }: { readonly batch: Batch }) {
  return <Badge kind={kinds[status]}>{pausedBy === null ? status : pauseReasons[pausedBy]}</Badge>;
}
