/** One delivery: what was sent, what the endpoint answered to each attempt, and a button to send it again. */
import type { components } from "@packshot/sdk/generated/openapi.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Button } from "../components/button.tsx";
import { CodeBlock } from "../components/code-block.tsx";
import { curlCommand } from "../components/curl-command.ts";
import { Definitions } from "../components/definitions.tsx";
import { ErrorNote } from "../components/error-note.tsx";
import { formatDuration } from "../components/format.ts";
import { Loaded } from "../components/loaded.tsx";
import { Time } from "../components/time.tsx";
import { useToast } from "../components/toast.tsx";
import { Link } from "../router/link.tsx";
import type { PageProps } from "../router/match-page.ts";
import { useRead } from "../session/read.ts";
import { useApi } from "../session/session.tsx";
import { DeliveryStatus, NextAttempt } from "./webhook-status.tsx";

type Delivery = components["schemas"]["DeliveryWithRequest"];
type Webhook = components["schemas"]["Webhook"];
type Attempt = Delivery["attempts"][number];

const refetchIntervalMs = 2_000;

export function DeliveryDetail({ params }: PageProps) {
  const { id, event } = params as { readonly id: string; readonly event: string };
  const path = `/v1/webhooks/${encodeURIComponent(id)}/deliveries/${encodeURIComponent(event)}`;
  const read = useRead(["delivery", id, event], (api, signal) => api.json<Delivery>({ method: "GET", path, signal }), {
    refetchIntervalMs,
  });
  return (
    <>
      <p>
        <Link to={`/webhooks/${id}`}>The webhook's deliveries</Link>
      </p>
      <h1>Delivery</h1>
      <Loaded read={read} label="Loading the delivery">
        {(delivery) => (
          <div className="stack">
            <Resend delivery={delivery} />
            <DeliveryFacts delivery={delivery} />
            <section aria-labelledby="request">
              <h2 id="request">Request</h2>
              <CodeBlock text={requestText(delivery)} what="request as it is sent" />
              <p className="hint">Each attempt has its own webhook-timestamp and webhook-signature besides.</p>
              <AsCurl webhookId={id} delivery={delivery} />
            </section>
            <section aria-labelledby="answers">
              <h2 id="answers">Answers</h2>
              {delivery.attempts.map((attempt) => (
                <AttemptCard key={attempt.attempt} attempt={attempt} />
              ))}
            </section>
          </div>
        )}
      </Loaded>
    </>
  );
}

function AsCurl({ webhookId, delivery }: { readonly webhookId: string; readonly delivery: Delivery }) {
  const path = `/v1/webhooks/${encodeURIComponent(webhookId)}`;
  const read = useRead(["webhook", webhookId], (api, signal) => api.json<Webhook>({ method: "GET", path, signal }));
  return (
    <Loaded read={read} label="Loading the webhook">
      {({ url, kind }) =>
        // A message is wrapped and signed in other ways, with keys that nobody sees.
        kind === "https" && (
          <details>
            <summary>As curl</summary>
            <CodeBlock text={curlCommand(url, delivery.request)} what="request for a shell" />
          </details>
        )
      }
    </Loaded>
  );
}

function Resend({ delivery }: { readonly delivery: Delivery }) {
  const { packshot } = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  const resend = useMutation({
    mutationFn: () => packshot.webhooks.redeliver(delivery.webhookId, delivery.id),
    async onSuccess() {
      toast("It is sent again");
      await queries.invalidateQueries({ queryKey: ["delivery", delivery.webhookId, delivery.id] });
    },
  });
  return (
    <div>
      <Button kind="primary" isBusy={resend.isPending} onClick={() => resend.mutate()}>
        Resend
      </Button>
      {resend.error !== null && <ErrorNote error={resend.error} />}
    </div>
  );
}

function DeliveryFacts({ delivery }: { readonly delivery: Delivery }) {
  const { id, event, jobId, createdAt } = delivery;
  return (
    <section className="card" aria-labelledby="facts">
      <h2 id="facts">Facts</h2>
      <Definitions
        entries={[
          ["Status", <DeliveryStatus key="status" delivery={delivery} />],
          ["Event", event],
          ["Event's id", <code key="id">{id}</code>],
          [
            "Job",
            jobId && (
              <Link key="job" to={`/jobs/${jobId}`}>
                …{jobId.slice(-12)}
              </Link>
            ),
          ],
          ["Happened", <Time key="created" at={createdAt} />],
          ["Next attempt", delivery.status === "pending" ? <NextAttempt key="next" delivery={delivery} /> : undefined],
        ]}
      />
    </section>
  );
}

function AttemptCard({ attempt }: { readonly attempt: Attempt }) {
  const { at, outcome, status, durationMs, error, responseHead } = attempt;
  return (
    <article className="card" aria-label={`Attempt ${attempt.attempt}`}>
      <h3>{attempt.attempt === 0 ? "Nothing was sent" : `Attempt ${attempt.attempt}`}</h3>
      <Definitions
        entries={[
          ["When", <Time key="at" at={at} />],
          ["Outcome", outcome],
          ["Status", status],
          ["Took", formatDuration(durationMs)],
          ["Why", error],
        ]}
      />
      {responseHead !== "" && <CodeBlock text={responseHead} what={`answer to attempt ${attempt.attempt}`} />}
    </article>
  );
}

/** JSON bodies are shown with their fields on lines of their own. */
function requestText({ request: { method, headers, body } }: Delivery): string {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [method, ...head, "", body === null ? "(the log has lost the body)" : prettyJson(body)].join("\n");
}

function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
