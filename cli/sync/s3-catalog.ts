/** Photos of a bucket, whose results go below another prefix of it or into another bucket. */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import {
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { contentTypeOfExtension } from "@packshot/domain/file-extension.ts";
import { createS3Client } from "@packshot/platform/storage/s3-client.ts";
import { CommandError } from "../command-line/command.ts";
import { environment } from "../command-line/environment.ts";
import { isPhotoName } from "../edit/photo.ts";
import { type Catalog, CatalogError, type Delivered, type ResultToDeliver } from "./catalog.ts";

interface Place {
  readonly bucket: string;
  /** "" or ends with "/". */
  readonly prefix: string;
}

/** Keys are taken from the environment or the files of AWS's own tools. */
export function createS3Catalog(from: string, to: string, endpoint: string | undefined): Catalog {
  const source = parsePlace(from);
  const target = parsePlace(to);
  const isSameBucket = source.bucket === target.bucket;
  if (isSameBucket && source.prefix.startsWith(target.prefix))
    throw new CommandError(`results in ${to} would stand among the photos of ${from}: name another prefix.`);
  const client = createS3Client(
    {
      bucket: source.bucket,
      region: environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION ?? "us-east-1",
      endpoint,
      forcePathStyle: endpoint !== undefined,
      prefix: "",
    },
    endpoint,
  );
  const isResult = (key: string) => isSameBucket && key.startsWith(target.prefix);

  return {
    place: `s3 ${from} ${to}`,
    async *photos(signal) {
      const names = new Set<string>();
      for await (const { key, version } of listObjects(client, source, signal)) {
        if (isResult(key) || !isPhotoName(basename(key))) continue;
        const below = key.slice(source.prefix.length);
        const stem = below.replace(/\.[^./]+$/, "");
        // Beside that of mug.jpg, the result of mug.webp is mug-webp.
        const resultName = names.has(stem) ? `${stem}-${below.slice(stem.length + 1)}` : stem;
        names.add(resultName);
        const targetKey = target.prefix + resultName;
        yield {
          name: `s3://${source.bucket}/${key}`,
          id: `s3://${source.bucket}/${key}`,
          version,
          resultName,
          goesTo: `s3://${target.bucket}/${targetKey}`,
          source: { open: (signal) => openObject(client, source.bucket, key, signal) },
          deliver: (result) => putObject(client, target.bucket, targetKey + result.extension, result),
        };
      }
    },
  };
}

function parsePlace(address: string): Place {
  const [, bucket, prefix = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]+)(?:\/(.*))?$/.exec(address) ?? [];
  if (bucket === undefined) throw new CommandError(`"${address}" is no place in S3: name it as s3://bucket/folder.`);
  return { bucket, prefix: prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/` };
}

interface FoundObject {
  readonly key: string;
  readonly version: string;
}

async function* listObjects(
  client: S3Client,
  { bucket, prefix }: Place,
  abortSignal: AbortSignal,
): AsyncGenerator<FoundObject, void> {
  let ContinuationToken: string | undefined;
  do {
    const page = await client
      .send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken }), { abortSignal })
      .catch((error: Error) => {
        throw new CommandError(`s3://${bucket}/${prefix} cannot be listed: ${error.name}.`);
      });
    for (const { Key, ETag, Size } of page.Contents ?? []) {
      if (Key !== undefined) yield { key: Key, version: `${ETag} ${Size}` };
    }
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
}

async function openObject(
  client: S3Client,
  bucket: string,
  key: string,
  abortSignal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const { Body } = await client
    .send(new GetObjectCommand({ Bucket: bucket, Key: key }), { abortSignal })
    .catch(refused("did not give it"));
  return Body!.transformToWebStream();
}

async function putObject(
  client: S3Client,
  bucket: string,
  key: string,
  { path, extension, mark, signal: abortSignal }: ResultToDeliver,
): Promise<Delivered> {
  const name = `s3://${bucket}/${key}`;
  const markThere = await markOf(client, bucket, key);
  if (markThere !== undefined && markThere !== mark) return { kind: "occupied", name };
  const object = {
    Bucket: bucket,
    Key: key,
    ContentType: contentTypeOfExtension(extension),
    Metadata: { [markName]: mark },
    Body: await readFile(path),
  };
  await client.send(new PutObjectCommand(object), { abortSignal }).catch(refused("did not take the result"));
  return { kind: "delivered", name };
}

const markName = "packshot-sync";

/** Undefined: there is no such object; empty: it is somebody else's. */
async function markOf(client: S3Client, bucket: string, key: string): Promise<string | undefined> {
  return await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key })).then(
    ({ Metadata = {} }) => Metadata[markName] ?? "",
    (error: { readonly name: string; readonly $metadata?: { readonly httpStatusCode?: number } }) => {
      if (error.$metadata?.httpStatusCode === 404) return undefined;
      return refused("did not say whether it has the result")(error);
    },
  );
}

/** S3's own code says enough; its message may name the key. */
function refused(what: string): (error: { readonly name: string }) => never {
  return ({ name }) => {
    throw new CatalogError(`The bucket ${what}: ${name}.`);
  };
}
