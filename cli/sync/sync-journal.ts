/** What `packshot sync` remembers beside the results: to what it was given leave, and what is where it belongs. */
import { appendFileSync, existsSync, lstatSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { CommandError } from "../command-line/command.ts";

export interface SyncJournal {
  /** Whether somebody has said yes to editing this place with these settings. */
  hasConsent(place: string, settings: string): boolean;
  consent(place: string, settings: string): void;
  /** undefined: it was not delivered. */
  deliveredAs(photo: DeliveredPhoto): string | undefined;
  deliver(photo: DeliveredPhoto, name: string): void;
  /** What was edited last of the photo: another version need not be another photo. */
  sourceOf(photo: EditOfPhoto): EditedSource | undefined;
  noteSource(photo: DeliveredPhoto, source: Omit<EditedSource, "version">): void;
}

export interface EditedSource {
  readonly version: string;
  readonly sha256: string;
  readonly etag?: string | undefined;
}

type EditOfPhoto = Pick<DeliveredPhoto, "id" | "settings">;

export interface DeliveredPhoto {
  readonly id: string;
  readonly version: string;
  readonly settings: string;
}

type Line =
  | { readonly kind: "consent"; readonly place: string; readonly settings: string }
  | ({ readonly kind: "source" } & EditedSource & EditOfPhoto)
  | ({ readonly kind: "delivered"; readonly name: string } & DeliveredPhoto);

export function openSyncJournal(path: string): SyncJournal {
  const consents = new Set<string>();
  /** By the photo and its settings: two runs over one shop with different settings know their own. */
  const delivered = new Map<string, { readonly version: string; readonly name: string }>();
  const sources = new Map<string, EditedSource>();
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new CommandError(`${path} is a link, which is not followed.`);
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  for (const line of text.split("\n")) note(parse(line));

  function note(line: Line | undefined): void {
    if (line?.kind === "consent") consents.add(`${line.place} ${line.settings}`);
    if (line?.kind === "delivered") delivered.set(editOf(line), line);
    if (line?.kind === "source") sources.set(editOf(line), line);
  }

  function write(line: Line): void {
    mkdirSync(dirname(path), { recursive: true });
    appendFileSync(path, `${JSON.stringify(line)}\n`);
    note(line);
  }

  // After a line that a kill has cut, the next one begins anew.
  if (text !== "" && !text.endsWith("\n")) appendFileSync(path, "\n");
  return {
    hasConsent: (place, settings) => consents.has(`${place} ${settings}`),
    consent: (place, settings) => write({ kind: "consent", place, settings }),
    deliveredAs(photo) {
      const last = delivered.get(editOf(photo));
      return last?.version === photo.version ? last.name : undefined;
    },
    sourceOf: (photo) => sources.get(editOf(photo)),
    noteSource: ({ id, version, settings }, { sha256, etag }) =>
      write({ kind: "source", id, version, settings, sha256, etag }),
    deliver: ({ id, version, settings }, name) => write({ kind: "delivered", id, version, settings, name }),
  };
}

function editOf({ id, settings }: EditOfPhoto): string {
  return `${settings} ${id}`;
}

function parse(line: string): Line | undefined {
  try {
    return JSON.parse(line) as Line;
  } catch {
    return undefined;
  }
}
