/** The layers of an image as the archives that they are, to compare two builds of a commit. */
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { diskFolder } from "../disk-folder.ts";
import type { Engine } from "./engine.ts";

export interface Layer {
  /** SHA-256 of its archive but for times. */
  readonly content: string;
  /** The times of its files, each once, in seconds since the epoch. */
  readonly times: readonly number[];
  /** The time that the image names for it, in the same unit. */
  readonly madeAt: number;
}

const blockBytes = 512;
/** Where a header of an archive (POSIX ustar) has its numbers, which are octal, and the kind of its entry. */
const field = { size: [124, 136], time: [136, 148], sum: [148, 156], kind: 156 } as const;
/** Kinds of entries that say more of the next one, and are no files. */
const extensions = "xgLK";
/** Records of an extension that are times. */
const timeRecords = /^\d+ (?:mtime|atime|ctime)=.*\n/gm;

function readArchive(path: string): Omit<Layer, "madeAt"> {
  const archive = readFileSync(path);
  const hash = createHash("sha256");
  const times = new Set<number>();
  for (let at = 0; at < archive.length; ) {
    const header = archive.subarray(at, at + blockBytes);
    const number = ([from, to]: readonly [number, number]) => {
      const value = Number.parseInt(header.toString("latin1", from, to), 8);
      if (Number.isNaN(value)) throw new Error(`${path} is no archive that this test reads, at byte ${at}`);
      return value;
    };
    // Zeros end an archive.
    const size = header[0] === 0 ? 0 : number(field.size);
    const body = archive.subarray(at + blockBytes, at + blockBytes + size);
    const kind = String.fromCharCode(header[field.kind]!);
    const isFile = header[0] !== 0 && !extensions.includes(kind);
    if (isFile) times.add(number(field.time));
    hash.update(header.subarray(0, field.time[0])).update(header.subarray(field.sum[1]));
    hash.update(kind === "x" ? body.toString("latin1").replace(timeRecords, "") : body);
    at += blockBytes + Math.ceil(size / blockBytes) * blockBytes;
  }
  return { content: hash.digest("hex"), times: [...times] };
}

/** The base's first. */
export async function layersOf(engine: Engine, image: string): Promise<readonly Layer[]> {
  const history = await engine.podman(["image", "inspect", image, "--format", "{{json .History}}"]);
  const madeAt = (JSON.parse(history) as { created: string; empty_layer?: boolean }[])
    .filter(({ empty_layer: isEmpty }) => isEmpty !== true)
    .map(({ created }) => Date.parse(created) / 1000);
  const folder = mkdtempSync(join(diskFolder, "packshot-layers-"));
  try {
    await engine.podman(["save", "--quiet", "--format", "docker-dir", "--output", folder, image]);
    const { layers } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as {
      readonly layers: readonly { readonly digest: string }[];
    };
    return layers.map(({ digest }, n) => ({
      ...readArchive(join(folder, digest.replace("sha256:", ""))),
      madeAt: madeAt[n]!,
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
