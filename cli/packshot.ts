/** The command line: `npm run -s packshot -- <command>`. */

import { readFileSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import { type Command, CommandError, runAsProcess } from "./command-line/command.ts";
import { printLine, printText } from "./command-line/print.ts";

// Compiled modules are cached from start to start. Where the folder cannot be written, Node caches nothing.
enableCompileCache(fileURLToPath(new URL("../.cache/node-compile", import.meta.url)));

/** Each is loaded when it runs: `up` should not carry what only `doctor` needs. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  edit: async () => (await import("./edit/edit.ts")).edit,
  batches: async () => (await import("./batches.ts")).batches,
  sync: async () => (await import("./sync.ts")).sync,
  jobs: async () => (await import("./jobs.ts")).jobs,
  pipelines: async () => (await import("./pipelines.ts")).pipelines,
  compare: async () => (await import("./pipelines.ts")).compare,
  review: async () => (await import("./review.ts")).review,
  presets: async () => (await import("./presets.ts")).presets,
  status: async () => (await import("./status.ts")).status,
  webhooks: async () => (await import("./webhooks.ts")).webhooks,
  up: async () => (await import("./up/up.ts")).up,
  observe: async () => (await import("./observe.ts")).observe,
  migrate: async () => (await import("./migrate.ts")).migrate,
  bundle: async () => (await import("./bundle/bundle.ts")).bundle,
  backup: async () => (await import("./backup.ts")).backup,
  restore: async () => (await import("./backup.ts")).restore,
  accounts: async () => (await import("./accounts.ts")).accounts,
  keys: async () => (await import("./keys.ts")).keys,
  models: async () => (await import("./models.ts")).models,
  ledger: async () => (await import("./ledger.ts")).ledger,
  "make-secrets": async () => (await import("./make-secrets.ts")).makeSecrets,
  try: async () => (await import("./try.ts")).tryEdit,
  nats: async () => (await import("./nats.ts")).nats,
  doctor: async () => (await import("./doctor.ts")).doctor,
  completion: async () => (await import("./completion.ts")).createCompletion(commands),
};

/** The helps of `jobs`, `pipelines` and `make-secrets` name them: the overview has to fit a screen. */
const namedElsewhere: ReadonlySet<string> = new Set(["review", "compare", "bundle"]);

async function overview(): Promise<string> {
  const listed = Object.entries(commands).filter(([name]) => !namedElsewhere.has(name));
  const entries = listed.map(async ([name, load]) => `  ${name.padEnd(13)} ${(await load()).summary}`);
  const lines = (await Promise.all(entries)).join("\n");
  return `packshot: edit product photos; "packshot <command> --help" tells its options.\n${lines}`;
}

async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    printText(`${await overview()}\n`);
    return name === undefined ? 2 : 0;
  }
  if (name === "--version") {
    const about = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string };
    printLine(about.version);
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? await commands[name]!() : undefined;
  if (!command) throw new CommandError(`unknown command "${name}"; "packshot --help" lists the commands.`);
  if (rest.includes("--help") || rest.includes("-h")) {
    printText(`${command.help}\n`);
    return 0;
  }
  return await command.run(rest);
}

runAsProcess("packshot", main);
