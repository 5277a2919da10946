import { PackshotError } from "@packshot/domain/errors.ts";
import { LogRefused } from "@packshot/log/nats/errors.ts";
import { StorageFault, StorageTimeout } from "@packshot/platform/storage/storage-fault.ts";
import { expect, test } from "vitest";
import { toInfrastructureFault } from "./infrastructure-fault.ts";

const coded = (code: string) => Object.assign(new Error("raised"), { code });
const refused = new LogRefused("finish", { err_code: 10023, description: "insufficient resources" });

function allocationFailure(): unknown {
  try {
    return new ArrayBuffer(2 ** 52);
  } catch (error) {
    return error;
  }
}

test.each([
  ["a full disk", coded("ENOSPC"), "storage", true],
  ["a full disk below another error", new Error("not stored", { cause: coded("EDQUOT") }), "storage", true],
  ["a file that cannot be read", coded("EIO"), "storage", false],
  ["an object storage that is away", new StorageFault("", { isCertain: true, code: "SlowDown" }), "storage", true],
  ["one that refuses a file", new StorageFault("", { isCertain: false, code: "InvalidRequest" }), "storage", false],
  [
    "one out of reach below another error",
    new PackshotError("unavailable", "", { cause: new StorageFault("", { isCertain: true, code: "ECONNREFUSED" }) }),
    "storage",
    true,
  ],
  ["a storage that does not answer", new StorageTimeout("read", 1), "storage", false],
  [
    "no file descriptor for a source",
    new PackshotError("source_unreachable", "", { cause: coded("EMFILE") }),
    "storage",
    true,
  ],
  ["a log that refuses", refused, "log", true],
  ["a log that was tried for long enough", new PackshotError("unavailable", "", { cause: refused }), "log", true],
  ["a thread that found no memory to start", coded("ERR_WORKER_INIT_FAILED"), "memory", true],
  ["a decoder that does not start", coded("ERR_DECODER_START"), "decoder", true],
  ["a decoder that somebody has killed", coded("ERR_DECODER_LOST"), "decoder", false],
  ["an allocation that failed", allocationFailure(), "memory", false],
])("%s is a fault of the infrastructure", (_what, error, part, isCertain) => {
  expect(toInfrastructureFault(error)).toEqual({ part, isCertain });
});

test.each([
  ["a damaged photo", new PackshotError("image_unreadable", "", { cause: new Error("bad marker") })],
  ["a source that resets", new PackshotError("source_unreachable", "", { cause: coded("EPERM") })],
  ["an error of the code", new TypeError("x is undefined")],
  ["an impossible size", new RangeError("Invalid typed array length: -1")],
  ["no error", undefined],
])("%s is none", (_what, error) => {
  expect(toInfrastructureFault(error)).toBeUndefined();
});
