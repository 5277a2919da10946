/** Where a webhook's events go: an address, or a queue or a topic with its credentials. */
import type { NewWebhook, Webhook } from "@packshot/sdk";
import { Field, TextField } from "../components/field.tsx";
import { Select } from "../components/select.tsx";

export type DestinationKind = Webhook["kind"];

/** One text for each field of each kind; what another kind asks for is kept while people choose. */
export interface DestinationTexts {
  readonly kind: DestinationKind;
  readonly url: string;
  readonly queueUrl: string;
  readonly region: string;
  readonly topicArn: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly pubsubTopic: string;
  /** The key file's JSON. */
  readonly serviceAccount: string;
  readonly proxyUrl: string;
  readonly kafkaTopic: string;
  readonly clusterId: string;
  readonly username: string;
  readonly password: string;
}

export const emptyDestination: DestinationTexts = {
  kind: "https",
  url: "",
  queueUrl: "",
  region: "",
  topicArn: "",
  accessKeyId: "",
  secretAccessKey: "",
  pubsubTopic: "",
  serviceAccount: "",
  proxyUrl: "",
  kafkaTopic: "",
  clusterId: "",
  username: "",
  password: "",
};

export const kindNames: Readonly<Record<DestinationKind, string>> = {
  https: "HTTPS address",
  sqs: "Amazon SQS",
  sns: "Amazon SNS",
  pubsub: "Google Pub/Sub",
  kafka: "Kafka (REST proxy)",
};

/** What names the place: the `url` of several topics behind one address is the same. */
export function destinationLabel({ url, sqs, sns, pubsub, kafka }: Webhook): string {
  return (
    sqs?.queueUrl ?? sns?.topicArn ?? pubsub?.topic ?? (kafka === undefined ? url : `${kafka.topic} at ${kafka.url}`)
  );
}

/** Throws an Error where the key file is no JSON. */
export function destinationOf(texts: DestinationTexts): Pick<NewWebhook, "url" | "sqs" | "sns" | "pubsub" | "kafka"> {
  const { kind, accessKeyId, secretAccessKey } = texts;
  const keys = { accessKeyId: accessKeyId.trim(), secretAccessKey: secretAccessKey.trim() };
  const given = (text: string) => text.trim() || null;
  switch (kind) {
    case "https":
      return { url: texts.url.trim() };
    case "sqs":
      return { sqs: { queueUrl: texts.queueUrl.trim(), region: given(texts.region), ...keys } };
    case "sns":
      return { sns: { topicArn: texts.topicArn.trim(), ...keys } };
    case "pubsub":
      return { pubsub: { topic: texts.pubsubTopic.trim(), serviceAccount: keyFile(texts.serviceAccount) } };
    case "kafka":
      return {
        kafka: {
          url: texts.proxyUrl.trim(),
          topic: texts.kafkaTopic.trim(),
          clusterId: given(texts.clusterId),
          username: given(texts.username),
          password: given(texts.password),
        },
      };
  }
}

function keyFile(text: string): NonNullable<NewWebhook["pubsub"]>["serviceAccount"] {
  try {
    const { client_email, private_key_id, private_key } = JSON.parse(text);
    return { client_email, private_key_id, private_key };
  } catch {
    throw new Error("The key file is not JSON: paste the file that Google Cloud made for the service account.");
  }
}

interface FieldsProps {
  readonly texts: DestinationTexts;
  readonly onChange: (change: Partial<DestinationTexts>) => void;
}

export function DestinationFields(props: FieldsProps) {
  const { texts, onChange } = props;
  return (
    <>
      <Select
        label="Events go to"
        value={texts.kind}
        options={Object.entries(kindNames).map(([value, label]) => ({ value, label }))}
        onChange={(kind) => onChange({ kind: kind as DestinationKind })}
      />
      <KindFields {...props} />
    </>
  );
}

function KindFields(props: FieldsProps) {
  switch (props.texts.kind) {
    case "https":
      return <AddressField {...props} />;
    case "sqs":
    case "sns":
      return <AwsFields {...props} />;
    case "pubsub":
      return <PubSubFields {...props} />;
    case "kafka":
      return <KafkaFields {...props} />;
  }
}

function AddressField({ texts, onChange }: FieldsProps) {
  return (
    <TextField
      label="Address"
      hint="HTTPS, and reachable from the internet, unless the operator allows others."
      type="url"
      name="url"
      placeholder="https://shop.example/hooks/packshot"
      required
      value={texts.url}
      onChange={(url) => onChange({ url })}
    />
  );
}

function AwsFields({ texts, onChange }: FieldsProps) {
  const { kind, queueUrl, region, topicArn, accessKeyId, secretAccessKey } = texts;
  return (
    <>
      {kind === "sqs" ? (
        <>
          <TextField
            label="Queue's URL"
            type="url"
            required
            placeholder="https://sqs.eu-central-1.amazonaws.com/123456789012/photos"
            value={queueUrl}
            onChange={(text) => onChange({ queueUrl: text })}
          />
          <TextField
            label="Region"
            hint="Only where the URL does not name it."
            value={region}
            onChange={(text) => onChange({ region: text })}
          />
        </>
      ) : (
        <TextField
          label="Topic's ARN"
          required
          placeholder="arn:aws:sns:eu-central-1:123456789012:photos"
          value={topicArn}
          onChange={(text) => onChange({ topicArn: text })}
        />
      )}
      <TextField
        label="Access key's id"
        hint={`Of a user who may do no more than ${kind === "sqs" ? "sqs:SendMessage" : "sns:Publish"} here.`}
        required
        autoComplete="off"
        value={accessKeyId}
        onChange={(text) => onChange({ accessKeyId: text })}
      />
      <TextField
        label="Secret access key"
        type="password"
        required
        autoComplete="off"
        value={secretAccessKey}
        onChange={(text) => onChange({ secretAccessKey: text })}
      />
    </>
  );
}

function PubSubFields({ texts: { pubsubTopic, serviceAccount }, onChange }: FieldsProps) {
  return (
    <>
      <TextField
        label="Topic"
        required
        placeholder="projects/shop-123456/topics/photos"
        value={pubsubTopic}
        onChange={(text) => onChange({ pubsubTopic: text })}
      />
      <Field
        label="Service account's key file"
        hint="Its JSON; the account needs the role Pub/Sub Publisher for the topic."
      >
        {(bind) => (
          <textarea
            {...bind}
            rows={4}
            required
            spellCheck={false}
            autoComplete="off"
            value={serviceAccount}
            onChange={(event) => onChange({ serviceAccount: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}

function KafkaFields({ texts, onChange }: FieldsProps) {
  const { proxyUrl, kafkaTopic, clusterId, username, password } = texts;
  return (
    <>
      <TextField
        label="REST proxy's URL"
        type="url"
        required
        placeholder="https://kafka-rest.shop.example"
        value={proxyUrl}
        onChange={(text) => onChange({ proxyUrl: text })}
      />
      <TextField label="Topic" required value={kafkaTopic} onChange={(text) => onChange({ kafkaTopic: text })} />
      <TextField
        label="Cluster's id"
        hint="For version 3 of the proxy's API; empty: version 2."
        value={clusterId}
        onChange={(text) => onChange({ clusterId: text })}
      />
      <TextField
        label="User name"
        hint="Empty where the proxy asks for none."
        autoComplete="off"
        value={username}
        onChange={(text) => onChange({ username: text })}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="off"
        value={password}
        onChange={(text) => onChange({ password: text })}
      />
    </>
  );
}
