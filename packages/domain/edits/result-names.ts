/** Names of results that follow from the photos' own paths: the one rule of `packshot sync` and of the GitHub Action. */
import { hashText } from "../random.ts";

export interface NamedPhoto {
  /** Below the folder or prefix that was given. */
  readonly below: string;
  /** No other photo has it. Absent: `below` is no other one's either. */
  readonly path?: string;
}

const fileExtension = /\.([^./\\]+)$/;

/**
 * Results' paths, without an extension, in the order of the photos. Alone of its name, `mug.jpg` makes `mug`; beside `mug.webp`,
 * `mug-jpg`; beside the `mug.jpg` of another folder, `folder/mug-jpg`; and where another photo has even that name, a hash of the
 * path follows. A name never follows from an order, which a further photo would change.
 *
 * Each photo has names that it would take, the best first. Round after round the photos without a name propose their next one, and those
 * get it of whom no other proposes it and nobody has it. So no two photos have one name. Names that differ by capitals count as one,
 * because some places take them for one.
 *
 * @throws RangeError when two photos have one path: they would propose the same names for ever
 */
export function namesOfResults(photos: readonly NamedPhoto[]): string[] {
  const names = new Array<string>(photos.length);
  const given = new Set<string>();
  const paths = new Set(photos.map(({ below, path = below }) => path));
  if (paths.size < photos.length) throw new RangeError("two photos have the same path");
  let unnamed = photos.map((_, index) => index);
  for (let round = 0; unnamed.length > 0; round += 1) {
    const proposed = unnamed.map((index) => nameAt(round, photos[index]!));
    const counts = countOf(proposed.map(keyOf));
    const isGranted = proposed.map((name) => counts.get(keyOf(name)) === 1 && !given.has(keyOf(name)));
    for (const [at, index] of unnamed.entries()) {
      if (!isGranted[at]) continue;
      names[index] = proposed[at]!;
      given.add(keyOf(proposed[at]!));
    }
    unnamed = unnamed.filter((_, at) => !isGranted[at]);
  }
  return names;
}

function nameAt(round: number, { below, path = below }: NamedPhoto): string {
  if (round === 0) return below.replace(fileExtension, "");
  if (round === 1) return withExtension(below);
  const whole = withExtension(
    path
      .split("/")
      .filter((part) => part !== "..")
      .join("/"),
  );
  return round === 2 ? whole : `${whole}~${hashText(`${round} ${path}`).toString(16).padStart(8, "0")}`;
}

function withExtension(path: string): string {
  return path.replace(fileExtension, "-$1");
}

function keyOf(name: string): string {
  return name.toLowerCase();
}

function countOf(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
