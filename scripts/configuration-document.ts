import type { Row } from "../packages/platform/config/setting-rows.ts";
import { settingsTable } from "../packages/platform/config/settings.ts";

function formatDefault(value: unknown): string {
  if (value === undefined) return "";
  if (Array.isArray(value)) return value.length === 0 ? "" : `\`${value.join(",")}\``;
  if (typeof value === "boolean") return value ? "`1`" : "`0`";
  return value === "" ? "" : `\`${String(value)}\``;
}

/** The text of docs/configuration.md. */
export function configurationDocument(): string {
  const ofOperators = Object.entries<Row<unknown>>(settingsTable).filter(([, { internal }]) => internal !== true);
  const rows = ofOperators.map(([name, row]) => {
    const secret = row.secret ? " **Secret.**" : "";
    return `| \`${name}\` | ${formatDefault(row.default)} | ${row.doc.replaceAll("|", "\\|")}${secret} |`;
  });
  return [
    "# Configuration",
    "",
    "`npm run docs` generates this file from `packages/platform/config/settings.ts`; a test keeps the two equal.",
    "",
    "Every process reads its settings from the environment once, when it starts, and reports all problems together. It",
    "also rejects names that begin with `PACKSHOT_` and that it does not know. `packshot up` chooses its settings itself;",
    "those that you set take precedence.",
    "",
    "A secret may stand in a file instead: `PACKSHOT_LINK_KEY_FILE` names the file of `PACKSHOT_LINK_KEY`. Those that have a row of",
    "their own are read again while the process runs, all others at its start.",
    "",
    "| name | default | meaning |",
    "|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}
