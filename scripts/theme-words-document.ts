import { colors, lights, moods, settings, surfaces } from "../services/inference/imaging/scene/lexicon.ts";

/** The text of docs/theme-words.md. */
export function themeWordsDocument(): string {
  const count = [surfaces, settings, lights, moods, colors].reduce((sum, words) => sum + words.size, 0);
  return `# The words of a theme

\`npm run docs\` generates this file from the lexicon in \`services/inference/imaging/scene/\`; a test keeps the two equal. What a theme
makes of them is in [scenes](guides/scenes.md).

The engine knows ${count} words, and their plurals.

## Surfaces

${byKind(surfaces, ({ kind }) => kind)}

## Places

${byKind(settings, ({ backdrop }) => backdrop)}

## Light

${byKind(lights, (light) => light)}

## Moods

${byKind(moods, (mood) => mood)}

## Colors

${[...colors.keys()].join(", ")}. Hex digits too: \`#a1b2c3\`.
`;
}

function byKind<T>(words: ReadonlyMap<string, T>, kindOf: (meaning: T) => string): string {
  const kinds = Map.groupBy(words, ([, meaning]) => kindOf(meaning));
  const rows = [...kinds].map(([kind, entries]) => `| ${kind} | ${entries.map(([word]) => word).join(", ")} |`);
  return `| makes | words |\n|---|---|\n${rows.join("\n")}`;
}
