interface Exception {
  /** The offender as the rule's failure names it; what follows a colon may be omitted. */
  readonly what: string;
  readonly why: string;
}

/** Where a house rule does not hold, and why. When the list grows, the rule is wrong. */
export const exceptions = {
  fileLength: [],
  functionLength: [],
  packing: [],
  smallFiles: [
    { what: "services/api/features/batches/read/reading-thread.ts", why: "a thread starts it by its name" },
    {
      what: "packages/platform/keyv/keyv-redis.ts",
      why: "its client takes 12 MB, and is loaded only where there is a Redis",
    },
  ],
  licenses: [
    {
      what: "@img/sharp-libvips",
      why: "LGPL, as a library of its own that sharp loads and that its user may replace; nothing of it is changed",
    },
    { what: "libheif-js", why: "LGPL, a WebAssembly module of its own; optional: without it HEIC is refused" },
    { what: "busboy", why: "MIT, in a field of an older form; the next test reads its license" },
    { what: "streamsearch", why: "MIT, as busboy" },
  ],
  names: [],
  barrels: [],
  direction: [],
  circles: [],
  mutualFolders: [],
  folderDirection: [],
  imagesBesideKeys: [],
  pureDomain: [],
  environment: [
    { what: "cli/command-line/environment.ts", why: "the launcher hands the whole environment on to its children" },
    { what: "packages/github-action/action-main.ts", why: "GitHub's runner hands inputs over in it" },
    { what: "packages/models/cuda-check.ts", why: "LD_LIBRARY_PATH is the loader's, and no setting" },
    { what: "console/playground/edit-programs.ts", why: "writes programs for others, which read theirs" },
  ],
  printing: [],
  defaultExports: [],
  comments: [],
  bannedWords: [
    {
      what: "services/inference/imaging/scene/words/lexicon-color-phrases.ts",
      why: "customers' themes have British spellings",
    },
    {
      what: "services/inference/imaging/scene/words/lexicon-settings.ts",
      why: "customers' themes have British spellings",
    },
    {
      what: "services/inference/imaging/scene/words/lexicon-surfaces.ts",
      why: "customers' themes have British spellings",
    },
    {
      what: "services/inference/imaging/scene/words/synonyms-looks.ts",
      why: "customers' themes have British spellings",
    },
    {
      what: "services/inference/imaging/scene/words/translations-looks.ts",
      why: "words of French and Dutch are spelled so",
    },
    {
      what: "services/inference/imaging/scene/words/translations-rooms.ts",
      why: "words of French are spelled so",
    },
    { what: "docs/theme-words.md", why: "lists them" },
  ],
  logSearches: [
    { what: "packages/log/nats/leader-read.ts", why: "offers the search" },
    { what: "packages/log/log.ts", why: "offers it to services" },
    {
      what: "packages/log/operate/watch.ts",
      why: "only in what was written since the last look",
    },
    {
      what: "services/api/features/operator/queue-watch.ts",
      why: "looks in PS_READY, and only for a message that is pending",
    },
    {
      what: "services/api/features/jobs/waiting-jobs.ts",
      why: "the account counts its waiting jobs, so each search has a hit",
    },
  ],
  only: [],
  sleeps: [
    {
      what: "services/inference/consumer/ready-consumer.spec.ts",
      why: "its timers stand for an edit at work; no test waits by them",
    },
  ],
  temporaryFolders: [],
  namedFiles: [],
  deadFiles: [],
  undeclared: [],
  hostsAndPaths: [],
} as const satisfies Record<string, readonly Exception[]>;
