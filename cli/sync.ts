/** `packshot sync`: new and changed product photos of a folder, a bucket or a shop, edited and brought back. */
import { join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { creditsOf, type EditParameters } from "@packshot/domain/edits/tools.ts";
import { type Packshot, PackshotError } from "@packshot/sdk/packshot.ts";
import { type EditSettings, readEditSettings, settingsFlags } from "./client/edit-settings.ts";
import { accessFlags, accessHelp, explained, openClient, sentenceOf, serviceOf } from "./client/service-access.ts";
import {
  type Command,
  CommandError,
  calledFrom,
  readArguments,
  stopSignal,
  wholeNumber,
} from "./command-line/command.ts";
import { printLine, printNote } from "./command-line/print.ts";
import { createJsonReport, createTerminalReport } from "./edit/report-run.ts";
import { openResultFolder, type ResultFolder } from "./edit/result-folder.ts";
import { type Catalog, CatalogError, type CatalogPhoto } from "./sync/catalog.ts";
import { createFolderCatalog } from "./sync/folder-catalog.ts";
import { createS3Catalog } from "./sync/s3-catalog.ts";
import { createShopifyCatalog } from "./sync/shopify-catalog.ts";
import { openSyncJournal, type SyncJournal } from "./sync/sync-journal.ts";
import { type PhotoToSync, stateOf, syncPhotos } from "./sync/sync-photos.ts";
import { createWooCommerceCatalog } from "./sync/woocommerce-catalog.ts";

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

interface Place {
  readonly catalog: Catalog;
  /** The folder of results and journals. */
  readonly state: string;
}

const retriesMax = 3;
const parallelMax = 64;
const listedMax = 20;
const statuses = { done: 0, failed: 3, interrupted: 130, terminated: 143 } as const;

const places: Readonly<Record<string, (names: readonly string[], values: Values) => Place>> = {
  folder(names, { state }) {
    const [photos, results] = twoNames("folder PHOTOS RESULTS", names);
    if (state !== undefined) throw new CommandError("sync folder keeps its journal in the folder of results.");
    const cwd = calledFrom();
    const out = resolve(cwd, results);
    if (out === resolve(cwd, photos)) throw new CommandError("results would stand among the photos: name two folders.");
    return { catalog: createFolderCatalog(photos, { cwd, out }), state: out };
  },
  s3(names, values) {
    const [from, to] = twoNames("s3 s3://BUCKET/PHOTOS s3://BUCKET/RESULTS", names);
    return { catalog: createS3Catalog(from, to, values.endpoint), state: stateOfValues(values) };
  },
  shopify(names, values) {
    const shop = oneName("shopify SHOP.myshopify.com", names);
    return { catalog: createShopifyCatalog(shop), state: stateOfValues(values) };
  },
  woocommerce(names, values) {
    const shop = oneName("woocommerce SHOP.example", names);
    return { catalog: createWooCommerceCatalog(shop), state: stateOfValues(values) };
  },
};

function oneName(usage: string, names: readonly string[]): string {
  const [name, ...more] = names;
  if (name !== undefined && more.length === 0) return name;
  throw new CommandError(`sync needs a shop: "packshot sync ${usage}".`);
}

function twoNames(usage: string, names: readonly string[]): readonly [string, string] {
  const [first, second, ...more] = names;
  if (first !== undefined && second !== undefined && more.length === 0) return [first, second];
  throw new CommandError(`sync needs two places: "packshot sync ${usage}".`);
}

function stateOfValues({ state = "packshot-sync" }: Values): string {
  return resolve(calledFrom(), state);
}

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, flags);
  const [kind, ...names] = positionals;
  const choose = kind !== undefined && Object.hasOwn(places, kind) ? places[kind] : undefined;
  if (choose === undefined)
    throw new CommandError(`sync needs what to sync: ${Object.keys(places).join(" or ")}; --help says more.`);
  const { catalog, state } = choose(names, values);
  const parallel = wholeNumber("--parallel", values.parallel, 1, parallelMax);
  const signal = stopSignal();
  const client = openClient(await serviceOf(values));
  const settings = await explained(readEditSettings(client, { ...values, output: [] }));
  const creditsEach = await explained(priceOf(client, settings));
  const folder = openResultFolder(state);
  try {
    const journal = openSyncJournal(join(state, ".packshot", "sync.ndjson"));
    const known = { folder, journal, settings: settings.hash };
    const found = await Array.fromAsync(catalog.photos(signal), (photo) => stateOf(photo, known)).catch(
      (error: unknown) => {
        signal.throwIfAborted();
        throw error instanceof CatalogError ? new CommandError(`the photos cannot be listed: ${error.message}`) : error;
      },
    );
    const plan = planOf(found, creditsEach);
    if (values["dry-run"]) return showPlan(plan, values);
    if (plan.photos.length > 0 && !(await isAllowed(plan, { catalog, journal, settings, values }))) return 1;
    return await syncAll(plan.photos, { client, settings, folder, journal, parallel, values, signal });
  } finally {
    folder.close();
  }
}

interface Plan {
  /** What is to be edited or delivered. */
  readonly photos: readonly CatalogPhoto[];
  readonly work: readonly PhotoToSync[];
  readonly edits: number;
  readonly done: number;
  readonly credits: number;
}

function planOf(found: readonly PhotoToSync[], creditsEach: number): Plan {
  const work = found.filter((each) => each.work !== "none");
  const edits = work.filter((each) => each.work === "edit").length;
  const photos = work.map(({ photo }) => photo);
  return { photos, work, edits, done: found.length - work.length, credits: edits * creditsEach };
}

function showPlan({ work, edits, done, credits }: Plan, { json }: Values): number {
  if (json) {
    for (const { photo, work: what } of work) {
      printLine(JSON.stringify({ event: "would", work: what, photo: photo.name, goesTo: photo.goesTo }));
    }
    printLine(JSON.stringify({ event: "plan", edits, deliveries: work.length - edits, done, credits }));
    return statuses.done;
  }
  printLine(sentenceOfPlan({ work, edits, done, credits }));
  for (const { photo, work: what } of work.slice(0, listedMax)) {
    printLine(`  ${what === "edit" ? "edit   " : "deliver"}  ${photo.name} → ${photo.goesTo}`);
  }
  if (work.length > listedMax) printLine(`  and ${work.length - listedMax} more; --json names them all`);
  return statuses.done;
}

function sentenceOfPlan({ work, edits, done, credits }: Omit<Plan, "photos">): string {
  const delivered = work.length - edits;
  const parts = [
    `${edits} ${edits === 1 ? "photo" : "photos"} to edit for ${credits} ${credits === 1 ? "credit" : "credits"}`,
    ...(delivered > 0 ? [`${delivered} edited before to deliver`] : []),
    ...(done > 0 ? [`${done} done before`] : []),
  ];
  return parts.join(", ");
}

interface Allowance {
  readonly catalog: Catalog;
  readonly journal: SyncJournal;
  readonly settings: EditSettings;
  readonly values: Values;
}

/** Other settings would edit every photo anew, so that they are asked for too. */
async function isAllowed(plan: Plan, { catalog, journal, settings, values }: Allowance): Promise<boolean> {
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

async function syncAll(photos: readonly CatalogPhoto[], about: SyncAll): Promise<number> {
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
  if (signal.aborted) return signal.reason === "SIGTERM" ? statuses.terminated : statuses.interrupted;
  if (stoppedBy !== undefined)
    throw stoppedBy instanceof PackshotError ? new CommandError(sentenceOf(stoppedBy)) : stoppedBy;
  return tally.failed > 0 ? statuses.failed : statuses.done;
}

/** A photo has one result where it belongs. Throws a CommandError where the settings make several. */
async function priceOf(client: Packshot, { tool, options: { parameters, preset } }: EditSettings): Promise<number> {
  const own = preset === undefined ? undefined : await client.presets.get(preset).catch(() => undefined);
  const all = { ...own?.parameters, ...parameters } as EditParameters & { readonly layers?: boolean };
  if ((all.variations ?? 1) > 1 || all.layers === true || (all.outputs?.length ?? 0) > 1)
    throw new CommandError("sync makes one result of each photo: leave out variations, layers and further outputs.");
  return creditsOf(tool, all, 0);
}

export const sync: Command = { summary: "photos of a folder, bucket or shop: edit what is new", help, run };
