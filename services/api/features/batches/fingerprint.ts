/** What makes two rows the same edit: equal fingerprints give the same image, up to the seed. */
import { createHash } from "node:crypto";
import type { BucketFile } from "@packshot/domain/bucket-key.ts";
import type { EditParameters, ToolId } from "@packshot/domain/tools.ts";
import { canonicalJson } from "../../idempotency/idempotency-key.ts";

export interface FingerprintedEdit {
  /** false: of a sandbox job, whose image is no edit. */
  readonly live: boolean;
  /** SHA-256 of the source's bytes, in hex. */
  readonly source: string;
  readonly tool: ToolId;
  /** As the row has them: without a seed that was drawn. */
  readonly parameters: EditParameters;
  /** SHA-256 of the bytes of the picture behind the product, where that is at a URL. */
  readonly background?: string | undefined;
  /** `name@version` of the model that would run. */
  readonly model: string;
  /** As the row has it: what went elsewhere is not where this row's result is to be. Absent: it stays with the batch. */
  readonly destination?: BucketFile | undefined;
}

export function fingerprintOf(edit: FingerprintedEdit): string {
  return createHash("sha256")
    .update(canonicalJson({ v: 1, ...edit }))
    .digest("hex");
}
