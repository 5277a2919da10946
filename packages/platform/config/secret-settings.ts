/** Secrets that may stand in a file instead: `PACKSHOT_LINK_KEY_FILE` names one, as Compose and Kubernetes mount them. */

import { readFileSync } from "node:fs";
import type { Row } from "./setting-rows.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of secrets that are read from files at the start, by the setting that names the file. */
export function secretFileSettings(table: Readonly<Record<string, Row<unknown>>>): ReadonlyMap<string, string> {
  const secrets = Object.entries(table).filter(([name, { secret }]) => secret === true && !(`${name}_FILE` in table));
  return new Map(secrets.map(([name]) => [`${name}_FILE`, name]));
}

/** The environment with the secrets in place of the files. A problem with a file goes to `onProblem`. */
export function withSecretFiles(
  environment: Environment,
  files: ReadonlyMap<string, string>,
  onProblem: (problem: string) => void,
): Environment {
  const read: Record<string, string> = {};
  for (const [fileSetting, name] of files) {
    const path = environment[fileSetting];
    if (!path) continue;
    if (environment[name]) onProblem(`${fileSetting} and ${name} are both set: set one`);
    try {
      read[name] = readSecretFile(fileSetting, path);
    } catch (error) {
      onProblem((error as Error).message);
    }
  }
  const rest = Object.entries(environment).filter(([name]) => !files.has(name));
  return { ...Object.fromEntries(rest), ...read };
}

/** Secrets that stand in files, as Kubernetes mounts them. They are read when they are needed, so that a rotated one counts. */

/** Its text without white space around it. The error names the setting and the file, never what is in it. */
export function readSecretFile(setting: string, path: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8").trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`${setting} names ${path}, which cannot be read (${code}): mount the secret there`);
  }
  if (text === "") throw new Error(`${setting} names ${path}, which is empty: write the secret into it`);
  return text;
}
