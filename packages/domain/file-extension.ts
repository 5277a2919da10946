/** The usual extension of a file of this type, without its dot. */
export function extensionOf(contentType: string): string {
  return contentType === "image/jpeg" ? "jpg" : contentType.replace(/^image\//, "");
}
