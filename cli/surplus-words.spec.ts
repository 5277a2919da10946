/** A word that a command would ignore is refused, as an unknown option is. */
import { expect, test } from "vitest";
import { accounts } from "./accounts.ts";
import { backup, restore } from "./backup.ts";
import { batches } from "./batches.ts";
import { bundle } from "./bundle/bundle.ts";
import type { Command } from "./command-line/command.ts";
import { doctor } from "./doctor.ts";
import { jobs } from "./jobs.ts";
import { keys } from "./keys.ts";
import { ledger } from "./ledger.ts";
import { makeSecrets } from "./make-secrets.ts";
import { migrate } from "./migrate.ts";
import { models } from "./models.ts";
import { nats } from "./nats.ts";
import { observe } from "./observe.ts";
import { pipelines } from "./pipelines.ts";
import { presets } from "./presets.ts";
import { review } from "./review.ts";
import { status } from "./status.ts";
import { sync } from "./sync.ts";
import { tryEdit } from "./try.ts";
import { up } from "./up/up.ts";
import { webhooks } from "./webhooks.ts";

const surplus: readonly (readonly [Command, string])[] = [
  [accounts, "list surplus"],
  [accounts, "create --name shop surplus"],
  [accounts, "show id surplus"],
  [accounts, "show id -5"],
  [accounts, "grant id 5 surplus"],
  [accounts, "grant id -5 surplus"],
  [accounts, "suspend id surplus"],
  [accounts, "resume id surplus"],
  [backup, "folder surplus"],
  [restore, "folder surplus"],
  [batches, "list surplus"],
  [batches, "report id surplus"],
  [batches, "archive id surplus"],
  [bundle, "load folder surplus"],
  [doctor, "surplus"],
  [jobs, "list surplus"],
  [keys, "list id surplus"],
  [keys, "create id surplus"],
  [keys, "revoke id key surplus"],
  [ledger, "verify surplus"],
  [makeSecrets, "surplus"],
  [migrate, "surplus"],
  [models, "list surplus"],
  [models, "pull name surplus"],
  [models, "verify name surplus"],
  [nats, "keys surplus"],
  [observe, "surplus"],
  [pipelines, "list surplus"],
  [presets, "list surplus"],
  [presets, "put name surplus"],
  [review, "list surplus"],
  [status, "surplus"],
  [sync, "folder photos results surplus"],
  [tryEdit, "surplus"],
  [up, "surplus"],
  [webhooks, "list surplus"],
  [webhooks, "add https://shop.example surplus"],
  [webhooks, "listen surplus"],
];

test.each(surplus.map(([command, words]) => [command.help.split(":")[0], words, command] as const))(
  "%s %s",
  async (_name, words, command) => {
    const ran = command.run(words.split(" "));
    await expect(ran).rejects.toMatchObject({ name: "CommandError" });
    await expect(ran).rejects.toThrow(
      /unknown argument "(surplus|-5)"; --help|takes one|needs (a shop|two places|one target)|unknown subcommand of nats|bundle load FOLDER/,
    );
  },
);
