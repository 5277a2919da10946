/**
 * Resolves host names as the system's resolver does, but within a time limit and outside libuv's thread pool.
 *
 * `dns.lookup` calls getaddrinfo, which holds one of libuv's four threads until it ends, half a minute when a name server
 * is silent. A few such names would stop every file operation of the process. c-ares (`dns.Resolver`) waits on sockets
 * instead. It asks name servers only, so the rest is done here: the hosts file, `localhost` (RFC 6761), and the search
 * domains and `ndots` of resolv.conf, by which names in a cluster are found. Other sources of nsswitch.conf, such as
 * multicast DNS, are not asked. Nothing is cached, so each connection gets the addresses of the moment.
 */
import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";

/** For one name, over all its search domains, servers and attempts. */
const lookupTimeoutMs = 5_000;
/** For one attempt at one name server; c-ares doubles it with each further one. */
const attemptTimeoutMs = 1_500;
const attempts = 2;

export type HostResolver = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface HostResolverDeps {
  readonly hostsFile?: string;
  readonly resolvConf?: string;
  /** For tests: `address:port` in place of the name servers in resolv.conf. */
  readonly servers?: readonly string[];
  readonly timeoutMs?: number;
}

/** The resolver throws errors with a code: ENOTFOUND, ETIMEOUT, or another one of `node:dns`. */
export function createHostResolver(deps: HostResolverDeps = {}): HostResolver {
  const { hostsFile = "/etc/hosts", resolvConf = "/etc/resolv.conf", servers, timeoutMs = lookupTimeoutMs } = deps;
  const hosts = readHostsFile(hostsFile);
  const rules = readResolvConf(resolvConf);

  return async (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, "");
    const local = hosts().get(name) ?? localhostAddresses(name);
    if (local !== undefined) return local;
    const resolver = new Resolver({ timeout: attemptTimeoutMs, tries: attempts });
    if (servers !== undefined) resolver.setServers(servers);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      resolver.cancel();
    }, timeoutMs);
    try {
      return await queryInTurn(resolver, candidatesOf(hostname.toLowerCase(), rules()));
    } catch (error) {
      throw isLate ? failure("ETIMEOUT", hostname, `was not answered within ${timeoutMs} ms`) : error;
    } finally {
      clearTimeout(timer);
    }
  };
}

function localhostAddresses(name: string): readonly LookupAddress[] | undefined {
  if (name !== "localhost" && !name.endsWith(".localhost")) return undefined;
  return [
    { address: "127.0.0.1", family: 4 },
    { address: "::1", family: 6 },
  ];
}

/** The names to ask for, in order: with `ndots` dots or more as given first, otherwise below the search domains first. */
function candidatesOf(hostname: string, { search, ndots }: SearchRules): readonly string[] {
  if (hostname.endsWith(".")) return [hostname.slice(0, -1)];
  const expanded = search.map((domain) => `${hostname}.${domain}`);
  const dots = hostname.split(".").length - 1;
  return dots >= ndots ? [hostname, ...expanded] : [...expanded, hostname];
}

async function queryInTurn(resolver: Resolver, candidates: readonly string[]): Promise<readonly LookupAddress[]> {
  let serverFailure: unknown;
  let lastError: unknown;
  for (const candidate of candidates) {
    try {
      return await query(resolver, candidate);
    } catch (error) {
      lastError = error;
      // As in glibc, a search domain whose servers fail hides no name beyond it; a server that is silent ends the search.
      if (codeOf(error) === "ESERVFAIL") serverFailure ??= error;
      else if (!hasNoAddress(error)) throw error;
    }
  }
  throw serverFailure ?? lastError;
}

/** Asks for addresses of both families at once. One that fails costs nothing when the other has an answer. */
async function query(resolver: Resolver, name: string): Promise<readonly LookupAddress[]> {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = answers.flatMap((answer, index) =>
    answer.status === "rejected" ? [] : answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })),
  );
  if (addresses.length > 0) return addresses;
  const errors = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason as unknown] : []));
  throw errors.find((error) => !hasNoAddress(error)) ?? failure("ENOTFOUND", name, "has no address");
}

function hasNoAddress(error: unknown): boolean {
  return ["ENOTFOUND", "ENODATA"].includes(codeOf(error) ?? "");
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

function failure(code: string, name: string, problem: string): Error {
  return Object.assign(new Error(`${name} ${problem}`), { code });
}

/** The two files that say how host names are resolved. They are read again when they have changed. */

/** A cluster's resolv.conf has 3 to 6 search domains; glibc reads 6 in old versions. */
const searchDomainsMax = 16;
const ndotsMax = 15;

export interface SearchRules {
  readonly search: readonly string[];
  /** A name with so many dots is asked for as it is, before the search domains. */
  readonly ndots: number;
}

export type Hosts = ReadonlyMap<string, readonly LookupAddress[]>;

function readHostsFile(path: string): () => Hosts {
  return readWhenChanged(path, parseHosts);
}

function readResolvConf(path: string): () => SearchRules {
  return readWhenChanged(path, parseResolvConf);
}

/**
 * Local files of a few lines: reading them in place takes microseconds, and a thread of libuv's pool, which may be
 * occupied, is not needed. A missing file is an empty one.
 */
function readWhenChanged<T>(path: string, parse: (text: string) => T): () => T {
  let known: { readonly version: string; readonly value: T } | undefined;
  return () => {
    const stats = statSync(path, { throwIfNoEntry: false });
    const version = stats === undefined ? "" : `${stats.ino}:${stats.mtimeMs}:${stats.size}`;
    if (known?.version !== version) {
      known = { version, value: parse(stats === undefined ? "" : readFileSync(path, "utf8")) };
    }
    return known.value;
  };
}

function parseHosts(text: string): Hosts {
  const hosts = new Map<string, LookupAddress[]>();
  for (const [address = "", ...names] of wordsOf(text)) {
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names) {
      const addresses = hosts.get(name.toLowerCase()) ?? [];
      if (!addresses.some((known) => known.address === address)) addresses.push({ address, family });
      hosts.set(name.toLowerCase(), addresses);
    }
  }
  return hosts;
}

/** As in resolv.conf(5): the last `search` or `domain` counts. */
function parseResolvConf(text: string): SearchRules {
  let search: readonly string[] = [];
  let ndots = 1;
  for (const [keyword, ...values] of wordsOf(text)) {
    if (keyword === "search") search = values.slice(0, searchDomainsMax);
    else if (keyword === "domain") search = values.slice(0, 1);
    else if (keyword === "options") {
      const given = values.findLast((value) => /^ndots:\d+$/.test(value));
      if (given !== undefined) ndots = Math.min(ndotsMax, Number(given.slice("ndots:".length)));
    }
  }
  const domains = search.map((domain) => domain.toLowerCase().replace(/\.$/, ""));
  return { search: domains.filter((domain) => domain !== ""), ndots };
}

/** The words of each line that has any, without comments. */
function wordsOf(text: string): string[][] {
  const lines = text.split("\n").map((line) => line.replace(/[#;].*/, "").trim());
  return lines.filter((line) => line !== "").map((line) => line.split(/\s+/));
}
