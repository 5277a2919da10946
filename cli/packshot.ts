/** The command line: `npm run -s packshot -- <command>`. */

import { SettingsError } from "@packshot/platform/config/settings.ts";
import { type Command, CommandFault } from "./command-line.ts";
import { up } from "./up/up.ts";

const nodeMajorWanted = 24;

const commands: Readonly<Record<string, Command>> = { up };

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

if (Number(process.versions.node.split(".")[0]) < nodeMajorWanted) {
  process.stderr.write(
    `packshot: this is Node ${process.versions.node}; run it as "npm run -s packshot -- …", which takes the pinned Node ${nodeMajorWanted}.\n`,
  );
  process.exit(1);
}

main(process.argv.slice(2)).then(
  (status) => process.exit(status),
  (error: unknown) => {
    const known = error instanceof CommandFault || error instanceof SettingsError;
    process.stderr.write(`packshot: ${known ? error.message : ((error as Error).stack ?? String(error))}\n`);
    process.exit(1);
  },
);
