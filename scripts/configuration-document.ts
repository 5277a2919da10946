import { settingsTable } from "../packages/platform/config/settings.ts";

function shown(value: unknown): string {
  if (value === undefined) return "";
  if (Array.isArray(value)) return value.length === 0 ? "" : `\`${value.join(",")}\``;
  if (typeof value === "boolean") return value ? "`1`" : "`0`";
  return value === "" ? "" : `\`${String(value)}\``;
}

/** docs/configuration.md as the table of settings says it must read. */
export function configurationDocument(): string {
  const rows = Object.entries(settingsTable).map(([name, row]) => {
    const secret = "secret" in row && row.secret ? " **Secret.**" : "";
    return `| \`${name}\` | ${shown(row.default)} | ${row.doc.replaceAll("|", "\\|")}${secret} |`;
  });
  return [
    "# Configuration",
    "",
    "Written from `packages/platform/config/settings.ts` by `npm run docs`; a test keeps the two equal.",
    "",
    "Every process reads its settings from the environment once, when it starts, and reports all faults together. A",
    "name that begins with `PACKSHOT_` and is not listed here is a fault too. `packshot up` chooses what it needs by",
    "itself; what you set wins.",
    "",
    "| name | default | what it is for |",
    "|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}
