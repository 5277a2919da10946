/** Where the extension is not the end of the content type. */
const extensions: Readonly<Record<string, string>> = { "image/jpeg": "jpg", "image/svg+xml": "svg" };

/** Extensions of the formats that a result can have. */
export const resultExtensions = ["png", "jpg", "webp", "avif"] as const;

/** The usual extension of a file of this type, without its dot; `bin` for a type that has none of a few letters. */
export function extensionOf(contentType: string): string {
  const type = contentType.split(";")[0]!.trim();
  const extension = Object.hasOwn(extensions, type) ? extensions[type]! : type.replace(/^image\//, "");
  return /^[a-z0-9]{1,10}$/.test(extension) ? extension : "bin";
}

/** The type of a result, from its name's extension, which begins with a dot. */
export function contentTypeOfExtension(extension: string): string {
  return `image/${extension === ".jpg" ? "jpeg" : extension.slice(1)}`;
}
