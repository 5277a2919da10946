/**
 * An undici agent that connects to checked addresses only. The connecting socket's own lookup does the check, so the
 * checked address is the one connected to, and DNS rebinding is useless.
 */
import type { LookupFunction } from "node:net";
import { PackshotError } from "@packshot/domain/errors.ts";
import { Agent, buildConnector } from "undici";
import { type AllowList, isPublicAddress, literalAddress } from "./address-guard.ts";
import { createHostResolver, type HostResolver } from "./host-resolver.ts";

const systemResolver = createHostResolver();

export interface GuardedAgentDeps {
  readonly allow: AllowList;
  readonly connectTimeoutMs: number;
  /** Open connections per origin. */
  readonly connectionsMax: number;
  /** For tests: replaces the system's resolver. */
  readonly resolver?: HostResolver;
  /** For tests with a certificate of their own. */
  readonly certificateAuthority?: string;
}

/** Requests to a forbidden address fail with PackshotError `source_forbidden`. Redirects are not followed. */
export function createGuardedAgent(settings: GuardedAgentDeps): Agent {
  const { allow, connectTimeoutMs, connectionsMax, resolver = systemResolver, certificateAuthority } = settings;
  const common = {
    timeout: connectTimeoutMs,
    allowH2: false,
    ca: certificateAuthority,
  };
  const guarded = buildConnector({ ...common, lookup: createLookup(resolver, isPublicAddress) });
  const listed = buildConnector({ ...common, lookup: createLookup(resolver, () => true) });

  return new Agent({
    connections: connectionsMax,
    pipelining: 1,
    connect(target, callback) {
      const port = Number(target.port || (target.protocol === "https:" ? 443 : 80));
      if (allow.includes(target.hostname, port) || allow.includes(`[${target.hostname}]`, port)) {
        listed(target, callback);
        return;
      }
      // A literal address is never looked up.
      const literal = literalAddress(target.hostname);
      if (literal !== undefined && !isPublicAddress(literal)) {
        queueMicrotask(() => callback(forbidden(target.hostname), null));
        return;
      }
      guarded(target, callback);
    },
  });
}

function createLookup(resolver: HostResolver, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolver(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) {
          callback(Object.assign(new Error(`${hostname} has no address`), { code: "ENOTFOUND" }), "");
        } else if (!addresses.every(({ address }) => isAllowed(address))) {
          // One forbidden address among public ones is an attack or a mistake, and any of them may be tried.
          callback(forbidden(hostname), "");
        } else if (options.all === true) {
          callback(null, [...addresses]);
        } else {
          callback(null, first.address, first.family);
        }
      },
      (error: NodeJS.ErrnoException) => callback(error, ""),
    );
  };
}

function forbidden(hostname: string): PackshotError {
  return new PackshotError("source_forbidden", `${hostname} leads to an address that may not be called.`);
}
