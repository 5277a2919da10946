/** `packshot try`: edits the sample photo on a stack that runs, as a client would. `helm test` runs it. */
import { fileURLToPath } from "node:url";
import { type Command, CommandError, readArguments, wholeNumber } from "./command-line/command.ts";
import { environment } from "./command-line/environment.ts";
import { printLine } from "./command-line/print.ts";
import { readPhoto } from "./demo/photo.ts";
import { createPublicClient, type JobView } from "./demo/public-client.ts";
import { operatorFlags, operatorHelp, operatorOf } from "./operator/operator-access.ts";

const samplePhoto = fileURLToPath(new URL("demo/sample/mug.jpg", import.meta.url));
const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
const accountName = "packshot try";

const help = `packshot try: edit a photo on a stack that runs, to see that all of it works.

  packshot try --api-url URL [--timeout SECONDS] [--photo FILE]

  --api-url URL      address of the API
  --timeout SECONDS  how long the edit may take (default 240)
  --photo FILE       your own photo; the default is the sample of the demo

It makes an account and a key, cuts the product out of the photo, fetches the
result, removes the job, and suspends the account. Links begin with
PACKSHOT_PUBLIC_URL; where that is set, they are fetched from --api-url instead.

${operatorHelp}

  packshot try --api-url http://127.0.0.1:8080 --photo mug.jpg`;

interface TriedStack {
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly photo: string;
  readonly timeoutMs: number;
}

/** Resolves with the bytes of the result, which is a PNG. */
async function editPhoto({ apiUrl, apiKey, photo, timeoutMs }: TriedStack): Promise<number> {
  const client = createPublicClient({ apiUrl, apiKey });
  const { name, bytes, contentType } = await readPhoto(photo);
  const form = new FormData();
  form.set("image", new Blob([new Uint8Array(bytes)], { type: contentType }), name);
  let job = await client.post<JobView>("/v1/tools/mask/edit", form);
  const endsAtMs = performance.now() + timeoutMs;
  while (job.status === "queued" || job.status === "processing") {
    if (performance.now() > endsAtMs)
      throw new CommandError(
        `the job ${job.id} is still ${job.status} after ${timeoutMs / 1000} s: are worker and model server ready?`,
      );
    job = await client.get<JobView>(`/v1/jobs/${job.id}`, { Prefer: "wait=20" });
  }
  if (job.status !== "completed" || job.resultUrl === null)
    throw new CommandError(`the job ${job.id} is ${job.status}: ${job.error?.code}: ${job.error?.message}`);
  const result = await client.download(reachable(job.resultUrl, apiUrl));
  if (!result.bytes.subarray(0, pngSignature.length).equals(pngSignature))
    throw new CommandError(`the result of ${job.id} is no PNG but ${result.contentType}`);
  await client.remove(`/v1/jobs/${job.id}`);
  return result.bytes.length;
}

/** Inside of a cluster the public address often leads nowhere. */
function reachable(link: string, apiUrl: string): string {
  const publicUrl = environment.PACKSHOT_PUBLIC_URL;
  return publicUrl && link.startsWith(`${publicUrl}/`) ? `${apiUrl}${link.slice(publicUrl.length)}` : link;
}

async function run(args: readonly string[]): Promise<number> {
  const { values } = readArguments(
    args,
    {
      ...operatorFlags,
      "api-url": { type: "string" },
      timeout: { type: "string", default: "240" },
      photo: { type: "string", default: samplePhoto },
    },
    0,
  );
  const apiUrl = values["api-url"]?.replace(/\/$/, "");
  if (apiUrl === undefined) throw new CommandError("try needs --api-url, the address of the API.");
  const timeoutMs = wholeNumber("--timeout", values.timeout, 1, 3_600) * 1000;
  const operator = operatorOf(values);
  const { accountId } = await operator.request<{ accountId: string }>("POST", "/admin/v1/accounts", {
    name: accountName,
    plan: "dev",
  });
  const path = `/admin/v1/accounts/${accountId}`;
  try {
    const { key: apiKey } = await operator.request<{ key: string }>("POST", `${path}/keys`, { name: accountName });
    const startedAtMs = performance.now();
    const bytes = await editPhoto({ apiUrl, apiKey, photo: values.photo, timeoutMs });
    const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1);
    printLine(`edited ${values.photo} in ${seconds} s: a PNG of ${Math.round(bytes / 1000)} KB`);
    return 0;
  } finally {
    // Without it the key would stay good.
    await operator.request("PATCH", path, { apiEnabled: false });
  }
}

export const tryEdit: Command = { summary: "edit a photo on a stack that runs", help, run };
