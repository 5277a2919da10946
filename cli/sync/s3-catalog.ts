/** Photos of a bucket, whose results go below another prefix of it or into another bucket. */
import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import {
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { namesOfResults } from "@packshot/domain/edits/result-names.ts";
import { contentTypeOfExtension, resultExtensions } from "@packshot/domain/file-extension.ts";
import { createS3Client } from "@packshot/platform/storage/s3-client.ts";
import { CommandError } from "../command-line/command.ts";
import { environment } from "../command-line/environment.ts";
import { isPhotoName } from "../edit/photo.ts";
import { type Catalog, CatalogError, type Delivered, type OpenedPhoto, type ResultToDeliver } from "./catalog.ts";

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
      const photos: FoundObject[] = [];
      for await (const object of listObjects(client, source, signal)) {
        if (!isResult(object.key) && isPhotoName(basename(object.key))) photos.push(object);
      }
      const there = new Set<string>();
      for await (const { key } of listObjects(client, target, signal)) there.add(key);
      const names = namesOfResults(photos.map(({ key }) => ({ below: key.slice(source.prefix.length) })));
      for (const [index, { key, version }] of photos.entries()) {
        const resultName = names[index]!;
        const keys = resultExtensions.map((extension) => `${target.prefix}${resultName}.${extension}`);
        yield {
          name: `s3://${source.bucket}/${key}`,
          id: `s3://${source.bucket}/${key}`,
          version,
          resultName,
          goesTo: `s3://${target.bucket}/${target.prefix}${resultName}`,
          source: { open: (signal) => openObject(client, source.bucket, key, signal) },
          look: (marks, signal) =>
            findResult(client, target.bucket, { keys: keys.filter((each) => there.has(each)), ...marks, signal }),
          deliver: (result) => putObject(client, target.bucket, target.prefix + result.file, result),
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
): Promise<OpenedPhoto> {
  const { Body } = await client
    .send(new GetObjectCommand({ Bucket: bucket, Key: key }), { abortSignal })
    .catch(refused("did not give it"));
  return { stream: Body!.transformToWebStream() };
}

async function putObject(
  client: S3Client,
  bucket: string,
  key: string,
  { path, mark, edition, signal: abortSignal }: ResultToDeliver,
): Promise<Delivered> {
  const name = `s3://${bucket}/${key}`;
  const there = await marksOf(client, { bucket, key, abortSignal });
  if (there !== undefined && there.mark !== mark) return { kind: "occupied", name };
  const object = {
    Bucket: bucket,
    Key: key,
    ContentType: contentTypeOfExtension(extname(path)),
    Metadata: { [markName]: mark, [editionName]: edition },
    Body: await readFile(path),
  };
  await client.send(new PutObjectCommand(object), { abortSignal }).catch(refused("did not take the result"));
  return { kind: "delivered", name };
}

const markName = "packshot-sync";
const editionName = "packshot-edition";

interface ObjectMarks {
  /** Empty: the object is somebody else's. */
  readonly mark: string;
  readonly edition: string | undefined;
}

interface ObjectToAsk {
  readonly bucket: string;
  readonly key: string;
  readonly abortSignal: AbortSignal;
}

/** Undefined: there is no such object. */
async function marksOf(client: S3Client, { bucket, key, abortSignal }: ObjectToAsk): Promise<ObjectMarks | undefined> {
  return await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }), { abortSignal }).then(
    ({ Metadata = {} }) => ({ mark: Metadata[markName] ?? "", edition: Metadata[editionName] }),
    (error: { readonly name: string; readonly $metadata?: { readonly httpStatusCode?: number } }) => {
      if (error.$metadata?.httpStatusCode === 404) return undefined;
      return refused("did not say whether it has the result")(error);
    },
  );
}

interface ResultToFind {
  /** Those of the names that it may have which are there. */
  readonly keys: readonly string[];
  readonly mark: string;
  readonly edition: string;
  readonly signal: AbortSignal;
}

async function findResult(
  client: S3Client,
  bucket: string,
  { keys, mark, edition, signal: abortSignal }: ResultToFind,
): Promise<Delivered | undefined> {
  let foreign: string | undefined;
  let hasOwn = false;
  for (const key of keys) {
    const there = await marksOf(client, { bucket, key, abortSignal });
    if (there === undefined) continue;
    const name = `s3://${bucket}/${key}`;
    if (there.mark !== mark) foreign ??= name;
    else if (there.edition === edition) return { kind: "delivered", name };
    else hasOwn = true;
  }
  // Beside one of ours, another's file of another type is in nobody's way.
  return foreign === undefined || hasOwn ? undefined : { kind: "occupied", name: foreign };
}

/** S3's own code says enough; its message may name the key. */
function refused(what: string): (error: { readonly name: string }) => never {
  return ({ name }) => {
    throw new CatalogError(`The bucket ${what}: ${name}.`);
  };
}
