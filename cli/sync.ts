/** `packshot sync`: new and changed product photos of a folder, a bucket or a shop, edited and brought back. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { defaultPrices, pricesOf } from "@packshot/domain/accounts/plan.ts";
import { creditsOf } from "@packshot/domain/edits/price.ts";
import type { EditParameters } from "@packshot/domain/edits/tools.ts";
import { type Packshot, PackshotError } from "@packshot/sdk/packshot.ts";
import { type EditSettings, readEditSettings, settingsFlags } from "./client/edit-settings.ts";
import { accessFlags, accessHelp, explained, openClient, sentenceOf, serviceOf } from "./client/service-access.ts";
import {
  anyWords,
  type Command,
  CommandError,
  readArguments,
  stopSignal,
  wholeNumber,
} from "./command-line/command.ts";
import { printNote } from "./command-line/print.ts";
import { createJsonReport, createTerminalReport } from "./edit/report-run.ts";
import { openResultFolder, type ResultFolder } from "./edit/result-folder.ts";
import { type Catalog, CatalogError } from "./sync/catalog.ts";
import { findWork } from "./sync/find-work.ts";
import { openSyncJournal, type SyncJournal } from "./sync/sync-journal.ts";
import { lockSync } from "./sync/sync-lock.ts";
import { type PhotoToSync, syncPhotos } from "./sync/sync-photos.ts";
import { chooseSyncPlace } from "./sync/sync-places.ts";
import { planSync, type SyncPlan, sentenceOfPlan, showPlan } from "./sync/sync-plan.ts";

const help = `packshot sync: new and changed product photos in, results out.

  packshot sync folder PHOTOS RESULTS        two folders of this machine
  packshot sync s3 s3://B/photos s3://B/cut  two places in buckets
  packshot sync shopify SHOP.myshopify.com   results become further media
  packshot sync woocommerce SHOP.example     results follow a product's images

  --dry-run         says what would be done and what it costs, and does nothing
  --yes             does not ask; the first run in a place otherwise does, and
                    refuses where nobody can answer
  --state DIR       copies of the results and the journal (default
                    packshot-sync; of a folder: RESULTS)
  --endpoint URL    of an S3 service that is not Amazon's
  --tool T, --theme WORDS, --preset NAME, --set NAME=VALUE   as of edit
  --parallel N      photos at once (4)
  --json            a line of JSON for each photo, and at last a summary
${accessHelp}

Keys are in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, SHOPIFY_ACCESS_TOKEN,
WORDPRESS_USERNAME and WORDPRESS_APPLICATION_PASSWORD. Nothing is deleted, and
nothing of yours replaced. Run it again, as by cron: it does what is new.
Status: 0 done, 1 could not go on, 3 photos failed, 130 Ctrl-C.`;

const { output: _, ...ofOneResult } = settingsFlags;
const flags = {
  ...accessFlags,
  ...ofOneResult,
  "dry-run": { type: "boolean", default: false },
  yes: { type: "boolean", default: false },
  state: { type: "string" },
  endpoint: { type: "string" },
  parallel: { type: "string", default: "4" },
  json: { type: "boolean", default: false },
} as const;

type Values = ReturnType<typeof readArguments<typeof flags>>["values"];

const retriesMax = 3;
const parallelMax = 64;
const statuses = { done: 0, failed: 3, interrupted: 130, terminated: 143 } as const;

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, flags, anyWords);
  const { catalog, state } = chooseSyncPlace(positionals, values);
  const parallel = wholeNumber("--parallel", values.parallel, 1, parallelMax);
  const signal = stopSignal();
  const client = openClient(await serviceOf(values));
  const { settings, creditsEach } = await explained(readSyncSettings(client, values));
  const isDryRun = values["dry-run"];
  // A dry run may look while another run works.
  const lock = isDryRun ? undefined : lockSync(state);
  const folder = openResultFolder(state, { isLooking: isDryRun });
  try {
    const journal = openSyncJournal(join(state, ".packshot", "sync.ndjson"));
    const known = { folder, journal, settings: settings.hash };
    const found = await findWork(catalog.photos(signal), known, signal).catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error instanceof CatalogError ? new CommandError(`the photos cannot be listed: ${error.message}`) : error;
    });
    if (found === undefined) return stoppedStatus(signal);
    const plan = planSync(found, creditsEach);
    if (isDryRun) return showPlan(plan, values);
    if (plan.edits + plan.deliveries > 0 && !(await isAllowed(plan, { catalog, journal, settings, values }))) return 1;
    for (const { photo, work, there } of found) {
      if (work === "none" && there !== undefined) journal.deliver({ ...photo, settings: settings.hash }, there);
    }
    return await syncAll(plan.work, { client, settings, folder, journal, parallel, values, signal });
  } finally {
    folder.close();
    lock?.release();
  }
}

interface Allowance {
  readonly catalog: Catalog;
  readonly journal: SyncJournal;
  readonly settings: EditSettings;
  readonly values: Values;
}

/** Other settings would edit every photo anew, so that they are asked for too. */
async function isAllowed(plan: SyncPlan, { catalog, journal, settings, values }: Allowance): Promise<boolean> {
  if (journal.hasConsent(catalog.place, settings.hash)) return true;
  if (!values.yes) {
    if (!process.stdin.isTTY || !process.stderr.isTTY)
      throw new CommandError(
        `${sentenceOfPlan(plan)}: this is the first run here with these settings. Look with --dry-run, and begin with --yes.`,
      );
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    const answer = await terminal.question(`${sentenceOfPlan(plan)}. Begin? [y/N] `);
    terminal.close();
    if (!/^y(es)?$/i.test(answer.trim())) {
      printNote("Nothing was done.");
      return false;
    }
  }
  journal.consent(catalog.place, settings.hash);
  return true;
}

interface SyncAll {
  readonly client: Packshot;
  readonly settings: EditSettings;
  readonly folder: ResultFolder;
  readonly journal: SyncJournal;
  readonly parallel: number;
  readonly values: Values;
  readonly signal: AbortSignal;
}

async function syncAll(photos: readonly PhotoToSync[], about: SyncAll): Promise<number> {
  const { values, signal, parallel, folder } = about;
  const report = values.json
    ? createJsonReport(process.stdout)
    : createTerminalReport(process.stdout, process.stderr, () => performance.now());
  const startedAtMs = performance.now();
  report.begin({ total: photos.length, parallel });
  const { tally, stoppedBy } = await syncPhotos(photos, {
    ...about,
    retriesMax,
    onOutcome: report.outcome,
    onRetry: report.retry,
  });
  const seconds = Math.round(performance.now() - startedAtMs) / 1000;
  report.end(tally, { seconds, out: folder.path, isStopped: stoppedBy !== undefined });
  if (signal.aborted) return stoppedStatus(signal);
  if (stoppedBy !== undefined)
    throw stoppedBy instanceof PackshotError ? new CommandError(sentenceOf(stoppedBy)) : stoppedBy;
  return tally.failed > 0 ? statuses.failed : statuses.done;
}

function stoppedStatus({ reason }: AbortSignal): number {
  return reason === "SIGTERM" ? statuses.terminated : statuses.interrupted;
}

interface SyncSettings {
  readonly settings: EditSettings;
  readonly creditsEach: number;
}

/**
 * Their hash has what is in a preset of the account's own, so that a changed one makes other results; a key without the scope does
 * not see it. Throws a CommandError where the settings make several results: a photo has one where it belongs.
 */
async function readSyncSettings(client: Packshot, values: Values): Promise<SyncSettings> {
  const given = await readEditSettings(client, { ...values, output: [] });
  const { tool, options, hash } = given;
  const { parameters, preset } = options;
  const own = preset === undefined ? undefined : await client.presets.get(preset).catch(() => undefined);
  const all = { ...own?.parameters, ...parameters } as EditParameters & { readonly layers?: boolean };
  if ((all.variations ?? 1) > 1 || all.layers === true || (all.outputs?.length ?? 0) > 1)
    throw new CommandError("sync makes one result of each photo: leave out variations, layers and further outputs.");
  const ofPreset = createHash("sha256").update(JSON.stringify([hash, own?.parameters]));
  const settings = own === undefined ? given : { ...given, hash: ofPreset.digest("hex").slice(0, 16) };
  const engine = await engineFor(client, tool, all);
  const prices = engine === "generative" ? pricesOf((await client.account.get()).limits) : defaultPrices;
  return { settings, creditsEach: creditsOf(tool, { ...all, ...(engine && { engine }) }, prices) };
}

/** What paints the scenes, and so what they cost; undefined: the tool paints none. */
async function engineFor(client: Packshot, tool: string, { engine = "auto" }: EditParameters) {
  if (tool !== "ai-bg") return undefined;
  if (engine !== "auto") return engine;
  return (await client.tools.get(tool)).autoEngine ?? "renderer";
}

export const sync: Command = { summary: "photos of a folder, bucket or shop: edit what is new", help, run };
