/** What happened to a job, and which webhooks were told of its end. */
import type { Delivery, Job, Webhook } from "@packshot/sdk";
import { listAll } from "../api/api.ts";
import { Badge } from "../components/badge.tsx";
import { Loaded } from "../components/loaded.tsx";
import { Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { Link } from "../router/link.tsx";
import { useRead } from "../session/read.ts";
import { isUnfinished } from "./job-status.tsx";

interface ToldWebhook {
  readonly webhook: Webhook;
  readonly delivery: Delivery;
}

interface DeliveryPage {
  readonly data: readonly Delivery[];
}

const refetchIntervalMs = 5_000;
const kinds = { succeeded: "ok", pending: "warn", failed: "danger" } as const;

export function JobEvents({ job }: { readonly job: Job }) {
  const moments: readonly (readonly [string, string | null])[] = [
    ["Created", job.createdAt],
    ["Taken by a worker", job.startedAt],
    [`Ended: ${job.status}`, job.finishedAt],
  ];
  return (
    <section className="card" aria-labelledby="events">
      <h2 id="events">Events</h2>
      <ol>
        {moments.map(
          ([what, at]) =>
            at !== null && (
              <li key={what}>
                {what} {<Time at={at} />}
              </li>
            ),
        )}
      </ol>
      {!isUnfinished(job) && <ToldWebhooks job={job} />}
    </section>
  );
}

function ToldWebhooks({ job }: { readonly job: Job }) {
  const read = useRead(
    ["job-deliveries", job.id],
    async (api, signal): Promise<readonly ToldWebhook[]> => {
      const webhooks = await listAll(api.packshot.webhooks.list({ signal }));
      const told = webhooks.map(async (webhook) => {
        const path = `/v1/webhooks/${webhook.id}/deliveries`;
        const { data } = await api.json<DeliveryPage>({ method: "GET", path, query: { jobId: job.id }, signal });
        return data.map((delivery) => ({ webhook, delivery }));
      });
      return (await Promise.all(told)).flat();
    },
    { refetchIntervalMs },
  );
  return (
    <Loaded read={read} label="Loading the deliveries">
      {(told) =>
        told.length === 0 ? (
          <p>
            No webhook was told of it. <Link to="/webhooks">Webhooks</Link>
          </p>
        ) : (
          <Table
            caption="Webhooks that were told"
            rows={told}
            keyOf={({ webhook }) => webhook.id}
            columns={[
              {
                title: "Webhook",
                isText: true,
                cell: ({ webhook, delivery }) => (
                  <Link to={`/webhooks/${webhook.id}/deliveries/${delivery.id}`}>{webhook.url}</Link>
                ),
              },
              { title: "Event", cell: ({ delivery }) => delivery.event },
              {
                title: "Delivery",
                cell: ({ delivery }) => <Badge kind={kinds[delivery.status]}>{delivery.status}</Badge>,
              },
              { title: "Attempts", isNumber: true, cell: ({ delivery }) => delivery.attempts.length },
            ]}
          />
        )
      }
    </Loaded>
  );
}
