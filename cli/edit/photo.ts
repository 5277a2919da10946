/** What is to be edited: a file of this machine, or an address that the service fetches. */
export type Photo = PhotoFile | PhotoAddress;

interface PhotoName {
  /** As it was given, for people. */
  readonly name: string;
  /** Of the result, below the folder of results and without an extension. */
  readonly resultName: string;
  /** The same in each run: an absolute path, or the address. */
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
    path: file.path,
    bytes: file.bytes,
    modifiedMs: file.modifiedMs,
    id: file.path,
    fingerprint: `${file.path} ${file.bytes} ${Math.floor(file.modifiedMs)}`,
    resultName: withoutExtension(file.relativePath),
  };
}

export function photoAddress(address: string): PhotoAddress {
  const last = decodeURIComponentOr(new URL(address).pathname.split("/").at(-1) ?? "");
  // A name must not lead out of the folder, or be hidden there.
  const plain = withoutExtension(last)
    .replaceAll(/[/\\\0]/g, "_")
    .replace(/^\.+/, "");
  return { kind: "address", name: address, address, id: address, fingerprint: address, resultName: plain || "photo" };
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
