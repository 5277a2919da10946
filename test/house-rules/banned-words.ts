interface BannedWord {
  readonly pattern: RegExp;
  /** What to write instead. */
  readonly instead: string;
}

/** British spellings. */
export const bannedWords: readonly BannedWord[] = [
  { pattern: /colour/i, instead: "color" },
  { pattern: /licence/i, instead: "license" },
  { pattern: /behaviour|neighbour|favour|honour/i, instead: "-or" },
  { pattern: /\bcentre|\bgrey|catalogue|\bartefact|\bwhilst\b/i, instead: "center, gray, catalog, artifact, while" },
  {
    pattern: /(normal|optim|initial|serial|recogn|organ|minim|maxim|summar|synchron|custom)is(e|ed|es|ing|ation)\b/i,
    instead: "-ize",
  },
  // `aria-labelledby` is spelled so.
  { pattern: /(?<!aria-)\b(analyse|labelled|labelling|travelled|modelled|modelling)/i, instead: "analyze, labeled, …" },
];
