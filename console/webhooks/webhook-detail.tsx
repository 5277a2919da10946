/** One webhook: its state, what may be done with it, its deliveries, and how to verify them. */
import type { Webhook } from "@packshot/sdk";
import { Definitions } from "../components/definitions.tsx";
import { Loaded } from "../components/loaded.tsx";
import { Time } from "../components/time.tsx";
import { Link } from "../router/link.tsx";
import type { PageProps } from "../router/match-page.ts";
import { useRead } from "../session/read.ts";
import { DeliveryList } from "./delivery-list.tsx";
import { VerifyRecipe } from "./verify-recipe.tsx";
import { WebhookActions } from "./webhook-actions.tsx";
import { WebhookStatus } from "./webhook-status.tsx";

/** The service disables a webhook whose endpoint is gone, so its state is read again as its deliveries are. */
const refetchIntervalMs = 3_000;

export function WebhookDetail({ params, query }: PageProps) {
  const id = params.id!;
  const read = useRead(["webhook", id], (api, signal) => api.packshot.webhooks.get(id, { signal }), {
    refetchIntervalMs,
  });
  return (
    <>
      <p>
        <Link to="/webhooks">All webhooks</Link>
      </p>
      <h1>Webhook</h1>
      <Loaded read={read} label="Loading the webhook">
        {(webhook) => (
          <div className="stack">
            <WebhookActions webhook={webhook} />
            <WebhookFacts webhook={webhook} />
            <DeliveryList webhook={webhook} query={query} />
            <VerifyRecipe />
          </div>
        )}
      </Loaded>
    </>
  );
}

function WebhookFacts({ webhook }: { readonly webhook: Webhook }) {
  const { url, description, events, createdAt, failingSince, live, id } = webhook;
  return (
    <section className="card" aria-labelledby="facts">
      <h2 id="facts">Facts</h2>
      <Definitions
        entries={[
          ["Address", url],
          ["For", description || undefined],
          ["Status", <WebhookStatus key="status" webhook={webhook} />],
          ["Failing since", failingSince && <Time key="failing" at={failingSince} />],
          ["Events", events.join(", ")],
          ["Of", live ? "live jobs" : "test jobs"],
          ["Id", <code key="id">{id}</code>],
          ["Created", <Time key="created" at={createdAt} />],
        ]}
      />
    </section>
  );
}
