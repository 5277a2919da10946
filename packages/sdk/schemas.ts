/** The contract's types by the names that a program uses. */
import type { components, operations } from "./generated/openapi.ts";

type Schemas = components["schemas"];

export type Account = Schemas["Account"];
export type AccountDeletion = Schemas["AccountDeletion"];
export type ApiKey = Schemas["ApiKey"];
export type AuditEntry = Schemas["AuditEntry"];
export type Batch = Schemas["Batch"];
export type BatchDryRun = Schemas["BatchDryRun"];
/** A row. One that cannot be edited fails alone, when the batch runs. */
export type BatchItem = Omit<Schemas["BatchItem"], "parameters"> & { readonly parameters?: AnyParameters };
/** What holds for all rows of a batch that say nothing else. */
export type BatchOptions = Omit<Schemas["NewBatch"], "parameters" | "items" | "uploadSessionId" | "dryRun" | "look"> & {
  readonly parameters?: AnyParameters;
};
export type Connection = Schemas["Connection"];
export type ConnectionChange = Schemas["ConnectionChange"];
export type ConnectionTest = Schemas["ConnectionTest"];
export type CreatedApiKey = Schemas["CreatedApiKey"];
export type CreatedJob = Schemas["CreatedJob"];
export type CreatedUpload = Schemas["CreatedUpload"];
export type Delivery = Schemas["Delivery"];
export type DeliveryWithRequest = Schemas["DeliveryWithRequest"];
export type Destination = Schemas["Destination"];
export type Job = Schemas["Job"];
export type KnownErrorCode = Schemas["KnownErrorCode"];
export type Metadata = Readonly<Record<string, string>>;
export type NamedTheme = Schemas["NamedTheme"];
export type NewApiKey = Schemas["NewApiKey"];
/** With its default the schema makes the field required of whoever sends one. */
export type NewConnection = Omit<Schemas["NewConnection"], "forcePathStyle"> &
  Partial<Pick<Schemas["NewConnection"], "forcePathStyle">>;
export type NewPreset = Schemas["NewPreset"];
export type NewUpload = Schemas["NewUpload"];
export type NewWebhook = Schemas["NewWebhook"];
export type Preset = Schemas["Preset"];
export type Report = Schemas["Report"];
export type Review = Schemas["Review"];
export type ReviewedJob = Schemas["ReviewedJob"];
/** A doubtful row of a batch. */
export type ReviewItem = Schemas["ReviewItem"];
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

type AnyParameters = ToolParameters[ToolId];

/** What became of a row of a batch, as the batch's report has it. */
export interface BatchRow {
  readonly ref: string;
  /** The row's line in the file, from 1, with the header. */
  readonly line: number;
  /** `pending`: without a job so far; `open`: its job has not ended; `skipped`: it was done before. */
  readonly status: "pending" | "open" | "completed" | "failed" | "skipped" | "cancelled";
  /** Why it failed, why its delivery did, or why a skipped row has no result. */
  readonly code: KnownErrorCode | null;
  readonly message: string | null;
  readonly tool: ToolId | null;
  readonly jobId: string | null;
  /** Signed, until `expiresAt`. */
  readonly resultUrl: string | null;
  readonly expiresAt: string | null;
  /** Where the result is in a bucket of your own, instead. */
  readonly destination: string | null;
  /** Only for a row with a destination. `failed`: its bucket did not take the result, which is at `resultUrl`. */
  readonly delivery: "stored" | "failed" | null;
  /** Only for a skipped row: the batch and the row, from 0, that it is the same as. */
  readonly sameAs: { readonly batchId: string; readonly row: number } | null;
  readonly quality: "ok" | "review" | null;
  /** What a person made of it; a rejected row has no result any more. */
  readonly review: Review["verdict"] | null;
  readonly checks: Report["checks"] | null;
  readonly credits: number;
  readonly milliseconds: number | null;
  /** The files of a row with `outputs`, the one of `resultUrl` first; null for any other. */
  readonly results: readonly BatchRowFile[] | null;
}

/** One of the files of a row with `outputs`. */
export interface BatchRowFile {
  readonly name: string;
  /** Signed, until the row's `expiresAt`; null where it is in a bucket of your own, is no longer kept or could not be made. */
  readonly url: string | null;
  readonly contentType: string | null;
  readonly bytes: number | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly destination: string | null;
  readonly checks?: Report["checks"];
  /** Why it could not be made. */
  readonly error?: { readonly code: KnownErrorCode; readonly message: string; readonly retryable: boolean };
}

type QueryOf<Name extends keyof operations> = NonNullable<operations[Name]["parameters"]["query"]>;

/** Pages are the iterators' own matter; `limit` is the size of one. */
export type JobFilter = Omit<QueryOf<"listJobs">, "cursor" | "metadata"> & { readonly metadata?: Metadata };
export type PageSize = Omit<QueryOf<"listBatches">, "cursor">;
export type DeliveryFilter = Omit<QueryOf<"listDeliveries">, "cursor">;
export type UsagePeriod = QueryOf<"getUsage">;
