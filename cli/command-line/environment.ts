/**
 * The environment, for the launcher to pass on: `up` starts every process with what the operator set. Only
 * packages/platform/config reads settings.
 */
export const environment: Readonly<Record<string, string | undefined>> = process.env;
