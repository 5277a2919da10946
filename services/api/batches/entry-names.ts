/** Names of a batch's results as files: safe on every system, whatever a client's refs are. */

/** Of most file systems' 255 bytes, without the number and the extension. */
const nameBytesMax = 180;
/** Names that Windows keeps for devices. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
const extensions: Readonly<Record<string, string>> = { "image/jpeg": "jpg", "image/svg+xml": "svg" };

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
      const [name, extension] = [safeName(ref), extensionOf(contentType)];
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

function keyOf(name: string, extension: string): string {
  return `${name}.${extension}`.toLowerCase();
}

function safeName(ref: string): string {
  const plain = ref
    .normalize("NFC")
    .toWellFormed()
    .replaceAll(/[^\p{L}\p{M}\p{N} ._()+=@,-]/gu, "_")
    .trim();
  const name = firstBytes(plain, nameBytesMax).replace(/^[. ]+|[. ]+$/g, "");
  return name === "" ? "_" : reserved.test(name) ? `_${name}` : name;
}

/** As many whole characters as fit. Shortened by one at a time, a thousand names of 195 characters took half a second. */
function firstBytes(text: string, bytesMax: number): string {
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(bytesMax)).read);
}

function extensionOf(contentType: string): string {
  const known = extensions[contentType] ?? contentType.replace(/^image\//, "");
  return /^[a-z0-9]{1,10}$/.test(known) ? known : "bin";
}
