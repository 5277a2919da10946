/** Sends an edit: a form with the file, an upload session for a large one, or JSON with a reference. */
import { type PhotoSource, type ReadSource, readSource } from "./photo-source.ts";
import type { CreatedJob, Destination, Metadata, ToolId, ToolParameters } from "./schemas.ts";
import type { Transport, Waiting } from "./transport.ts";
import { uploadTimeoutMs, withUpload } from "./uploads.ts";

export interface EditOptions<Id extends ToolId> extends Waiting {
  readonly parameters?: ToolParameters[Id];
  /**
   * Your own matte of the photo, as the photo may be given; no model runs. With `parameters.refine`, its edge is aligned with
   * the photo's.
   */
  readonly mask?: PhotoSource;
  /** One of the account's presets, which `parameters` take precedence over; or with mask a marketplace's. */
  readonly preset?: string;
  /** An object of a connected bucket, where the result goes too. */
  readonly destination?: Destination;
  /** Returned with the job and its events: at most 16 entries. */
  readonly metadata?: Metadata;
  /** One of your own makes a program that was restarted repeat its edit without paying again; within 24 hours. */
  readonly idempotencyKey?: string;
}

/** A larger file goes to storage first, where a broken connection repeats the PUT and not the edit. */
const formBytesMax = 8 * 1024 * 1024;

type File = Extract<ReadSource, { kind: "file" }>;

export async function submitEdit<Id extends ToolId>(
  transport: Transport,
  tool: Id,
  source: PhotoSource,
  { mask, ...options }: EditOptions<Id>,
): Promise<CreatedJob> {
  if (mask === undefined) return await submitWith(transport, tool, source, options);
  const { idempotencyKey = crypto.randomUUID() } = options;
  return await withMask(transport, mask, { ...options, idempotencyKey }, (maskImage) => {
    const parameters = { ...options.parameters, maskImage } as ToolParameters[Id];
    return submitWith(transport, tool, source, { ...options, parameters, idempotencyKey });
  });
}

/** As `parameters.maskImage` has it. */
export type OwnMask = { readonly imageUrl: string } | { readonly uploadSessionId: string };

/** A mask that is a file goes to storage first. A program that is started again finds its first run's session. */
export async function withMask<T>(
  transport: Transport,
  mask: PhotoSource,
  { idempotencyKey, signal, timeoutMs }: Waiting & { readonly idempotencyKey: string },
  use: (maskImage: OwnMask) => Promise<T>,
): Promise<T> {
  const read = await readSource(mask, signal);
  if (read.kind === "reference") return await use(read.fields);
  const file = { ...read, contentType: read.file.type === "" ? "image/png" : read.contentType };
  const options = { signal, timeoutMs, idempotencyKey: `${idempotencyKey}-mask` };
  return await withUpload(transport, file, options, (uploadSessionId) => use({ uploadSessionId }));
}

async function submitWith<Id extends ToolId>(
  transport: Transport,
  tool: Id,
  source: PhotoSource,
  options: Omit<EditOptions<Id>, "mask">,
): Promise<CreatedJob> {
  const { signal, parameters, preset, metadata, destination, idempotencyKey = crypto.randomUUID() } = options;
  const fields = { parameters, preset, metadata, destination };
  const read = await readSource(source, signal);
  const path = `/v1/tools/${encodeURIComponent(tool)}/edit`;
  const call = { method: "POST", path, idempotencyKey, signal } as const;
  if (read.kind === "reference") {
    const json = { ...read.fields, ...fields };
    return await transport.json<CreatedJob>({ ...call, json, timeoutMs: options.timeoutMs });
  }
  if (read.file.size <= formBytesMax) {
    const body = formOf(read, { ...parameters, ...(preset === undefined ? {} : { preset }), metadata, destination });
    return await transport.json<CreatedJob>({ ...call, body, timeoutMs: options.timeoutMs ?? uploadTimeoutMs });
  }
  return await withUpload(transport, read, { ...options, idempotencyKey }, (uploadSessionId) => {
    const json = { uploadSessionId, ...fields };
    return transport.json<CreatedJob>({ ...call, json, timeoutMs: options.timeoutMs });
  });
}

function formOf({ file, filename }: File, fields: object): FormData {
  const form = new FormData();
  for (const [name, value] of flatten(fields)) form.set(name, value);
  // The file comes last, so that the service knows the fields when it arrives.
  form.set("image", file, filename);
  return form;
}

/** `[["output.width", "800"]]` for `{output: {width: 800}}`; a list of objects is one field of JSON. */
function flatten(fields: object, prefix = ""): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) {
      const isOfObjects = value.some((item) => typeof item === "object");
      return [[`${prefix}${name}`, isOfObjects ? JSON.stringify(value) : value.join(",")]];
    }
    if (typeof value === "object") return flatten(value as object, `${prefix}${name}.`);
    return [[`${prefix}${name}`, String(value)]];
  });
}
