import { type Command, CommandError, readArguments } from "./command-line/command.ts";
import { listAll, operatorFlags, operatorHelp, operatorOf } from "./operator/operator-access.ts";
import { printJson, printTable } from "./command-line/print.ts";

interface Account {
  readonly accountId: string;
  readonly name: string;
  readonly plan: string;
  readonly apiEnabled: boolean;
  readonly credits: { readonly remaining: number };
  readonly running: number;
  readonly waiting: number;
}

const help = `packshot accounts: customer accounts and their credits.

  packshot accounts list
  packshot accounts create --name N [--plan P]     plans: dev, starter, pro, or one of your own
  packshot accounts show ID
  packshot accounts grant ID AMOUNT [--note TEXT]  add credits for this period (-AMOUNT takes some away)
  packshot accounts suspend ID                     its keys stop working; its running jobs finish
  packshot accounts resume ID

${operatorHelp}`;

async function run(args: readonly string[]): Promise<number> {
  // parseArgs would read a negative amount as a flag.
  const amount = args.findIndex((arg) => /^-\d+$/.test(arg));
  const [given, negative] =
    amount === -1 ? [args, undefined] : [args.filter((_, index) => index !== amount), args[amount]];
  const { values, positionals } = readArguments(given, {
    ...operatorFlags,
    name: { type: "string" },
    plan: { type: "string", default: "starter" },
    note: { type: "string", default: "" },
  });
  const [verb, id, amountGiven] = positionals;
  const operator = operatorOf(values);
  const path = `/admin/v1/accounts/${encodeURIComponent(id ?? "")}`;
  const needId = () => {
    if (id === undefined)
      throw new CommandError(`accounts ${verb} needs an account's id; "packshot accounts list" shows them.`);
  };

  switch (verb) {
    case "list": {
      const accounts = await listAll<Account>(operator, "/admin/v1/accounts");
      if (values.json) printJson(accounts);
      else {
        const rows = accounts.map(({ accountId, name, plan, apiEnabled, credits, running, waiting }) =>
          [accountId, name, plan, apiEnabled ? "active" : "suspended", credits.remaining, running, waiting].map(String),
        );
        printTable(["id", "name", "plan", "state", "credits", "running", "waiting"], rows);
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
      const credits = negative ?? amountGiven ?? "";
      if (!/^-?\d+$/.test(credits))
        throw new CommandError(`accounts grant needs a whole number of credits, not "${credits}".`);
      printJson(await operator.request("POST", `${path}/grants`, { amount: Number(credits), note: values.note }));
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
