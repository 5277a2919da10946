import { listedWords, listedWordsOfAvoid } from "../services/inference/imaging/scene/words/languages.ts";
import {
  avoidable,
  carriers,
  colors,
  lights,
  moods,
  patterns,
  props,
  settings,
  stands,
  surfaces,
} from "../services/inference/imaging/scene/words/lexicon.ts";
import { namedThings } from "../services/inference/imaging/scene/words/named-things.ts";
import { synonyms } from "../services/inference/imaging/scene/words/synonyms.ts";

const columns = ["de", "fr", "es", "it", "nl", "pl"] as const;

/** The text of docs/theme-words.md. */
export function themeWordsDocument(): string {
  const tables = [surfaces, patterns, settings, stands, props, namedThings, lights, moods, colors];
  const count = tables.reduce((sum, words) => sum + words.size, 0);
  const foreign = [...listedWords()];
  return `# The words of a theme

\`npm run docs\` generates this file from the lexicon in \`services/inference/imaging/scene/\`; a test keeps the two equal. What a theme
makes of them is in [scenes](guides/scenes.md).

The engine knows ${count} English words and their plurals, ${synonyms.size.toLocaleString("en")} others [that mean one of them](#other-english-words), and ${foreign.length.toLocaleString("en")} words of German, French, Spanish,
Italian, Dutch and Polish with their inflections. A word of another language stands for the English one [in its row](#other-languages).

## Surfaces

${byKind(surfaces, ({ kind }) => kind)}

## Patterns of surfaces

${byKind(patterns, (pattern) => pattern)}

## Places

${byKind(settings, ({ backdrop }) => backdrop)}

## Stands

${byKind(stands, (stand) => stand)}

## Things to stand on

Behind *on*, as in *on a log*; elsewhere most of them are beside the product.

${byKind(carriers, ({ stand }) => stand)}

## Things around the product

${byKind(props, (prop) => prop)}

## Drawn things

At most five of a theme stand, lie, hang or grow around the product, where its place has room for them.

${byKind(namedThings, ({ name }) => name)}

## Light

${byKind(lights, (light) => light)}

## Moods

${byKind(moods, (mood) => mood)}

## Colors

${[...colors.keys()].join(", ")}. Hex digits too: \`#a1b2c3\`.

${aboutAvoid()}

${aboutSynonyms()}

## Other languages

Accents may be left out, and German umlauts may be written as two letters. German and Dutch compounds are split: *Betonküche* is
*concrete* and *kitchen*.

${inOtherLanguages(foreign)}
`;
}

function aboutSynonyms(): string {
  const meanings = Map.groupBy(synonyms, ([, meaning]) => (meaning === "stop" ? "(no meaning)" : meaning));
  const rows = [...meanings].map(
    ([meaning, entries]) => `| ${meaning} | ${entries.map(([word]) => word).join(", ")} |`,
  );
  return `## Other English words

Each stands for the word in its row, with all that this one means.

| means | words |\n|---|---|\n${rows.join("\n")}`;
}

function aboutAvoid(): string {
  return `## Words of \`avoid\`

What places have on their own, beside the words above; *lights*, *furniture*, *windows* and *objects* also stand for their kinds.

${byKind(avoidable, (thing) => thing)}

Words of [other languages](#other-languages) that mean this in \`avoid\`, and something else in a theme, or nothing:

${inOtherLanguages([...listedWordsOfAvoid()])}`;
}

function byKind<T>(words: ReadonlyMap<string, T>, kindOf: (meaning: T) => string): string {
  const kinds = Map.groupBy(words, ([, meaning]) => kindOf(meaning));
  const rows = [...kinds].map(([kind, entries]) => `| ${kind} | ${entries.map(([word]) => word).join(", ")} |`);
  return `| makes | words |\n|---|---|\n${rows.join("\n")}`;
}

function inOtherLanguages(foreign: readonly (readonly [string, string, string])[]): string {
  const concepts = Map.groupBy(foreign, ([, , concept]) => (concept === "stop" ? "(no meaning)" : concept));
  const rows = [...concepts].map(([concept, entries]) => {
    const cells = columns.map((column) => entries.filter(([language]) => language === column).map(([, word]) => word));
    return `| ${concept} | ${cells.map((words) => words.join(", ")).join(" | ")} |`;
  });
  return `| English | German | French | Spanish | Italian | Dutch | Polish |\n|---|---|---|---|---|---|---|\n${rows.join("\n")}`;
}
