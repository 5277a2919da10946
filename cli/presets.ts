/** `packshot presets`: the account's own names for how its products are shown. */
import type { NewPreset, Packshot } from "@packshot/sdk/packshot.ts";
import { readEditSettings, settingsFlags } from "./client/edit-settings.ts";
import { accessFlags, accessHelp, explained, openClient, serviceOf } from "./client/service-access.ts";
import { type Command, CommandError, readArguments } from "./command-line/command.ts";
import { printJson, printLine, printTable } from "./command-line/print.ts";

const help = `packshot presets: the account's own presets, which edits and batches name.

  packshot presets list            with --json as JSON
  packshot presets show NAME       one of them, as JSON
  packshot presets put NAME        creates it, or replaces the one of its name
  packshot presets delete NAME…    jobs that were made with it stay as they are

  --tool T          mask (default), ai-shadows, or ai-bg (default with --theme)
  --theme WORDS     the scene
  --set NAME=VALUE  a parameter of the tool; may be repeated
  --output N=PRESET a file N of each photo, as of packshot edit
  --to s3://C/KEY   where results go: the key in the connection C, with
                    placeholders such as {ref}, {tool} and {ext}
${accessHelp}

  packshot presets put autumn --theme "oak table, morning light" --set seed=7 \\
    --set scene.productHeight=0.6 --set output.width=800 --set output.height=800
  packshot edit bottles --preset autumn`;

const flags = {
  ...accessFlags,
  tool: settingsFlags.tool,
  theme: settingsFlags.theme,
  set: settingsFlags.set,
  output: settingsFlags.output,
  to: { type: "string" },
  json: { type: "boolean", default: false },
} as const;

type Values = ReturnType<typeof readArguments<typeof flags>>["values"];

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, flags, { list: 0, put: 1 });
  const [verb = "list", ...names] = positionals;
  const act = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (act === undefined)
    throw new CommandError(`unknown subcommand of presets: "${verb}"; use list, show, put or delete.`);
  if (verb !== "list" && names.length === 0)
    throw new CommandError(`presets ${verb} needs a preset's name; "packshot presets list" shows them.`);
  await explained(act(openClient(await serviceOf(values)), names, values));
  return 0;
}

const verbs: Readonly<Record<string, (client: Packshot, names: readonly string[], values: Values) => Promise<void>>> = {
  async list(client, _names, { json }) {
    const presets = await Array.fromAsync(client.presets.list());
    if (json) printJson(presets);
    else if (presets.length === 0) printLine("no presets");
    else {
      printTable(
        ["name", "tool", "updated", "parameters"],
        presets.map(({ name, tool, updatedAt, parameters }) => [name, tool, updatedAt, JSON.stringify(parameters)]),
      );
    }
  },
  async show(client, names) {
    for (const name of names) printJson(await client.presets.get(name));
  },
  async put(client, [name], { tool, theme, set, output, to }) {
    const { tool: id, options } = await readEditSettings(client, { tool, theme, set, output });
    const destination = to === undefined ? {} : { destination: destinationOf(to) };
    const { parameters = {} } = options;
    printJson(await client.presets.put(name!, { tool: id, parameters, ...destination } as NewPreset));
  },
  async delete(client, names) {
    for (const name of names) {
      await client.presets.delete(name);
      printLine(`${name} deleted`);
    }
  },
};

function destinationOf(to: string): { readonly connection: string; readonly key: string } {
  const [, connection, key] = /^s3:\/\/([^/]+)\/(.+)$/.exec(to) ?? [];
  if (connection !== undefined && key !== undefined) return { connection, key };
  throw new CommandError(`--to must be like s3://shop/{ref}.{ext}, not "${to}".`);
}

export const presets: Command = { summary: "list, show, put and delete the account's own presets", help, run };
