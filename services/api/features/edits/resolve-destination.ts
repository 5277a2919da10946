import { type BucketFile, baseNameOf, fillKey, hasPlaceholder, type KeyValues } from "@packshot/domain/bucket-key.ts";
import type { Metadata } from "@packshot/domain/job.ts";
import type { ToolId } from "@packshot/domain/tools.ts";
import { type Caller, realmOf } from "../../access/caller.ts";
import { assertConnection } from "../connections/find-connection.ts";
import { type ReadUploadDeps, readUpload } from "../uploads/read-upload.ts";
import type { EditSource } from "./store-source.ts";

interface EditToPlace {
  readonly tool: ToolId;
  readonly source: EditSource;
  readonly metadata: Metadata;
  /** As the request names it: the key may have placeholders. */
  readonly destination?: BucketFile | undefined;
  /** Values of placeholders, where they are not those of the edit itself. */
  readonly keyValues?: Pick<KeyValues, "ref" | "batchId">;
}

/**
 * The destination with all that is known of its key; `{ext}` stays until the result's format is known. `ref` is the
 * metadata's entry of that name, unless the edit brings another one. Throws `invalid_request`.
 */
export async function resolveDestination(
  deps: ReadUploadDeps,
  { caller, jobId, edit }: { readonly caller: Caller; readonly jobId: string; readonly edit: EditToPlace },
): Promise<BucketFile | undefined> {
  const { destination, keyValues = {}, metadata, tool } = edit;
  if (destination === undefined) return undefined;
  const { connection, key: template } = destination;
  const ref = keyValues.ref ?? metadata.ref;
  const name = hasPlaceholder(template, "name") ? await sourceName(deps, caller, edit) : undefined;
  const key = fillKey(template, { tool, jobId, ref, name, batchId: keyValues.batchId });
  await assertConnection(deps, realmOf(caller), { name: connection, field: "destination.connection" });
  return { connection, key };
}

async function sourceName(deps: ReadUploadDeps, caller: Caller, { source }: EditToPlace): Promise<string | undefined> {
  if (source.kind === "url") return baseNameOf(source.imageUrl);
  // The destination of a job has no placeholder of its photo any more.
  if (source.kind === "job") return undefined;
  if (source.kind === "file") return source.filename === undefined ? undefined : baseNameOf(source.filename);
  return baseNameOf((await readUpload(deps, { realm: realmOf(caller), uploadId: source.uploadId })).filename);
}
