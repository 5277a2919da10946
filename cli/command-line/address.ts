/** Addresses as they may be shown. A query may sign the address, and whoever reads a log or a terminal could use it. */

/** `https://shop.example/mug.jpg?…`: without user, password, query and fragment. What is no address is cut at its query. */
export function withoutQuery(address: string): string {
  const url = URL.parse(address);
  // The key of an object may have a question mark, and an s3:// address has no secret.
  if (url?.protocol === "s3:") return address;
  const query = /[?#]/.test(address) ? "?…" : "";
  if (url !== null && query === "" && url.username === "" && url.password === "") return address;
  if (url === null) return `${address.replace(/[?#].*$/s, "")}${query}`;
  return `${url.protocol}//${url.host}${url.pathname}${query}`;
}
