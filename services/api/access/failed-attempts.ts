/**
 * Limits failed authentications per client address, so that made-up keys cost the log at most this many reads a minute
 * from one address. Each process counts alone, in memory, and forgets an address after a minute.
 */
import { isIPv6 } from "node:net";
import { PackshotError } from "@packshot/domain/errors.ts";
import { RateLimiterMemory } from "rate-limiter-flexible";

const windowSeconds = 60;

export interface FailedAttempts {
  /** Throws `rate_limit_exceeded` while the address has failed as often as it may. */
  assertAllowed(address: string): Promise<void>;
  record(address: string): Promise<void>;
}

export function createFailedAttempts({ perMinuteMax }: { perMinuteMax: number }): FailedAttempts {
  const failures = new RateLimiterMemory({ points: perMinuteMax, duration: windowSeconds });
  return {
    async assertAllowed(address) {
      const known = await failures.get(networkOf(address));
      if (known === null || known.consumedPoints < perMinuteMax) return;
      const retryAfterSeconds = Math.max(1, Math.ceil(known.msBeforeNext / 1000));
      throw new PackshotError(
        "rate_limit_exceeded",
        `Too many failed authentications from your address; try again in ${retryAfterSeconds} s.`,
        { retryAfterSeconds },
      );
    },
    async record(address) {
      await failures.penalty(networkOf(address), 1);
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
