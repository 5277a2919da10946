import { type Command, CommandError, readArguments } from "./command-line/command.ts";
import { printJson, printLine, printTable } from "./command-line/print.ts";
import { listAll, operatorFlags, operatorHelp, operatorOf } from "./operator/operator-access.ts";

interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly createdBy: string | null;
  readonly lastUsedAt?: string | null;
}

const help = `packshot keys: the API keys of an account.

  packshot keys list ACCOUNT
  packshot keys create ACCOUNT --name N     the key is shown only this once
  packshot keys revoke ACCOUNT KEY          takes effect at once

  --scopes A,B          what a new key may do: edits, read, webhooks, keys;
                        everything when absent
  --with-descendants    revoke also the keys that it made, those that they made,
                        and so on

${operatorHelp}

  packshot keys create ACCOUNT_ID --name website --scopes edits,read`;

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(
    args,
    {
      ...operatorFlags,
      name: { type: "string" },
      scopes: { type: "string" },
      "with-descendants": { type: "boolean", default: false },
    },
    { list: 1, create: 1, revoke: 2 },
  );
  const [verb, account, keyId] = positionals;
  if (verb !== "list" && verb !== "create" && verb !== "revoke") {
    throw new CommandError(`unknown subcommand of keys: "${verb ?? ""}"; use list, create or revoke.`);
  }
  if (account === undefined)
    throw new CommandError(`keys ${verb} needs an account's id; "packshot accounts list" shows them.`);
  const operator = operatorOf(values);
  const path = `/admin/v1/accounts/${encodeURIComponent(account)}/keys`;

  if (verb === "list") {
    const keys = await listAll<ApiKey>(operator, path);
    if (values.json) printJson(keys);
    else
      printTable(
        ["id", "name", "created", "made by", "last used"],
        keys.map((key) => [key.id, key.name, key.createdAt, key.createdBy ?? "operator", key.lastUsedAt ?? "never"]),
      );
  } else if (verb === "create") {
    if (values.name === undefined) throw new CommandError("keys create needs --name.");
    printJson(await operator.request("POST", path, { name: values.name, scopes: values.scopes?.split(",") }));
  } else {
    if (keyId === undefined) throw new CommandError("keys revoke needs the key's id.");
    const query = values["with-descendants"] ? "?withDescendants=true" : "";
    await operator.request("DELETE", `${path}/${encodeURIComponent(keyId)}${query}`);
    printLine("revoked");
  }
  return 0;
}

export const keys: Command = { summary: "list, create and revoke an account's API keys", help, run };
