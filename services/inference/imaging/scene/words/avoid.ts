/** What a request does not want to see: words of the lexicon, and things that painters add on their own. */

import { type AvoidedThing, avoidable, lights, type Setting, surfaceKinds, surfaces } from "./lexicon.ts";
import { lexiconTables, readThemeText, type ThemeWord } from "./theme-words.ts";

export interface Avoided {
  /** Words of the lexicon. */
  readonly forms: ReadonlySet<string>;
  readonly things: ReadonlySet<AvoidedThing>;
  readonly recognized: readonly string[];
  readonly unrecognized: readonly string[];
}

/** In the languages of themes. */
const negation = /(?<=^|[\s,;])(?:no|without|ohne|keine?n?|sans|sin|senza|zonder|geen|bez)\s/iu;
/** What is behind one of these words, or behind punctuation, is wanted again: "without plants in a kitchen". */
const endOfNegation = /[,.;:!?\n]|\s(?:with|in|on|at|but|mit|auf|avec|dans|sur|con|en|su|met|op|z|w|na)\s/iu;

/** Parts a theme from what it says that it does not want: "white studio, no shadows". */
export function splitNegations(text: string): { readonly wanted: string; readonly unwanted: string } {
  let rest = text;
  let wanted = "";
  let unwanted = "";
  for (let found = negation.exec(rest); found !== null; found = negation.exec(rest)) {
    wanted += rest.slice(0, found.index);
    rest = rest.slice(found.index + found[0].length);
    const end = endOfNegation.exec(rest)?.index ?? rest.length;
    unwanted += ` ${rest.slice(0, end)}`;
    rest = rest.slice(end);
  }
  return { wanted: wanted + rest, unwanted: unwanted.trim() };
}

export function readAvoid(text: string): Avoided {
  const { words, ignored } = readThemeText(text, avoidable);
  const forms = words.flatMap(({ form }) => (form === null ? [] : [form]));
  return {
    forms: new Set(forms),
    things: new Set(forms.flatMap((form) => avoidable.get(form) ?? [])),
    recognized: words.filter(({ form }) => form !== null).map(({ word }) => word),
    unrecognized: [...words.filter(({ form, isStop }) => form === null && !isStop).map(({ word }) => word), ...ignored],
  };
}

/** A theme's word that is avoided, or has the meaning of one that is. */
export function isAvoided({ form }: ThemeWord, { forms }: Avoided): boolean {
  if (form === null) return false;
  if (forms.has(form)) return true;
  const same = (table: ReadonlyMap<string, unknown>, other: string) =>
    table.has(form) && table.has(other) && JSON.stringify(table.get(form)) === JSON.stringify(table.get(other));
  return [...forms].some((other) => lexiconTables.some((table) => same(table, other)) || isKindOf(other, form));
}

/** "Wood" also means oak and walnut. */
function isKindOf(kind: string, form: string): boolean {
  return (surfaceKinds as readonly string[]).includes(kind) && surfaces.get(form)?.kind === kind;
}

/** The place without what is avoided: its surface, its light, or what stands behind. */
export function withoutAvoided(setting: Setting, { forms, things }: Avoided): Setting {
  const surface = [...forms].some((form) => surfaces.get(form)?.kind === setting.surface.kind)
    ? ({ kind: "plain", color: "#e3ddd5" } as const)
    : setting.surface;
  const light = [...forms].some((form) => lights.get(form) === setting.light) ? "soft" : setting.light;
  const isBare =
    (setting.backdrop === "shelves" && things.has("objects")) ||
    // A greenhouse keeps its panes.
    (setting.backdrop === "foliage" && setting.decor !== "greenhouse" && things.has("plants"));
  const { decor: _decor, ...bare } = setting;
  return isBare ? { ...bare, surface, light, backdrop: "wall" } : { ...setting, surface, light };
}
