/** The two files that say how host names are resolved. They are read again when they have changed. */
import type { LookupAddress } from "node:dns";
import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";

/** A cluster's resolv.conf has 3 to 6 search domains; glibc reads 6 in old versions. */
const searchDomainsMax = 16;
const ndotsMax = 15;

export interface SearchRules {
  readonly search: readonly string[];
  /** A name with so many dots is asked for as it is, before the search domains. */
  readonly ndots: number;
}

export type Hosts = ReadonlyMap<string, readonly LookupAddress[]>;

export function readHostsFile(path: string): () => Hosts {
  return readWhenChanged(path, parseHosts);
}

export function readResolvConf(path: string): () => SearchRules {
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
