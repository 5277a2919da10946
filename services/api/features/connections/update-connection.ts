import {
  type BucketConnection,
  type BucketCredentials,
  connectionWrite,
  accessKeyIdEndOf,
} from "@packshot/domain/bucket-connection.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { isoTime } from "@packshot/domain/ids.ts";
import { sealCredentials } from "./sealed-credentials.ts";
import { checkEndpoint } from "./check-endpoint.ts";
import { asFolder, type CreateConnectionDeps, type NewConnection } from "./create-connection.ts";
import { type ConnectionRef, readConnection } from "./read-connection.ts";

/** The name stays: sources and destinations name it. The two parts of the credentials change together. */
export type ConnectionUpdate = Partial<Omit<NewConnection, "name">>;

/**
 * What is signed from now on has the new credentials. Credentials are for the bucket that they were given for: another
 * endpoint or bucket needs them anew, or a key of scope `keys` could have them used where it likes. Throws `not_found`,
 * `invalid_request`.
 */
export async function updateConnection(
  { log, seal, allow, nowMs }: Pick<CreateConnectionDeps, "log" | "seal" | "allow" | "nowMs">,
  { update, ...ref }: ConnectionRef & { readonly update: ConnectionUpdate },
): Promise<BucketConnection> {
  const { accessKeyId, secretAccessKey, prefix, ...fields } = update;
  const credentials = pair(accessKeyId, secretAccessKey);
  const changes = {
    ...fields,
    ...(prefix === undefined ? {} : { prefix: asFolder(prefix) }),
    ...(credentials === undefined
      ? {}
      : { sealedCredentials: sealCredentials(seal, credentials), accessKeyIdEnd: accessKeyIdEndOf(credentials) }),
  };
  return await log.transact<BucketConnection>("update-connection", async () => {
    const { value: before, sequence } = await readConnection({ log }, ref);
    const after = { ...before, ...changes, updatedAt: isoTime(nowMs()) };
    if (credentials === undefined) assertSamePlace(before, after);
    checkEndpoint(after, allow);
    return { writes: [connectionWrite(before, after, sequence)], result: after };
  });
}

function assertSamePlace(before: BucketConnection, after: BucketConnection): void {
  if (before.endpoint === after.endpoint && before.bucket === after.bucket) return;
  throw new PackshotError(
    "invalid_request",
    "Another endpoint or bucket needs its credentials: send accessKeyId and secretAccessKey with it.",
    { details: { field: "secretAccessKey" } },
  );
}

function pair(accessKeyId?: string, secretAccessKey?: string): BucketCredentials | undefined {
  if (accessKeyId !== undefined && secretAccessKey !== undefined) return { accessKeyId, secretAccessKey };
  if (accessKeyId === undefined && secretAccessKey === undefined) return undefined;
  const field = accessKeyId === undefined ? "accessKeyId" : "secretAccessKey";
  throw new PackshotError("invalid_request", "accessKeyId and secretAccessKey change together.", {
    details: { field },
  });
}
