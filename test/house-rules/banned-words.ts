interface BannedWord {
  readonly pattern: RegExp;
  /** What to write, as docs/glossary.md has it. */
  readonly instead: string;
}

/** Words that the glossary replaced, and British spellings. */
export const bannedWords: readonly BannedWord[] = [
  { pattern: /purif(y|ies|ied)/i, instead: "estimate the foreground" },
  { pattern: /withoutCrumbs|dropScraps/i, instead: "remove small components" },
  { pattern: /matteDoubt|\bdoubt/i, instead: "uncertainty" },
  { pattern: /\blend(s|ing)?\b|\blent\b/i, instead: "release and reacquire" },
  { pattern: /few-?at-?once/i, instead: "limiter" },
  { pattern: /account-?turn\b/i, instead: "keyed mutex" },
  { pattern: /second-?look\b|joinLooks/i, instead: "test-time augmentation, mergePredictions" },
  { pattern: /test-job|test-model-client/i, instead: "sandbox" },
  {
    pattern: /turnLogOver|firstWordOf|lastWords|removeLeftForms/i,
    instead: "rotateLog, waitForReady, logTail, sweepStaleForms",
  },
  { pattern: /\bJobToBe\b|\bfaultOf\b|\bCommandFault\b/, instead: "NewJob, toError, CommandError" },
  { pattern: /\b[A-Z]\w*Parts\b/, instead: "XDeps, or Component for what starts and stops" },
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
