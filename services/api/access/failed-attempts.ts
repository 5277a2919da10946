/**
 * Limits failed authentications per client address, so that made-up keys cost the log at most this many reads a minute
 * from one address. An address is forgotten after a minute.
 */
import { isIPv6 } from "node:net";
import { PackshotError } from "@packshot/domain/errors.ts";
import type { WindowCounts } from "@packshot/platform/redis/window-counts.ts";

const windowSeconds = 60;

export interface FailedAttempts {
  /** Throws `rate_limit_exceeded` while the address has failed as often as it may. */
  assertAllowed(address: string): Promise<void>;
  record(address: string): Promise<void>;
}

export interface FailedAttemptsDeps {
  readonly counts: WindowCounts;
  /** Keeps the counts of several kinds of tokens apart. */
  readonly name: string;
  readonly perMinuteMax: number;
}

export function createFailedAttempts({ counts, name, perMinuteMax }: FailedAttemptsDeps): FailedAttempts {
  const keyOf = (address: string) => `${name}:${networkOf(address)}`;
  return {
    async assertAllowed(address) {
      const { total, endsInMs } = await counts.add(keyOf(address), 0, windowSeconds);
      if (total < perMinuteMax) return;
      const retryAfterSeconds = Math.max(1, Math.ceil(endsInMs / 1000));
      throw new PackshotError(
        "rate_limit_exceeded",
        `Too many failed authentications from your address; try again in ${retryAfterSeconds} s.`,
        { retryAfterSeconds },
      );
    },
    async record(address) {
      await counts.add(keyOf(address), 1, windowSeconds);
    },
  };
}

/** One host may use every address of its IPv6 network of 64 bits, so those count as one. */
function networkOf(address: string): string {
  const [, ipv4] = /^::ffff:([\d.]+)$/i.exec(address) ?? [];
  if (ipv4 !== undefined) return ipv4;
  if (!isIPv6(address)) return address;
  const [head = "", tail = ""] = address.split("::");
  const [start, end] = [head, tail].map((part) => part.split(":").filter(Boolean));
  const zeros = Array<string>(8 - start!.length - end!.length).fill("0");
  return [...start!, ...zeros, ...end!].slice(0, 4).join(":");
}
