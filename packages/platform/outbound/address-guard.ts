/**
 * Which addresses an outbound call may reach: webhooks, `imageUrl` and customers' buckets. The public internet is allowed; the
 * operator may list other addresses (`parseAllowList`). URLs are checked after WHATWG parsing, which turns
 * decimal, octal, hex and full-width forms of IPv4 into dotted ones.
 */
import { PackshotError } from "@packshot/domain/errors.ts";
import ipaddr from "ipaddr.js";

const purposes = {
  webhook: { field: "url", setting: "PACKSHOT_ALLOW_WEBHOOKS" },
  source: { field: "imageUrl", setting: "PACKSHOT_ALLOW_SOURCES" },
  bucket: { field: "endpoint", setting: "PACKSHOT_ALLOW_CONNECTIONS" },
} as const;
export type TargetPurpose = keyof typeof purposes;

/** Parsed once per process from `PACKSHOT_ALLOW_WEBHOOKS`, `PACKSHOT_ALLOW_SOURCES` or `PACKSHOT_ALLOW_CONNECTIONS`. */
export interface AllowList {
  /** `hostname` as `URL` spells it (brackets around IPv6). A listed name may lead to any address. */
  includes(hostname: string, port: number): boolean;
}

/**
 * `host:port`, `host:from-to` or `host:*`, comma-separated; IPv6 in brackets. What an entry with `!` before it names is
 * taken out again, wherever it stands. Throws a RangeError that names the invalid entry.
 */
export function parseAllowList(entries: string | readonly string[]): AllowList {
  const list = typeof entries === "string" ? entries.split(",") : entries;
  const parsed = list
    .map((part) => part.trim())
    .filter(Boolean)
    .map(parseEntry);
  const names = (hostname: string, port: number, isExcluded: boolean) =>
    parsed.some(
      (entry) =>
        entry.isExcluded === isExcluded && entry.hostname === hostname && port >= entry.from && port <= entry.to,
    );
  return { includes: (hostname, port) => names(hostname, port, false) && !names(hostname, port, true) };
}

interface AllowEntry {
  readonly isExcluded: boolean;
  readonly hostname: string;
  readonly from: number;
  readonly to: number;
}

const portMax = 65_535;

function parseEntry(entry: string): AllowEntry {
  const [, sign, host, ports] = /^(!?)(\[[^\]]+\]|[^:[\]/@!]+):(\*|\d{1,5}(?:-\d{1,5})?)$/.exec(entry) ?? [];
  const url = host === undefined ? null : URL.parse(`http://${host}/`);
  const [from = 0, to = from] = ports === "*" ? [1, portMax] : (ports ?? "").split("-").map(Number);
  if (url === null || from < 1 || to < from || to > portMax)
    throw new RangeError(`"${entry}" is not host:port, host:from-to or host:*`);
  return { isExcluded: sign === "!", hostname: url.hostname, from, to };
}

const webPorts = [80, 443];
const firstUserPort = 1024;
/** The Fetch standard's "bad ports" from 1024 on, which belong to other protocols. */
const blockedPorts = [
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];

/**
 * Checks what the URL alone tells: scheme, credentials, port, literal addresses. The addresses of a name are checked
 * when it is resolved. Throws `invalid_request` for a webhook or a bucket (at their registration), `source_forbidden` for a
 * source.
 */
export function checkTarget(
  target: string | URL,
  { allow, purpose, field = purposes[purpose].field }: { allow: AllowList; purpose: TargetPurpose; field?: string },
): void {
  const problem = urlProblem(target, allow, purpose);
  if (problem === undefined) return;
  const message = `${field} ${problem}`;
  throw purpose === "source"
    ? new PackshotError("source_forbidden", message)
    : new PackshotError("invalid_request", message, { details: { field } });
}

function urlProblem(target: string | URL, allow: AllowList, purpose: TargetPurpose): string | undefined {
  const url = typeof target === "string" ? URL.parse(target) : target;
  if (url === null) return "is not an absolute URL.";
  if (url.protocol !== "https:" && url.protocol !== "http:") return "must begin with https://.";
  if (url.username !== "" || url.password !== "") return "must not carry a user name or password.";
  const port = portOf(url);
  if (allow.includes(url.hostname, port)) return undefined;
  const { setting } = purposes[purpose];
  if (purpose !== "source" && url.protocol !== "https:")
    return `must begin with https://; the operator may list addresses that need not (${setting}).`;
  if (!isWebPort(port)) return `must not use port ${port}.`;
  const literal = literalAddress(url.hostname);
  const isPublic = literal === undefined ? !isLocalName(url.hostname) : isPublicAddress(literal);
  return isPublic ? undefined : `must lead to a public address; the operator may list others (${setting}).`;
}

function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

function isWebPort(port: number): boolean {
  if (webPorts.includes(port)) return true;
  return port >= firstUserPort && !blockedPorts.includes(port);
}

/** RFC 6761: these names mean this machine, whatever the resolver answers. */
function isLocalName(hostname: string): boolean {
  return /(^|\.)localhost\.?$/.test(hostname);
}

/** The address when the host is one, without brackets; undefined for a name. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  return ipaddr.isValid(bare) ? bare : undefined;
}

/** Ranges that are not public, though the library counts them as unicast or has no name for them. */
const notPublicIpv4 = ["198.18.0.0/15", "168.63.129.16/32"].map((range) => ipaddr.IPv4.parseCIDR(range));
const globalIpv6 = ipaddr.IPv6.parseCIDR("2000::/3");
const notPublicIpv6 = ["2001::/23", "2002::/16", "3fff::/20"].map((range) => ipaddr.IPv6.parseCIDR(range));
const nat64Prefix = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/**
 * True for globally routable unicast, false for loopback, private, link-local (with every cloud's metadata address),
 * shared, documentation, benchmarking, multicast and reserved ranges. An IPv4 address inside an IPv6 one (mapped, NAT64)
 * is checked as IPv4; other tunnels are refused.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.kind() === "ipv4") return isPublicIpv4(parsed as ipaddr.IPv4);
  const ipv6 = parsed as ipaddr.IPv6;
  if (ipv6.isIPv4MappedAddress()) return isPublicIpv4(ipv6.toIPv4Address());
  if (ipv6.match(nat64Prefix)) return isPublicIpv4(new ipaddr.IPv4(ipv6.toByteArray().slice(12)));
  return ipv6.range() === "unicast" && ipv6.match(globalIpv6) && !notPublicIpv6.some((range) => ipv6.match(range));
}

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === "unicast" && !notPublicIpv4.some((range) => address.match(range));
}
