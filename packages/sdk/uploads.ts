import { type PhotoSource, readSource } from "./photo-source.ts";
import type { CreatedUpload, NewUpload, Upload } from "./schemas.ts";
import type { Transport, Waiting } from "./transport.ts";
import { uploadFile } from "./with-upload.ts";

interface Creation extends Waiting {
  readonly idempotencyKey?: string;
}

export function createUploads(transport: Transport) {
  const path = (id: string) => `/v1/uploads/${encodeURIComponent(id)}`;
  return {
    /** Opens a session and sends the bytes, for a photo that several edits use. Delete it when none needs it any more. */
    async send(file: Exclude<PhotoSource, string | URL>, options: Creation = {}): Promise<CreatedUpload> {
      const read = await readSource(file, options.signal);
      if (read.kind === "reference") throw new TypeError("Only a file, bytes or a stream can be uploaded.");
      return await uploadFile(transport, read, options);
    },
    /** Opens a session only: its bytes are PUT to `uploadUrl` by whoever has them. */
    create: (upload: NewUpload, { idempotencyKey = crypto.randomUUID(), ...waiting }: Creation = {}) =>
      transport.json<CreatedUpload>({ method: "POST", path: "/v1/uploads", json: upload, idempotencyKey, ...waiting }),
    get: (id: string, waiting: Waiting = {}): Promise<Upload> =>
      transport.json({ method: "GET", path: path(id), ...waiting }),
    delete: (id: string, waiting: Waiting = {}): Promise<void> =>
      transport.send({ method: "DELETE", path: path(id), ...waiting }),
  };
}

export type Uploads = ReturnType<typeof createUploads>;
