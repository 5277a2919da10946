interface Exception {
  /** The offender as the rule's failure names it; what follows a colon may be left off. */
  readonly what: string;
  readonly why: string;
}

/** Where a house rule does not hold, and why. Short, or the rule is wrong. */
export const exceptions = {
  fileLength: [],
  functionLength: [],
  names: [],
  barrels: [],
  direction: [],
  pureDomain: [],
  environment: [],
  defaultExports: [],
  only: [],
  sleeps: [],
  deadFiles: [],
  undeclared: [],
  hostsAndPaths: [],
} as const satisfies Record<string, readonly Exception[]>;
