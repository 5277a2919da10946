/** Names of a batch's results as files: safe on every system, whatever a client's refs are. */
import { extensionOf } from "@packshot/domain/file-extension.ts";

/** Most file systems take 255 bytes; the rest is for the number and the extension. */
const nameBytesMax = 180;
/** Names that Windows keeps for devices. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** No folder, no dot at its ends, nothing that a shell or a file system takes for more than a letter. */
export function entryName(ref: string, contentType: string): string {
  return `${safeName(ref)}.${extensionOf(contentType)}`;
}

export interface EntryNames {
  /** As `entryName`; one that was given before gets a number: `K-17 (2).png`. */
  next(ref: string, contentType: string): string;
}

/** Two names that differ by case only are one on many systems. */
export function createEntryNames(): EntryNames {
  const used = new Map<string, number>();
  return {
    next(ref, contentType) {
      const name = safeName(ref);
      const extension = extensionOf(contentType);
      for (let number = (used.get(keyOf(name, extension)) ?? 0) + 1; ; number++) {
        const numbered = number === 1 ? name : `${name} (${number})`;
        if (number > 1 && used.has(keyOf(numbered, extension))) continue;
        used.set(keyOf(name, extension), number);
        used.set(keyOf(numbered, extension), used.get(keyOf(numbered, extension)) ?? 1);
        return `${numbered}.${extension}`;
      }
    },
  };
}

/** HFS+ passes over what is not seen: without it two names are one there. */
function keyOf(name: string, extension: string): string {
  return `${name.replaceAll(/\u200c|\u200d|\ufe0e|\ufe0f/g, "")}.${extension}`.toLowerCase();
}

/**
 * Letters, numbers, emoji and most signs of every script stay. These are replaced: what a shell or a file system takes for more
 * than a letter, what is not seen or turns the direction of the text, and what old Windows code pages make "/" or "\\" of. A
 * joiner stays where it shapes what is seen, between letters and in an emoji, and tags where they make a black flag another.
 */
const unsafe = new RegExp(
  [
    String.raw`(\u{1f3f4}[\u{e0061}-\u{e007a}]{2,6}\u{e007f})`,
    String.raw`(?<![\p{L}\p{M}\p{Emoji}])[\u200c\u200d]`,
    String.raw`[\u200c\u200d](?![\p{L}\p{M}\p{Extended_Pictographic}])`,
    String.raw`[^\p{L}\p{M}\p{N}\p{S}\p{P}\p{Zs}\u200c\u200d]`,
    String.raw`[\p{ASCII}--[\p{L}\p{N} ._\(\)+=@,\-]]`,
    String.raw`[¥₩\u2044\u2215\u2216\u29f5\u29f8\u29f9\ufe68\uff0f\uff3c\uffe5\uffe6\ufffd]`,
  ].join("|"),
  "gv",
);
const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

function safeName(ref: string): string {
  const plain = ref.normalize("NFC").toWellFormed();
  const safe = plain.replaceAll(unsafe, (_, flag: string | undefined) => flag ?? "_");
  const name = cut(safe.trim()).replaceAll(/^[. ]+|[. ]+$/g, "");
  return name === "" ? "_" : reserved.test(name) ? `_${name}` : name;
}

/**
 * Whole graphemes, so that no emoji and no letter is cut in two; one letter with hundreds of marks is cut between those. Each
 * character is looked at once: shortened by one at a time, a thousand names of 195 characters took half a second.
 */
function cut(name: string): string {
  const { read } = new TextEncoder().encodeInto(name, new Uint8Array(nameBytesMax));
  const first = graphemes.segment(name).containing(read)?.index ?? read;
  return name.slice(0, first > 0 ? first : read);
}
