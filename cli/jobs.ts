/** `packshot jobs`: what the account has edited in the last hour, and what it is editing. */
import type { Job, JobFilter, Packshot } from "@packshot/sdk/packshot.ts";
import { listFlags, listHelp, showList } from "./client/read-list.ts";
import { accessFlags, accessHelp, explained, openClient, serviceOf } from "./client/service-access.ts";
import { type Command, CommandError, readArguments } from "./command-line/command.ts";
import { printJson, printLine, printTable } from "./command-line/print.ts";

const help = `packshot jobs: the edits of an account, the newest first.

  packshot jobs list              those that run, or ended in the last hour
  packshot jobs show JOB          one of them, as JSON
  packshot jobs cancel JOB…       those that have not ended; they cost nothing
  packshot jobs deliver JOB…      results that their buckets did not take, again
  packshot jobs delete JOB…       with their files
  packshot review …               approve, reject and mend the doubtful ones

  --status S        queued, processing, completed, failed or cancelled
  --tool T          mask, ai-shadows or ai-bg
  --batch ID        of this batch
  --metadata K=V    whose metadata has this; may be repeated
${listHelp}
  --json            print the list as JSON
${accessHelp}

  packshot jobs list --status failed
  packshot jobs list --metadata sku=MUG-1 --json`;

const flags = {
  ...accessFlags,
  status: { type: "string" },
  tool: { type: "string" },
  batch: { type: "string" },
  metadata: { type: "string", multiple: true, default: [] as string[] },
  ...listFlags,
  json: { type: "boolean", default: false },
} as const;

type Values = ReturnType<typeof readArguments<typeof flags>>["values"];

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, flags, { list: 0 });
  const [verb = "list", ...ids] = positionals;
  const act = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (act === undefined)
    throw new CommandError(`unknown subcommand of jobs: "${verb}"; use list, show, cancel, deliver or delete.`);
  if (verb !== "list" && ids.length === 0)
    throw new CommandError(`jobs ${verb} needs a job's id; "packshot jobs list" shows them.`);
  await explained(act(openClient(await serviceOf(values)), ids, values));
  return 0;
}

const verbs: Readonly<Record<string, (client: Packshot, ids: readonly string[], values: Values) => Promise<void>>> = {
  list,
  async show(client, ids) {
    for (const id of ids) printJson(await client.jobs.get(id));
  },
  async cancel(client, ids) {
    for (const id of ids) printLine(`${id} ${(await client.jobs.cancel(id)).status}`);
  },
  async deliver(client, ids) {
    for (const id of ids) {
      const { destination } = await client.jobs.deliver(id);
      const problem = destination?.error == null ? "" : `: ${destination.error.message}`;
      printLine(`${id} ${destination?.status}${problem}`);
    }
  },
  async delete(client, ids) {
    for (const id of ids) {
      await client.jobs.delete(id);
      printLine(`${id} deleted`);
    }
  },
};

async function list(client: Packshot, _ids: readonly string[], values: Values): Promise<void> {
  const { status, tool, batch } = values;
  const metadata = Object.fromEntries(values.metadata.map(pairOf));
  const given = Object.fromEntries(Object.entries({ status, tool, batch }).filter(([, value]) => value !== undefined));
  // What there is no such status or tool for, the service refuses in its own words.
  const entries = (page: { readonly limit: number }) => client.jobs.list({ ...given, metadata, ...page } as JobFilter);
  await showList(entries, values, (jobs) => {
    if (values.json) return printJson(jobs);
    if (jobs.length === 0) return printLine("no jobs");
    printTable(["id", "created", "tool", "status", "credits", "what became of it"], jobs.map(rowOf));
  });
}

function rowOf(job: Job): string[] {
  const created = job.createdAt.slice(0, 19).replace("T", " ");
  return [job.id, created, job.tool, job.status, String(job.creditsCharged), becameOf(job)];
}

function pairOf(text: string): [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw new CommandError(`--metadata takes NAME=VALUE, as in --metadata sku=MUG-1, not "${text}".`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function becameOf({ error, report, metadata, destination }: Job): string {
  const named = Object.entries(metadata).map(([name, value]) => `${name}=${value}`);
  const problem = error ?? destination?.error ?? null;
  const outcome = problem === null ? (report?.quality ?? "") : `${problem.code}: ${problem.message}`;
  return [outcome, ...named].filter(Boolean).join("  ");
}

export const jobs: Command = {
  summary: "list, show, cancel, deliver and delete edits; see review",
  help,
  run,
};
