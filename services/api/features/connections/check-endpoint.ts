import { PackshotError } from "@packshot/domain/errors.ts";
import { type BucketAddress, bucketUrl } from "@packshot/platform/buckets/bucket-signer.ts";
import { type AllowList, checkTarget, literalAddress } from "@packshot/platform/outbound/address-guard.ts";

/** What the address tells before anything is called, and whether the prefix is a folder. Throws `invalid_request`. */
export function checkEndpoint(address: BucketAddress, allow: AllowList): void {
  checkTarget(address.endpoint, { allow, purpose: "bucket" });
  const { hostname, search, hash } = new URL(address.endpoint);
  if (search !== "" || hash !== "") throw invalid("endpoint", "must not have a query or a fragment.");
  const folders = address.prefix.split("/").slice(0, -1);
  if (folders.some((folder) => ["", ".", ".."].includes(folder))) {
    throw invalid("prefix", 'must not have empty parts, "." or "..".');
  }
  if (address.forcePathStyle) return;
  if (literalAddress(hostname) !== undefined) {
    throw invalid("forcePathStyle", "must be true where the endpoint is an address without a name.");
  }
  checkTarget(bucketUrl(address), { allow, purpose: "bucket" });
}

function invalid(field: string, problem: string): PackshotError {
  return new PackshotError("invalid_request", `"${field}" ${problem}`, { details: { field } });
}
