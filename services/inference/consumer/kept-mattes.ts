/**
 * Where the mattes are that this worker's last edits have made, so that another edit of the same photo need not make one again
 * (docs/adr/0045-kept-mattes.md). The matte is a file of the job that made it, and goes with it; the index only names it, for an
 * hour at most, and may be lost. Whatever goes wrong here, the edit is an ordinary one.
 */

import { createHash } from "node:crypto";
import type { ProcessingJob } from "@packshot/domain/jobs/job.ts";
import { storageKeys } from "@packshot/domain/jobs/storage-keys.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { keptMatteBytesMax } from "../edits/cut-out/kept-matte.ts";
import type { EditInput } from "../edits/edit.ts";
import type { EditFiles } from "./edit-files.ts";

/** A Keyv: what it forgets costs an edit its time. */
export interface MatteIndex {
  get(name: string): Promise<unknown>;
  set(name: string, entry: Entry, ttlMs: number): Promise<unknown>;
}

export interface KeptMattesDeps {
  readonly index: MatteIndex;
  readonly storage: Pick<Storage, "read" | "write">;
  /** How long a matte is taken again after it was made. */
  readonly keptForMs: number;
}

export interface KeptMattes {
  /** undefined: the edit takes none and keeps none, because it predicts none or its model is not known. */
  lookUp(
    job: ProcessingJob,
    files: EditFiles,
    edit: Pick<EditInput, "models" | "parameters">,
  ): Promise<Lookup | undefined>;
}

export interface Lookup {
  readonly found?: NonNullable<EditInput["keptMatte"]>;
  /** Stores the matte that the edit made among the files of its attempt. */
  keep(matte: Uint8Array, model: string | null): Promise<void>;
}

interface Entry {
  readonly jobId: string;
  readonly key: string;
}

export function createKeptMattes({ index, storage, keptForMs }: KeptMattesDeps): KeptMattes {
  async function find(name: string): Promise<Lookup["found"]> {
    const entry = (await index.get(name)) as Entry | undefined;
    if (entry === undefined) return undefined;
    // A job that was deleted, has expired or was edited anew by another attempt has this file no more.
    const bytes = await storage.read(entry.key, { bytesMax: keptMatteBytesMax });
    return bytes && { bytes, jobId: entry.jobId };
  }

  return {
    async lookUp(job, files, { models, parameters }) {
      // A matte of the caller's own costs nothing to make.
      if (files.mask !== undefined) return undefined;
      const described = await models.describe(parameters.model).catch(() => undefined);
      if (described === undefined) return undefined;
      const { version, precision, digest } = described;
      const model = `${parameters.model.split("@")[0]}@${version}`;
      const name = nameOf(job, files.source, { parameters, model, precision, digest });
      const found = await find(name).catch(() => undefined);
      return {
        found,
        async keep(matte, madeBy) {
          // A server may have been given other weights meanwhile, or another configuration of the same version.
          const now = await models.describe(parameters.model).catch(() => undefined);
          if (madeBy !== model || now?.digest !== digest) return;
          const key = `${storageKeys.attempt(job.accountId, job.id, job.attemptId)}kept-matte`;
          try {
            await storage.write(key, matte, { bytesMax: keptMatteBytesMax });
            await index.set(name, { jobId: job.id, key } satisfies Entry, keptForMs);
          } catch {
            // The result is what counts: if its storage fails, too, that is told.
          }
        },
      };
    },
  };
}

interface MadeBy {
  readonly parameters: EditInput["parameters"];
  readonly model: string;
  readonly precision: string | undefined;
  /** What the server says of the model: an operator may change its configuration, or the weights, under the same version. */
  readonly digest: string | undefined;
}

/** All that a matte depends on, and whose it is. */
function nameOf(
  { accountId, live }: ProcessingJob,
  source: Uint8Array,
  { parameters, model, precision, digest }: MadeBy,
): string {
  const { region, point, existingAlpha = "auto" } = parameters;
  const photo = createHash("sha256").update(source).digest("hex");
  const { left, top, right, bottom } = region ?? {};
  const framing = [
    region === undefined ? null : [left, top, right, bottom],
    point === undefined ? null : [point.x, point.y],
  ];
  const of = JSON.stringify([accountId, live, photo, framing, existingAlpha, model, precision ?? null, digest ?? null]);
  return createHash("sha256").update(of).digest("base64url");
}
