/** `packshot edit`: from one photo to a folder of thousands. */
import { realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Packshot, PackshotError } from "@packshot/sdk/packshot.ts";
import { readEditSettings, settingsFlags, withMaskFile } from "../client/edit-settings.ts";
import {
  accessFlags,
  dataDirDefault,
  explained,
  findService,
  openClient,
  sentenceOf,
} from "../client/service-access.ts";
import {
  anyWords,
  type Command,
  CommandError,
  calledFrom,
  readArguments,
  stopSignal,
  wholeNumber,
} from "../command-line/command.ts";
import { environment } from "../command-line/environment.ts";
import { type Stack, startStack } from "../up/stack.ts";
import { createEditPhoto } from "./edit-photo.ts";
import { findPhotos, type PhotoSearch, photosOfFolder, watchFolder } from "./find-photos.ts";
import type { Photo } from "./photo.ts";
import { createJsonReport, createTerminalReport, type RunReport } from "./report-run.ts";
import { openResultFolder, type ResultFolder } from "./result-folder.ts";
import { type EndedRun, runEdits } from "./run-edits.ts";

const help = `packshot edit: edit photos, from one to a folder of thousands.

  packshot edit shelf/ mug.jpg --preset amazon-main --out web
  packshot edit *.jpg --theme "oak table, morning light"

  --tool T          mask (default), ai-shadows, or ai-bg (default with --theme)
  --theme WORDS     the scene of ai-bg
  --preset NAME     a marketplace's, such as amazon-main, or one of your own
  --output N=PRESET a file N of each photo: main=amazon-main; may be repeated;
                    or N=FIELD=VALUE,…: web=output.format=webp,output.width=400
  --set NAME=VALUE  any other parameter: output.format=webp; may be repeated
  --mask FILE       your own matte, of one photo: no model runs
  --out DIR         folder of the results (default edited)
  --watch FOLDER    its photos, and those that come into it, until Ctrl-C
  --parallel N, --retries N   photos at once (4), further tries of a photo (3)
  --force           edit what is done, and replace files that are there
  --json            a line of JSON for each photo, and at last a summary
  --strict          exit with status 4 when a result should be looked at
  --url U, --key K  the service and its API key (or PACKSHOT_URL, PACKSHOT_KEY)
  --data-dir D      without them: this folder's stack, started if it is not up

Run it again to go on: what is done is skipped, and nothing is paid twice.
Status: 0 done, 1 could not go on, 3 photos failed, 4 --strict, 130 Ctrl-C.`;

const flags = {
  ...accessFlags,
  ...settingsFlags,
  mask: { type: "string" },
  out: { type: "string", default: "edited" },
  watch: { type: "string" },
  parallel: { type: "string" },
  retries: { type: "string", default: "3" },
  force: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  strict: { type: "boolean", default: false },
} as const;

type Values = ReturnType<typeof readArguments<typeof flags>>["values"];

const statuses = { done: 0, failed: 3, review: 4, interrupted: 130, terminated: 143 } as const;
const parallelDefault = 4;
const parallelMax = 256;

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, flags, anyWords);
  if (positionals.length === 0 && values.watch === undefined)
    throw new CommandError('name photos, folders or addresses: "packshot edit mug.jpg"; --help says more.');
  const cwd = calledFrom();
  const out = resolve(cwd, values.out);
  const search = { cwd, except: out };
  const given = await findPhotos(positionals, search);
  if (values.watch !== undefined) await photosOfFolder(values.watch, search);
  if (given.length === 0 && values.watch === undefined)
    throw new CommandError(`there are no photos in ${positionals.join(", ")}.`);
  if (values.mask !== undefined && (given.length !== 1 || values.watch !== undefined))
    throw new CommandError(`--mask is the matte of one photo, and there are ${given.length}.`);
  const report = values.json
    ? createJsonReport(process.stdout)
    : createTerminalReport(process.stdout, process.stderr, () => performance.now());
  const folder = openResultFolder(out);
  refusePhotosAmongResults(given, folder);
  const signal = stopSignal();
  const connected = await connect(values, given, report, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  if (connected === undefined) return interruptedStatus(signal);
  const { client, stack } = connected;
  try {
    const about = { values, given, search, folder, report, client, signal };
    return await editAll(about);
  } finally {
    folder.close();
    if (stack !== undefined) {
      report.say("stopping the stack …");
      await stack.stop();
    }
  }
}

interface Connected {
  readonly client: Packshot;
  /** One that was started for this run. */
  readonly stack?: Stack;
}

async function connect(
  values: Values,
  given: readonly Photo[],
  report: RunReport,
  signal: AbortSignal,
): Promise<Connected> {
  const service = await findService(values);
  if (service !== undefined) return { client: openClient(service) };
  const dataDir = values["data-dir"] ?? dataDirDefault;
  report.say(`no stack runs in ${dataDir}: starting one for this run …`);
  const stack = await startStack({
    dataDir,
    port: 0,
    workers: 1,
    environment,
    signal,
    // Whoever starts the stack names these addresses.
    allowSources: given.flatMap((photo) => (photo.kind === "address" ? hostAndPort(photo.address) : [])),
    say: (line) => report.say(`  ${line}`),
  });
  return { client: openClient({ baseUrl: stack.file.apiUrl, apiKey: stack.file.apiKey }), stack };
}

function hostAndPort(address: string): string[] {
  const { protocol, hostname, port } = new URL(address);
  return protocol === "s3:" ? [] : [`${hostname}:${port || (protocol === "https:" ? 443 : 80)}`];
}

interface EditAll extends Connected {
  readonly values: Values;
  readonly given: readonly Photo[];
  readonly search: PhotoSearch;
  readonly folder: ResultFolder;
  readonly report: RunReport;
  readonly signal: AbortSignal;
}

async function editAll({ values, given, search, folder, report, client, signal }: EditAll): Promise<number> {
  const startedAtMs = performance.now();
  const read = await explained(readEditSettings(client, values));
  const settings = values.mask === undefined ? read : await withMaskFile(read, resolve(calledFrom(), values.mask));
  const parallel = await explained(parallelOf(client, values.parallel));
  const retriesMax = wholeNumber("--retries", values.retries, 0, 100);
  const { force, watch } = values;
  const editPhoto = createEditPhoto({
    client,
    settings,
    folder,
    retriesMax,
    force,
    signal,
    onRetry: (photo, error, afterMs) => report.retry(photo, error, afterMs),
  });
  report.begin({ total: watch === undefined ? given.length : undefined, parallel });
  const photos = allPhotos(given, watch, search, signal);
  const ended = await runEdits({ photos, parallel, editPhoto, onOutcome: report.outcome });
  const seconds = Math.round(performance.now() - startedAtMs) / 1000;
  const isStopped = ended.stoppedBy !== undefined || signal.aborted;
  report.end(ended.tally, { seconds, out: values.out, isStopped: isStopped && watch === undefined });
  return statusOf(ended, values, signal);
}

function statusOf({ tally, stoppedBy }: EndedRun, { strict, watch }: Values, signal: AbortSignal): number {
  if (stoppedBy !== undefined && !signal.aborted)
    throw stoppedBy instanceof PackshotError ? new CommandError(sentenceOf(stoppedBy)) : stoppedBy;
  // Nothing else ends a watch: it has done what it should.
  if (signal.aborted && watch === undefined) return interruptedStatus(signal);
  if (tally.failed + tally.filesFailed > 0) return statuses.failed;
  return strict && tally.reviews.length > 0 ? statuses.review : statuses.done;
}

function interruptedStatus({ reason }: AbortSignal): number {
  return reason === "SIGTERM" ? statuses.terminated : statuses.interrupted;
}

async function* allPhotos(
  given: readonly Photo[],
  watch: string | undefined,
  search: PhotoSearch,
  signal: AbortSignal,
): AsyncGenerator<Photo, void> {
  for (const photo of given) {
    if (signal.aborted) return;
    yield photo;
  }
  if (watch !== undefined) yield* watchFolder(watch, search, signal);
}

/** Four at a time keep a worker busy without holding up others of the account. */
async function parallelOf(client: Packshot, wanted: string | undefined): Promise<number> {
  if (wanted !== undefined) return wholeNumber("--parallel", wanted, 1, parallelMax);
  const { limits } = await client.account.get();
  return Math.max(1, Math.min(parallelDefault, limits.concurrentJobs));
}

/** A result could have the name of its photo. */
function refusePhotosAmongResults(photos: readonly Photo[], { path }: ResultFolder): void {
  const out = realpathSync(path);
  const among = photos.find(
    (photo) => photo.kind === "file" && dirname(photo.path) === dirname(join(out, photo.resultName)),
  );
  if (among === undefined) return;
  throw new CommandError(`the photo ${among.name} is in ${path}: choose another folder for the results with --out.`);
}

export const edit: Command = { summary: "edit photos, from one to a folder of thousands", help, run };
