/** The command line: `npm run -s packshot -- <command>`. */

import { type Command, CommandFault, runAsProcess } from "./command-line.ts";
import { accounts } from "./accounts.ts";
import { doctor } from "./doctor.ts";
import { keys } from "./keys.ts";
import { models } from "./models.ts";
import { up } from "./up/up.ts";

const commands: Readonly<Record<string, Command>> = { up, accounts, keys, models, doctor };

function overview(): string {
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`);
  return `packshot: edit product photos on your own machines.\n\n${lines.join("\n")}\n\npackshot <command> --help tells more of each.`;
}

async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    process.stdout.write(`${overview()}\n`);
    return name === undefined ? 2 : 0;
  }
  const command = commands[name];
  if (!command) throw new CommandFault(`there is no command "${name}"; packshot --help lists them.`);
  if (rest.includes("--help") || rest.includes("-h")) {
    process.stdout.write(`${command.help}\n`);
    return 0;
  }
  return await command.run(rest);
}

runAsProcess("packshot", main);
