/**
 * The environment as the launcher hands it on: `up` starts every process with what the operator set. Settings are still
 * read by packages/platform/config alone.
 */
export const environment: Readonly<Record<string, string | undefined>> = process.env;
