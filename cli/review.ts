/** `packshot review`: the doubtful cut-outs of an account or of a batch, and what a person makes of them. */
import { resolve } from "node:path";
import { type Job, type Packshot, PackshotError, type ReviewItem } from "@packshot/sdk/packshot.ts";
import { openMask } from "./client/edit-settings.ts";
import { listFlags, listHelp, pageMax, showList } from "./client/read-list.ts";
import { accessFlags, accessHelp, explained, openClient, serviceOf } from "./client/service-access.ts";
import { type Command, CommandError, calledFrom, readArguments } from "./command-line/command.ts";
import { printJson, printLine, printTable } from "./command-line/print.ts";

const help = `packshot review: cut-outs that a person should look at.

  packshot review list               those of the last hour, not yet reviewed
  packshot review approve JOB…       they are right as they are
  packshot review reject JOB…        their results are removed; the plan says
                                     whether credits come back
  packshot review mend JOB --mask F  run the edit again with your own matte, a
                                     file; free once for each job

  --batch ID        the rows of this batch, as long as it keeps its results
  --no-refine       take the matte's edge as it is
${listHelp}
  --json            print the list as JSON
${accessHelp}

  packshot review list --batch 01936b23-1f2e-7d3c-8b4a-5a6978879706
  packshot review mend 01936b20-91c4-7d03-9d1c-5f5e0d9a7b21 --mask mug.png`;

const flags = {
  ...accessFlags,
  batch: { type: "string" },
  mask: { type: "string" },
  "no-refine": { type: "boolean", default: false },
  ...listFlags,
  json: { type: "boolean", default: false },
} as const;

type Values = ReturnType<typeof readArguments<typeof flags>>["values"];
type Verb = (client: Packshot, ids: readonly string[], values: Values) => Promise<void>;

const rowsLookedAtMax = 1_000_000;

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, flags, { list: 0 });
  const [verb = "list", ...ids] = positionals;
  const act = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (act === undefined)
    throw new CommandError(`unknown subcommand of review: "${verb}"; use list, approve, reject or mend.`);
  if (verb !== "list" && ids.length === 0)
    throw new CommandError(`review ${verb} needs a job's id; "packshot review list" shows them.`);
  await explained(act(openClient(await serviceOf(values)), ids, values));
  return 0;
}

const verbs: Readonly<Record<string, Verb>> = { list, approve: decide("approve"), reject: decide("reject"), mend };

async function list(client: Packshot, _ids: readonly string[], values: Values): Promise<void> {
  const { batch } = values;
  const entries = (page: { readonly limit: number }): AsyncIterable<Job | ReviewItem> =>
    batch === undefined
      ? client.jobs.list({ quality: "review", reviewed: false, ...page })
      : client.batches.review(batch, page);
  await showList(entries, values, (found) => {
    if (values.json) return printJson(found);
    if (found.length === 0) return printLine("nothing to review");
    printTable(["job", "tool", "why"], found.map(rowOf));
  });
}

function rowOf(entry: Job | ReviewItem): string[] {
  if (!("jobId" in entry)) return [entry.id, entry.tool, (entry.report?.reasons ?? []).join("; ")];
  return [entry.jobId, entry.tool, `${entry.batch.ref}: ${entry.reasons.join("; ")}`];
}

function decide(verb: "approve" | "reject"): Verb {
  return async (client, ids, { batch }) => {
    for (const id of ids) {
      const reviewed = await client.jobs[verb](id).catch(async (error: unknown) => {
        if (batch === undefined || !(error instanceof PackshotError) || error.code !== "not_found") throw error;
        return await client.jobs[verb](id, { batch: await findRow(client, batch, id) });
      });
      const { verdict, creditsRefunded } = reviewed.review;
      printLine(`${id} ${verdict}${creditsRefunded > 0 ? `, ${creditsRefunded} of its credits came back` : ""}`);
    }
  };
}

/** The row of a job that has expired. */
async function findRow(client: Packshot, batchId: string, jobId: string): Promise<ReviewItem["batch"]> {
  let left = rowsLookedAtMax;
  for (const reviewed of [false, true]) {
    for await (const item of client.batches.review(batchId, { limit: pageMax, reviewed })) {
      if (item.jobId === jobId) return item.batch;
      if (--left === 0) break;
    }
  }
  throw new CommandError(`no doubtful row of the batch ${batchId} was made by the job ${jobId}.`);
}

async function mend(client: Packshot, ids: readonly string[], values: Values): Promise<void> {
  const { mask } = values;
  if (mask === undefined || ids.length > 1)
    throw new CommandError("review mend takes one job, and --mask with the file of its matte.");
  const file = await openMask(resolve(calledFrom(), mask));
  const { id, creditsCharged } = await client.jobs.repeat(ids[0]!, { mask: file, refine: !values["no-refine"] });
  const { status, error } = await client.jobs.wait(id);
  if (error !== null) throw new CommandError(`${id} ${error.code}: ${error.message}`);
  printLine(
    `${id} ${status}, ${creditsCharged === 0 ? "free" : `${creditsCharged} ${creditsCharged === 1 ? "credit" : "credits"}`}`,
  );
}

export const review: Command = { summary: "look at doubtful cut-outs: approve, reject and mend them", help, run };
