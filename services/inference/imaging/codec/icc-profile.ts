/**
 * Which ICC profiles are handed on as they are: RGB profiles of three primaries and three curves, as those of cameras, screens and
 * editors are. Their structure is checked here, because libvips reads them again wherever an image is converted or encoded, outside
 * of the cage that decodes. Tables of many dimensions, with which a reader has the most to do, are not among them.
 *
 * Sections are those of ICC.1:2022.
 */

const headerBytes = 128;
const tagBytes = 12;
const tagsMax = 64;
/** Profiles of primaries and curves have 0.5 to 5 KB, with names in forty languages, as of screens, 25. */
export const profileBytesMax = 128 * 1024;
/** More entries than any curve of 16 bits can need. */
const curveEntriesMax = 4_096;
/** Parameters of each type of parametric curve (10.18). */
const parametersOf = [1, 3, 4, 5, 7];

const deviceClasses = ["mntr", "scnr", "spac"];
const primaries = ["rXYZ", "gXYZ", "bXYZ"];
const curves = ["rTRC", "gTRC", "bTRC"];
/** What converts by tables instead, in either direction (9.2). */
const tables = /^(?:[ABDM]2[ABDM]\d|gamt|pre\d)$/;

type Tags = ReadonlyMap<string, Buffer>;

/** Whether the profile's header, tags and curves are whole and of the plain kind. */
export function isPlainProfile(bytes: Uint8Array): boolean {
  const profile = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (profile.length > profileBytesMax || !hasPlainHeader(profile)) return false;
  const tags = readTags(profile);
  return (
    tags !== undefined &&
    [...tags.keys()].every((name) => !tables.test(name)) &&
    [...primaries, "wtpt"].every((name) => isTriple(tags.get(name))) &&
    curves.every((name) => isCurve(tags.get(name))) &&
    isAdaptation(tags.get("chad"))
  );
}

/** Section 7.2. */
function hasPlainHeader(profile: Buffer): boolean {
  if (profile.length < headerBytes + 4 || profile.readUInt32BE(0) !== profile.length) return false;
  const [version] = profile.subarray(8);
  const fields = [12, 16, 20, 36].map((at) => profile.toString("latin1", at, at + 4));
  const [deviceClass, colors, connection, signature] = fields;
  return (
    (version === 2 || version === 4) &&
    deviceClasses.includes(deviceClass!) &&
    colors === "RGB " &&
    connection === "XYZ " &&
    signature === "acsp"
  );
}

/** Section 7.3. @returns undefined where a tag is twice there, or not within the profile */
function readTags(profile: Buffer): Tags | undefined {
  const count = profile.readUInt32BE(headerBytes);
  const end = headerBytes + 4 + tagBytes * count;
  if (count > tagsMax || end > profile.length) return undefined;
  const tags = new Map<string, Buffer>();
  for (let at = headerBytes + 4; at < end; at += tagBytes) {
    const name = profile.toString("latin1", at, at + 4);
    const offset = profile.readUInt32BE(at + 4);
    const size = profile.readUInt32BE(at + 8);
    if (tags.has(name) || offset < end || size < 8 || offset + size > profile.length) return undefined;
    tags.set(name, profile.subarray(offset, offset + size));
  }
  return tags;
}

const typeOf = (tag: Buffer) => tag.toString("latin1", 0, 4);

function isTriple(tag: Buffer | undefined): boolean {
  return tag !== undefined && typeOf(tag) === "XYZ " && tag.length === 20;
}

function isCurve(tag: Buffer | undefined): boolean {
  if (tag === undefined || tag.length < 12) return false;
  if (typeOf(tag) === "curv") {
    const entries = tag.readUInt32BE(8);
    return entries <= curveEntriesMax && 12 + 2 * entries <= tag.length;
  }
  if (typeOf(tag) !== "para") return false;
  const parameters = parametersOf[tag.readUInt16BE(8)];
  return parameters !== undefined && 12 + 4 * parameters <= tag.length;
}

/** To another white; most profiles have none. */
function isAdaptation(tag: Buffer | undefined): boolean {
  return tag === undefined || (typeOf(tag) === "sf32" && tag.length === 8 + 9 * 4);
}
