/**
 * What a result keeps of its photo's EXIF, IPTC and XMP: texts and numbers of known fields. The blocks themselves are never copied:
 * they may hold a preview of the photo as it was, and anything that a client has put there.
 */

import type { MetadataKind } from "@packshot/domain/edits/export.ts";
import { clipText } from "@packshot/domain/errors.ts";
import sharp, { type Exif } from "sharp";
import { type ExifFields, exifToWrite, readExif } from "./read-exif.ts";
import { readIptc } from "./read-iptc.ts";
import { type PictureWords, readXmp, withoutEmpty } from "./xmp.ts";

export interface KeptMetadata {
  readonly words: PictureWords;
  /** Absent where there is nothing to keep. */
  readonly exif?: Exif;
  /** Pixels per inch; absent where the photo's EXIF states none. */
  readonly dpi?: number;
}

/** A hundred creators would make the EXIF larger than a segment of a JPEG, and all of it would be lost. The XMP has them. */
const textCharactersMax = 2_000;

/** A block that is larger holds other things than words. */
export const metadataBlockBytesMax = 1 << 20;

export const metadataBlocks = ["exif", "iptc", "xmp"] as const;
/** As the photo has them; those that are absent or too large are left out. */
export type MetadataBlocks = Readonly<Partial<Record<(typeof metadataBlocks)[number], Buffer>>>;

/** A photo whose metadata cannot be read has none. */
export async function readMetadataBlocks(source: Uint8Array): Promise<MetadataBlocks> {
  const opened = sharp(source, { failOn: "none", limitInputPixels: false });
  const found = await opened.metadata().catch(() => ({}) as MetadataBlocks);
  const readable = metadataBlocks.flatMap((name) => {
    const block = found[name];
    return block === undefined || block.length > metadataBlockBytesMax ? [] : [[name, block] as const];
  });
  return Object.fromEntries(readable);
}

export async function readKeptMetadata(
  source: Uint8Array,
  kind: MetadataKind,
  read: typeof readMetadataBlocks = readMetadataBlocks,
): Promise<KeptMetadata> {
  if (kind === "none") return { words: {} };
  const { exif, iptc, xmp } = await read(source);
  const fields = exif === undefined ? undefined : readExif(exif);
  const words: PictureWords = {
    ...wordsOf(fields),
    ...(iptc === undefined ? {} : readIptc(iptc)),
    ...(xmp === undefined ? {} : readXmp(xmp.toString("utf8"))),
  };
  const kept = kind === "all" ? words : rightsOf(words);
  const written = exifToWrite(keptFields(fields, kept, kind));
  if (Object.keys(written).length === 0) return { words: kept };
  return { words: kept, exif: written, ...(fields?.dpi === undefined ? {} : { dpi: fields.dpi }) };
}

function wordsOf(fields: ExifFields | undefined): PictureWords {
  const { Artist, Copyright, ImageDescription } = fields?.image ?? {};
  return withoutEmpty({
    creators: Artist === undefined ? undefined : [Artist],
    rights: Copyright,
    description: ImageDescription,
  });
}

function rightsOf({ creators, rights, credit, usageTerms, rightsPage }: PictureWords): PictureWords {
  return withoutEmpty({ creators, rights, credit, usageTerms, rightsPage });
}

/** Creator and rights as the words have them, which may come from another block. */
function keptFields(
  fields: ExifFields | undefined,
  { creators, rights }: PictureWords,
  kind: MetadataKind,
): ExifFields {
  const known = kind === "all" ? fields : undefined;
  const image = {
    ...known?.image,
    ...(creators === undefined ? {} : { Artist: clipText(creators.join("; "), textCharactersMax) }),
    ...(rights === undefined ? {} : { Copyright: rights }),
  };
  return { image, exposure: known?.exposure ?? {}, place: known?.place ?? {} };
}
