/** SHA256SUMS, as sha256sum writes and checks it. */
import { createHash } from "node:crypto";
import { createReadStream, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { CommandError } from "../command-line/command.ts";

const sumsName = "SHA256SUMS";

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .filter((name) => name !== sumsName)
    .toSorted();
}

export async function writeChecksums(folder: string): Promise<void> {
  const lines: string[] = [];
  for (const name of filesIn(folder)) lines.push(`${await hashFile(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, sumsName), lines.join(""));
}

/** @returns the names of all files; throws a CommandError for one that is missing, damaged, or not listed */
export async function verifyChecksums(folder: string): Promise<readonly string[]> {
  const sums = join(folder, sumsName);
  if (!existsSync(sums)) throw new CommandError(`${folder} is no bundle: it has no ${sumsName}.`);
  const hashes = new Map<string, string>();
  for (const line of readFileSync(sums, "utf8").split("\n")) {
    const [, hash, name] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
    if (hash !== undefined && name !== undefined) hashes.set(name, hash);
  }
  const names = filesIn(folder);
  const strange = names.find((name) => !hashes.has(name));
  if (strange !== undefined) throw new CommandError(`${strange} is not of the bundle: ${sumsName} does not list it.`);
  for (const [name, hash] of hashes) {
    if (!names.includes(name)) throw new CommandError(`${name} is missing: copy the bundle anew.`);
    if ((await hashFile(join(folder, name))) !== hash)
      throw new CommandError(`${name} is damaged: its SHA-256 is not that of ${sumsName}. Copy the bundle anew.`);
  }
  return names;
}
