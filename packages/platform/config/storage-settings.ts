/** Settings of the storage: a folder on disk, or a bucket of S3. */
import { flag, integer, oneOf, optionalText, optionalWebAddress, type Row, text } from "./setting-rows.ts";

const prefixShape = /^[a-z0-9][a-zA-Z0-9._-]*(\/[a-zA-Z0-9][a-zA-Z0-9._-]*)*$/;

/** Empty, or ends with "/". */
function keyPrefix(doc: string): Row<string> {
  return {
    default: "",
    doc,
    parse(value) {
      const prefix = value.replace(/^\/+|\/+$/g, "");
      if (prefix === "") return "";
      if (!prefixShape.test(prefix) || prefix.includes("..")) throw new Error("must be like shop or shop/photos");
      return `${prefix}/`;
    },
  };
}

export const storageSettings = {
  PACKSHOT_STORAGE: oneOf("disk", ["disk", "s3"], "Where files are kept: `disk`, or `s3` for a bucket."),
  PACKSHOT_STORAGE_DIR: text("./data/storage", "Folder of the disk storage."),
  PACKSHOT_STORAGE_FREE_BYTES_MIN: integer(
    1024 ** 3,
    0,
    Number.MAX_SAFE_INTEGER,
    "Free space that the disk storage keeps for results: below it uploads, files in forms and prefetches are refused with `unavailable`. 0 refuses none.",
  ),
  PACKSHOT_S3_BUCKET: optionalText(
    "Bucket of the storage on S3; needed there. The access key comes from `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, or from wherever else the AWS SDK finds one. Links end when a temporary key ends, so give one that lasts.",
  ),
  PACKSHOT_S3_REGION: text("us-east-1", "Region of the bucket."),
  PACKSHOT_S3_ENDPOINT: optionalWebAddress(
    "Address of an S3 server, for the service's own requests; absent, Amazon's of the region.",
  ),
  PACKSHOT_S3_PUBLIC_ENDPOINT: optionalWebAddress(
    "How clients reach that server: upload and result links are built on it; absent, as the service does.",
  ),
  PACKSHOT_S3_FORCE_PATH_STYLE: flag(
    false,
    "The bucket's name stands in the path of addresses and not in the host's name, as most servers other than Amazon's want it.",
  ),
  PACKSHOT_S3_PREFIX: keyPrefix("Begins the key of every file, so that a bucket can have other contents beside."),
} as const;
