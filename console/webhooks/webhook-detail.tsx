/** One webhook: its state, what may be done with it, its deliveries, and how to verify them. */
import type { Webhook } from "@packshot/sdk";
import { useState } from "react";
import { CodeBlock } from "../components/code-block.tsx";
import { Definitions } from "../components/definitions.tsx";
import { Loaded } from "../components/loaded.tsx";
import { type Tab, Tabs } from "../components/tabs.tsx";
import { Time } from "../components/time.tsx";
import { Link } from "../router/link.tsx";
import type { PageProps } from "../router/match-page.ts";
import { useRead } from "../session/read.ts";
import { DeliveryList } from "./delivery-list.tsx";
import { destinationLabel, kindNames } from "./destination-fields.tsx";
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
            <DisabledNotice webhook={webhook} />
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

const disabledReasons: Readonly<Record<NonNullable<Webhook["disabledReason"]>, string>> = {
  client: "It was disabled in the console or with a key of this account.",
  operator: "The operator disabled it.",
  gone: "The endpoint answered 410, which means that it wants no more events.",
  failing: "No delivery succeeded for three days.",
};

/** Only tests are sent to a disabled webhook: whoever waits for events must see why none come. */
function DisabledNotice({ webhook: { disabledAt, disabledReason } }: { readonly webhook: Webhook }) {
  if (disabledAt === null) return null;
  return (
    <section className="note note-error" aria-label="Disabled">
      <p className="note-title">
        Disabled since <Time at={disabledAt} />
      </p>
      <p>
        {disabledReason !== null && `${disabledReasons[disabledReason]} `}It gets no events until it is enabled again.
        Failed deliveries can be sent again below.
      </p>
    </section>
  );
}

function WebhookFacts({ webhook }: { readonly webhook: Webhook }) {
  const { kind, description, events, createdAt, failingSince, live, id, format, maxPerSecond, maxConcurrent } = webhook;
  return (
    <section className="card" aria-labelledby="facts">
      <h2 id="facts">Facts</h2>
      <Definitions
        entries={[
          ["Events go to", kindNames[kind]],
          [kind === "https" ? "Address" : "Place", destinationLabel(webhook)],
          ["For", description || undefined],
          ["Status", <WebhookStatus key="status" webhook={webhook} />],
          ["Failing since", failingSince && <Time key="failing" at={failingSince} />],
          ["Events", events.join(", ")],
          ["Payload format", format === "cloudevents" ? "CloudEvents 1.0" : "Packshot"],
          ["Requests a second", maxPerSecond === 0 ? "any number" : `${maxPerSecond} at most`],
          ["Requests at once", `${maxConcurrent} at most`],
          ["Of", live ? "live jobs" : "test jobs"],
          ["Id", <code key="id">{id}</code>],
          ["Created", <Time key="created" at={createdAt} />],
        ]}
      />
    </section>
  );
}

/** How a receiver verifies that a delivery came from Packshot: Standard Webhooks, in three languages. */
type Language = "typescript" | "python" | "openssl";

const tabs: readonly Tab<Language>[] = [
  { id: "typescript", title: "TypeScript" },
  { id: "python", title: "Python" },
  { id: "openssl", title: "By hand" },
];

const recipes: Readonly<Record<Language, string>> = {
  typescript: `// npm install standardwebhooks
import { Webhook } from "standardwebhooks";

const webhook = new Webhook(secret); // whsec_…, from your configuration
// The body as it arrived, not parsed and written anew. It throws when the signature is wrong or five minutes old.
const event = webhook.verify(rawBody, {
  "webhook-id": request.headers["webhook-id"],
  "webhook-timestamp": request.headers["webhook-timestamp"],
  "webhook-signature": request.headers["webhook-signature"],
});
// The same event may come twice, with the same webhook-id: keep the ids of the last hours.
response.writeHead(204).end();`,
  python: `# pip install standardwebhooks
from standardwebhooks.webhooks import Webhook

webhook = Webhook(secret)  # whsec_…, from your configuration
# The body as it arrived, not parsed and written anew. It raises when the signature is wrong or five minutes old.
event = webhook.verify(raw_body, {
    "webhook-id": headers["webhook-id"],
    "webhook-timestamp": headers["webhook-timestamp"],
    "webhook-signature": headers["webhook-signature"],
})
# The same event may come twice, with the same webhook-id: keep the ids of the last hours.`,
  openssl: `# signature = "v1," + base64(HMAC-SHA256(key, id + "." + timestamp + "." + body)); the key is the secret after whsec_, decoded
key=$(printf %s "\${PACKSHOT_WEBHOOK_SECRET#whsec_}" | base64 -d | xxd -p -c 256)
printf '%s.%s.%s' "$webhook_id" "$webhook_timestamp" "$body" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64
# One of the signatures in webhook-signature, which spaces separate, is "v1," and this; and the timestamp is of now.`,
};

export function VerifyRecipe() {
  const [language, setLanguage] = useState<Language>("typescript");
  return (
    <section aria-labelledby="verify">
      <h2 id="verify">Verify what arrives</h2>
      <p>
        Deliveries are signed as Standard Webhooks specifies, so its library for your language verifies them with the
        signing secret. Answer with any 2xx status within 15 seconds; anything else is tried again. In queues and topics
        the three are attributes of the message.
      </p>
      <Tabs label="Languages" tabs={tabs} selected={language} onSelect={setLanguage}>
        <CodeBlock text={recipes[language]} what="program" />
      </Tabs>
    </section>
  );
}
