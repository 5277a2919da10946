/** Deliveries of a webhook of the last 72 hours, with a filter; those that failed since a time can be sent again at once. */
import type { Delivery, Webhook } from "@packshot/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ConfirmButton } from "../components/confirm-button.tsx";
import { Empty } from "../components/empty.tsx";
import { ErrorNote } from "../components/error-note.tsx";
import { Loaded } from "../components/loaded.tsx";
import { Select } from "../components/select.tsx";
import { type Column, Pager, Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { useToast } from "../components/toast.tsx";
import { Link } from "../router/link.tsx";
import { navigate } from "../router/location.ts";
import type { PageProps } from "../router/match-page.ts";
import { useRead } from "../session/read.ts";
import { useApi } from "../session/session.tsx";
import { DeliveryStatus, NextAttempt } from "./webhook-status.tsx";

interface DeliveryPage {
  readonly data: readonly Delivery[];
  readonly nextCursor?: string;
}

interface DeliveryListProps {
  readonly webhook: Webhook;
  readonly query: PageProps["query"];
}

const pageSize = 20;
const refetchIntervalMs = 3_000;
const statuses = ["succeeded", "pending", "failed"];

export function DeliveryList({ webhook, query }: DeliveryListProps) {
  const path = `/webhooks/${webhook.id}`;
  const status = query.get("status") ?? undefined;
  const cursor = query.get("cursor") ?? undefined;
  const read = useRead(
    ["deliveries", webhook.id, status, cursor],
    (api, signal) =>
      api.json<DeliveryPage>({
        method: "GET",
        path: `/v1/webhooks/${encodeURIComponent(webhook.id)}/deliveries`,
        signal,
        query: { status, cursor, limit: pageSize },
      }),
    { refetchIntervalMs },
  );
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries</h2>
      <div className="bar">
        <Select
          label="Status"
          value={status ?? ""}
          options={[{ value: "", label: "Any status" }, ...statuses.map((value) => ({ value, label: value }))]}
          onChange={(chosen) => navigate(path, { status: chosen })}
        />
        <RedeliverFailed webhookId={webhook.id} />
      </div>
      <Loaded read={read} label="Loading the deliveries">
        {({ data, nextCursor }) => (
          <>
            {data.length === 0 ? (
              <Empty title="There are no deliveries">
                Those of the last 72 hours are kept. Send a test event to see one.
              </Empty>
            ) : (
              <Table
                caption="Deliveries, the latest first"
                columns={columnsOf(webhook.id)}
                rows={data}
                keyOf={({ id }) => id}
              />
            )}
            <Pager path={path} query={{ status }} cursor={cursor} nextCursor={nextCursor} />
          </>
        )}
      </Loaded>
    </section>
  );
}

function columnsOf(webhookId: string): readonly Column<Delivery>[] {
  return [
    {
      title: "Event",
      cell: ({ id, event }) => <Link to={`/webhooks/${webhookId}/deliveries/${id}`}>{event}</Link>,
    },
    { title: "Status", cell: (delivery) => <DeliveryStatus delivery={delivery} /> },
    { title: "Answer", isText: true, cell: ({ attempts }) => describeAnswer(attempts.at(-1)) },
    { title: "Attempts", isNumber: true, cell: ({ attempts }) => attempts.filter(isAttempt).length },
    { title: "Happened", cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      title: "Next attempt",
      cell: (delivery) => <NextAttempt delivery={delivery} />,
    },
  ];
}

/** A postponement is attempt 0: nothing was sent. */
function isAttempt({ attempt }: Delivery["attempts"][number]): boolean {
  return attempt > 0;
}

function describeAnswer(attempt: Delivery["attempts"][number] | undefined): string {
  if (attempt === undefined) return "–";
  return attempt.status === null ? (attempt.error ?? "none") : String(attempt.status);
}

const dayMs = 24 * 3600 * 1000;

function RedeliverFailed({ webhookId }: { readonly webhookId: string }) {
  const { packshot } = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  const redeliver = useMutation({
    mutationFn: () => packshot.webhooks.redeliverFailed(webhookId, new Date(Date.now() - dayMs)),
    async onSuccess({ redelivered, left }) {
      toast(`${redelivered} are sent again${left > 0 ? `; ${left} are more than the plan allows now` : ""}`);
      await queries.invalidateQueries({ queryKey: ["deliveries", webhookId] });
    },
  });
  return (
    <>
      <ConfirmButton
        label="Resend what failed"
        title="Resend what failed in the last 24 hours?"
        confirmLabel="Resend"
        kind="primary"
        isBusy={redeliver.isPending}
        onConfirm={() => redeliver.mutate()}
      >
        <p>Every delivery whose last attempt failed for good is sent again. Each counts as a request of the plan.</p>
      </ConfirmButton>
      {redeliver.error !== null && <ErrorNote error={redeliver.error} />}
    </>
  );
}
