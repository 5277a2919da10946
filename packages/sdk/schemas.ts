/** The contract's types by the names that a program uses. */
import type { components, operations } from "./generated/openapi.ts";

type Schemas = components["schemas"];

export type Account = Schemas["Account"];
export type ApiKey = Schemas["ApiKey"];
export type Connection = Schemas["Connection"];
export type ConnectionChange = Schemas["ConnectionChange"];
export type ConnectionTest = Schemas["ConnectionTest"];
export type CreatedApiKey = Schemas["CreatedApiKey"];
export type CreatedJob = Schemas["CreatedJob"];
export type CreatedUpload = Schemas["CreatedUpload"];
export type Delivery = Schemas["Delivery"];
export type Destination = Schemas["Destination"];
export type Job = Schemas["Job"];
export type KnownErrorCode = Schemas["KnownErrorCode"];
export type Metadata = Readonly<Record<string, string>>;
export type NewApiKey = Schemas["NewApiKey"];
/** With its default the schema makes the field required of whoever sends one. */
export type NewConnection = Omit<Schemas["NewConnection"], "forcePathStyle"> &
  Partial<Pick<Schemas["NewConnection"], "forcePathStyle">>;
export type NewPreset = Schemas["NewPreset"];
export type NewUpload = Schemas["NewUpload"];
export type NewWebhook = Schemas["NewWebhook"];
export type Preset = Schemas["Preset"];
export type Report = Schemas["Report"];
export type Tool = Schemas["Tool"];
export type ToolId = Schemas["ToolId"];
export type Upload = Schemas["Upload"];
export type Usage = Schemas["Usage"];
export type Webhook = Schemas["Webhook"];
export type WebhookChange = Schemas["WebhookChange"];
export type WebhookEvent = Schemas["WebhookEvent"];
export type WebhookWithSecret = Schemas["WebhookWithSecret"];

/** What each tool's edits may be given. */
export interface ToolParameters {
  readonly mask: Schemas["MaskParameters"];
  readonly "ai-shadows": Schemas["AiShadowsParameters"];
  readonly "ai-bg": Schemas["AiBgParameters"];
}

type QueryOf<Name extends keyof operations> = NonNullable<operations[Name]["parameters"]["query"]>;

/** Pages are the iterators' own matter; `limit` is the size of one. */
export type JobFilter = Omit<QueryOf<"listJobs">, "cursor" | "metadata"> & { readonly metadata?: Metadata };
export type DeliveryFilter = Omit<QueryOf<"listDeliveries">, "cursor">;
export type UsagePeriod = QueryOf<"getUsage">;
