/** Secrets that stand in files, as Kubernetes mounts them. They are read when they are needed, so that a rotated one counts. */
import { readFileSync } from "node:fs";

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
