/** What is to be edited: a file of this machine, or an address that the service fetches. */
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { withoutQuery } from "../command-line/address.ts";

export type Photo = PhotoFile | PhotoAddress;

interface PhotoName {
  /** As it was given, for people; an address without its query. */
  readonly name: string;
  /** The file's name, which goes with the edit as metadata. */
  readonly label: string;
  /** The result's path, below the folder of results and without an extension. */
  readonly resultName: string;
  /** The same in each run: an absolute path, or the address, with a hash in place of its query. */
  readonly id: string;
  /** Another one where the photo has changed. */
  readonly fingerprint: string;
}

export interface PhotoFile extends PhotoName {
  readonly kind: "file";
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

interface PhotoAddress extends PhotoName {
  readonly kind: "address";
  readonly address: string;
}

const extensions = /\.(jpe?g|png|webp|avif|tiff?|gif|heic|heif)$/i;

export function isPhotoName(name: string): boolean {
  return extensions.test(name) && !name.startsWith(".");
}

export function photoFile(file: {
  readonly name: string;
  readonly path: string;
  /** Below the folder that was given. */
  readonly relativePath: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}): PhotoFile {
  return {
    kind: "file",
    name: file.name,
    label: basename(file.path),
    path: file.path,
    bytes: file.bytes,
    modifiedMs: file.modifiedMs,
    id: file.path,
    fingerprint: `${file.path} ${file.bytes} ${Math.floor(file.modifiedMs)}`,
    resultName: withoutExtension(file.relativePath),
  };
}

export function photoAddress(address: string): PhotoAddress {
  const label = decodeURIComponentOr(new URL(address).pathname.split("/").at(-1) ?? "") || "photo";
  // A name must not lead out of the folder, or be hidden there.
  const plain = withoutExtension(label)
    .replaceAll(/[/\\\0]/g, "_")
    .replace(/^\.+/, "");
  const id = addressId(address);
  const names = { name: withoutQuery(address), label, id, fingerprint: id, resultName: plain || "photo" };
  return { kind: "address", address, ...names };
}

/**
 * Identifies an address. The query may sign the address, so that only its hash is
 * written; it may also be what tells two photos apart.
 */
function addressId(address: string): string {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return address;
  if ([url.search, url.hash, url.username, url.password].every((part) => part === "")) return address;
  const place = `${url.protocol}//${url.host}${url.pathname}`;
  const hash = createHash("sha256").update(`${url.search}${url.hash}`).digest("hex");
  return `${place}?sha256=${hash.slice(0, 16)}`;
}

function withoutExtension(path: string): string {
  return path.replace(/\.[^./\\]+$/, "");
}

function decodeURIComponentOr(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
