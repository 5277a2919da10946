/** The rows of a batch: a file of them, or a row for each address. */
import { openAsBlob } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { withoutQuery } from "../command-line/address.ts";
import { CommandError } from "../command-line/command.ts";

export interface Rows {
  readonly file: Blob;
  readonly format: "csv" | "ndjson";
}

const formats: Readonly<Record<string, Rows["format"]>> = { ".csv": "csv", ".ndjson": "ndjson", ".jsonl": "ndjson" };
const isAddress = (line: string) => /^(https?|s3):\/\//i.test(line);
const refLengthMax = 200;

/** Throws a CommandError for what has no rows. */
export async function readRows(given: readonly string[], cwd: string, stdin: NodeJS.ReadableStream): Promise<Rows> {
  const [first, ...others] = given;
  if (first === undefined) throw new CommandError('name the rows: "packshot batches create rows.csv".');
  const format = isAddress(first) ? undefined : formats[extname(first).toLowerCase()];
  if (format !== undefined) {
    if (others.length > 0) throw new CommandError(`a batch has one file of rows, not also ${others.join(", ")}.`);
    await refuseNoFile(first, cwd);
    return { file: await openAsBlob(resolve(cwd, first)), format };
  }
  const lists = given.map(async (name) => (isAddress(name) ? [name] : await addressesOf(name, cwd, stdin)));
  const addresses = (await Promise.all(lists)).flat();
  if (addresses.length === 0) throw new CommandError(`there are no addresses in ${given.join(", ")}.`);
  const refOf = createRefs();
  const rows = addresses.map((imageUrl) => `${JSON.stringify({ ref: refOf(imageUrl), imageUrl })}\n`);
  return { file: new Blob(rows), format: "ndjson" };
}

async function refuseNoFile(name: string, cwd: string): Promise<void> {
  const found = await stat(resolve(cwd, name)).catch(() => undefined);
  if (found === undefined) throw new CommandError(`there is no file "${name}".`);
  if (found.isDirectory())
    throw new CommandError(`"${name}" is a folder: "packshot edit ${name}" edits photos of this machine.`);
}

async function addressesOf(name: string, cwd: string, stdin: NodeJS.ReadableStream): Promise<string[]> {
  if (name !== "-") await refuseNoFile(name, cwd);
  const lines = (name === "-" ? await text(stdin) : await readFile(resolve(cwd, name), "utf8")).split(/\r?\n/);
  return lines.flatMap((line, index) => {
    const address = line.trim();
    if (address === "" || address.startsWith("#")) return [];
    if (isAddress(address)) return [address];
    const where = name === "-" ? "stdin" : name;
    throw new CommandError(`line ${index + 1} of ${where} is no address: "${withoutQuery(address).slice(0, 60)}".`);
  });
}

/** The address's last part, by which the shop knows the photo; a second one of that name gets a number. */
function createRefs(): (address: string) => string {
  const seen = new Map<string, number>();
  return (address) => {
    const path = address.replace(/[?#].*$/, "").replace(/\/+$/, "");
    const name = [...decoded(path.slice(path.lastIndexOf("/") + 1))].slice(-refLengthMax + 10).join("");
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name}-${count}`;
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
