/** The account's webhooks, and how to register one. */
import type { Webhook, WebhookWithSecret } from "@packshot/sdk";
import { useState } from "react";
import { listAll } from "../api/api.ts";
import { Button } from "../components/button.tsx";
import { Empty } from "../components/empty.tsx";
import { Loaded } from "../components/loaded.tsx";
import { SecretOnce } from "../components/secret-once.tsx";
import { type Column, Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { Link } from "../router/link.tsx";
import { useRead } from "../session/read.ts";
import { destinationLabel } from "./destination-fields.tsx";
import { NewWebhookDialog } from "./new-webhook.tsx";
import { WebhookStatus } from "./webhook-status.tsx";

const refetchIntervalMs = 15_000;

export function WebhookList() {
  const read = useRead(["webhooks"], (api, signal) => listAll(api.packshot.webhooks.list({ signal })), {
    refetchIntervalMs,
  });
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<WebhookWithSecret>();

  return (
    <>
      <h1>Webhooks</h1>
      <div className="bar">
        <Button kind="primary" onClick={() => setMaking(true)}>
          Register a webhook
        </Button>
      </div>
      <Loaded read={read} label="Loading the webhooks">
        {(webhooks) =>
          webhooks.length === 0 ? (
            <Empty title="There are no webhooks">
              A webhook is an address of yours that is told when a job or a batch ends.
            </Empty>
          ) : (
            <Table caption="Webhooks, oldest first" columns={columns} rows={webhooks} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
      {isMaking && (
        <NewWebhookDialog
          onClose={() => setMaking(false)}
          onMade={(webhook) => {
            setMaking(false);
            setMade(webhook);
          }}
        />
      )}
      {made !== undefined && (
        <SecretOnce
          title="The webhook's signing secret"
          what="secret"
          secret={made.secret}
          onClose={() => setMade(undefined)}
        >
          <p>Your server verifies with it that a request came from Packshot. It is shown only now.</p>
        </SecretOnce>
      )}
    </>
  );
}

const columns: readonly Column<Webhook>[] = [
  {
    title: "Address",
    isText: true,
    cell: (webhook) => <Link to={`/webhooks/${webhook.id}`}>{destinationLabel(webhook)}</Link>,
  },
  { title: "For", isText: true, cell: ({ description }) => description || "–" },
  { title: "Events", cell: ({ events }) => events.filter((event) => event !== "webhook.test").join(", ") },
  { title: "Status", cell: (webhook) => <WebhookStatus webhook={webhook} /> },
  { title: "Created", cell: ({ createdAt }) => <Time at={createdAt} /> },
];
