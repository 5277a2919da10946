import { type Command, CommandError, readArguments } from "./command-line/command.ts";
import { printJson, printNote, printTable } from "./command-line/print.ts";
import { listAll, operatorFlags, operatorHelp, operatorOf } from "./operator/operator-access.ts";

interface Account {
  readonly accountId: string;
  readonly name: string;
  readonly plan: string;
  readonly apiEnabled: boolean;
  readonly credits: { readonly remaining: number };
  readonly running: number;
  readonly waiting: number;
  readonly inference?: { readonly day: string; readonly dayMs: number };
}

const sorts = ["created", "waiting", "inferenceSeconds"];

const help = `packshot accounts: customer accounts and their credits.

  packshot accounts list [--sort S]
  packshot accounts create --name N [--plan P]
  packshot accounts show ID
  packshot accounts grant ID AMOUNT [--note TEXT]
  packshot accounts suspend ID
  packshot accounts resume ID

  --sort S       created (default), or the busiest first: waiting, or
                 inferenceSeconds (of today)
  --plan P       dev, starter (default), pro, or one of your own
  --note TEXT    why; grants are for this period; -AMOUNT takes away, down to 0

A suspended account's keys stop working; its running jobs finish.

${operatorHelp}

  packshot accounts grant ACCOUNT_ID 500 --note "goodwill"`;

function toRow({ accountId, name, plan, apiEnabled, credits, running, waiting, inference }: Account): string[] {
  const isToday = inference?.day === new Date().toISOString().slice(0, 10);
  const seconds = isToday ? (inference.dayMs / 1000).toFixed(1) : "0.0";
  const state = apiEnabled ? "active" : "suspended";
  return [accountId, name, plan, state, credits.remaining, running, waiting, seconds].map(String);
}

const flags = {
  ...operatorFlags,
  name: { type: "string" },
  plan: { type: "string", default: "starter" },
  note: { type: "string", default: "" },
  sort: { type: "string", default: "created" },
} as const;

const wordsMax = { list: 0, create: 0, show: 1, grant: 2, suspend: 1, resume: 1 };

/** `granted` is absent where the service is older than this command. */
type GrantedAccount = Account & { readonly granted?: number };

/** The balance never goes below 0. */
function noteShortfall(asked: number, { granted = asked }: GrantedAccount): void {
  if (granted === asked) return;
  const back = granted === 0 ? "" : ` A grant of ${-granted} gives them back.`;
  printNote(`${-granted} credits were taken, not ${-asked}: there were no more.${back}`);
}

async function run(args: readonly string[]): Promise<number> {
  // parseArgs would read a negative amount as a flag, were there no space before it.
  const given = args.map((arg) => (/^-\d+$/.test(arg) ? ` ${arg}` : arg));
  const { values, positionals } = readArguments(given, flags, wordsMax);
  const [verb, id, amount = ""] = positionals;
  const operator = operatorOf(values);
  const path = `/admin/v1/accounts/${encodeURIComponent(id ?? "")}`;
  const needId = () => {
    if (id === undefined)
      throw new CommandError(`accounts ${verb} needs an account's id; "packshot accounts list" shows them.`);
  };

  switch (verb) {
    case "list": {
      const { sort } = values;
      if (!sorts.includes(sort)) throw new CommandError(`--sort must be one of ${sorts.join(", ")}, not "${sort}".`);
      const list = sort === "created" ? "/admin/v1/accounts" : `/admin/v1/accounts?sort=${sort}`;
      const accounts = await listAll<Account>(operator, list);
      if (values.json) printJson(accounts);
      else {
        printTable(
          ["id", "name", "plan", "state", "credits", "in window", "waiting", "inference s"],
          accounts.map(toRow),
        );
      }
      return 0;
    }
    case "create":
      if (values.name === undefined) throw new CommandError("accounts create needs --name.");
      printJson(await operator.request("POST", "/admin/v1/accounts", { name: values.name, plan: values.plan }));
      return 0;
    case "show":
      needId();
      printJson(await operator.request("GET", path));
      return 0;
    case "grant": {
      needId();
      const credits = amount.trim();
      if (!/^-?\d+$/.test(credits) || Number(credits) === 0)
        throw new CommandError(`accounts grant needs a whole number of credits other than 0, not "${credits}".`);
      const body = { amount: Number(credits), note: values.note };
      const account = await operator.request<GrantedAccount>("POST", `${path}/grants`, body);
      printJson(account);
      noteShortfall(body.amount, account);
      return 0;
    }
    case "suspend":
    case "resume":
      needId();
      printJson(await operator.request("PATCH", path, { apiEnabled: verb === "resume" }));
      return 0;
    default:
      throw new CommandError(
        `unknown subcommand of accounts: "${verb ?? ""}"; use list, create, show, grant, suspend or resume.`,
      );
  }
}

export const accounts: Command = { summary: "list, create, grant credits to, suspend and resume accounts", help, run };
