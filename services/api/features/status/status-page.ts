/** The status page: one document without scripts, that reads itself anew each half minute. */
import { isoTime } from "@packshot/domain/ids.ts";
import type { Incident, PartStatuses, StatusPart, StatusWord } from "./judge-status.ts";

export const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const titles: Readonly<Record<StatusPart, string>> = {
  api: "API",
  edits: "Edits",
  webhooks: "Webhooks",
  storage: "Files",
};
const words: Readonly<Record<StatusWord, string>> = { healthy: "Healthy", degraded: "Degraded", down: "Down" };

export interface StatusPageInput {
  readonly status: StatusWord;
  readonly parts: PartStatuses;
  readonly oldestWaitSeconds: number;
  /** Those that are shown, the newest first. */
  readonly incidents: readonly Incident[];
  readonly sinceMs: number;
  readonly nowMs: number;
}

const style = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:42rem;margin:3rem auto;padding:0 1rem}
table{width:100%;border-collapse:collapse}td,th{padding:.5rem 0;text-align:left;border-bottom:1px solid #8884}
td:last-child,th:last-child{text-align:right}
.healthy{color:#1a7f37}.degraded{color:#9a6700}.down{color:#cf222e}
@media(prefers-color-scheme:dark){.healthy{color:#3fb950}.degraded{color:#d29922}.down{color:#f85149}}
small{color:#888}`;

export function statusPage({ status, parts, oldestWaitSeconds, incidents, sinceMs, nowMs }: StatusPageInput): string {
  const mark = (word: StatusWord) => `<span class="${word}">${words[word]}</span>`;
  const rows = Object.entries(parts).map(
    ([part, word]) => `<tr><td>${titles[part as StatusPart]}</td><td>${mark(word)}</td></tr>`,
  );
  const shown = incidents.map(({ part, status: word, fromMs, untilMs }) => {
    const end = untilMs === undefined ? "now" : time(untilMs);
    return `<tr><td>${titles[part]}<br><small>${time(fromMs)} to ${end}</small></td><td>${mark(word)}</td></tr>`;
  });
  const wait =
    oldestWaitSeconds < 1 ? "No edit waits." : `The oldest edit has waited ${Math.round(oldestWaitSeconds)} seconds.`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="30">
<title>Status: ${words[status]}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
<h1>${mark(status)}</h1>
<p>${wait} <small>${time(nowMs)}</small></p>
<table><tbody>${rows.join("")}</tbody></table>
<h2>Incidents</h2>
${shown.length === 0 ? "<p>None.</p>" : `<table><tbody>${shown.join("")}</tbody></table>`}
<p><small>Of the last seven days, as seen since ${time(sinceMs)}.</small></p>
</main>
</body>
</html>
`;
}

function time(ms: number): string {
  const iso = isoTime(ms);
  return `<time datetime="${iso}">${iso.slice(0, 16).replace("T", " ")} UTC</time>`;
}
