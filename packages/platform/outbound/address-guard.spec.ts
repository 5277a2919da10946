import type { PackshotError } from "@packshot/domain/errors.ts";
import { describe, expect, it } from "vitest";
import { checkTarget, isPublicAddress, parseAllowList } from "./address-guard.ts";

const nothingListed = parseAllowList("");

function refusalOf(url: string, purpose: "webhook" | "source", allowed = ""): string | undefined {
  try {
    checkTarget(url, { allow: parseAllowList(allowed), purpose });
    return undefined;
  } catch (error) {
    return (error as PackshotError).code;
  }
}

const publicAddresses = ["8.8.8.8", "93.184.215.14", "2606:4700:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"];

const forbiddenAddresses = {
  "this host": ["0.0.0.0", "0.1.2.3", "::"],
  loopback: ["127.0.0.1", "127.255.255.254", "::1"],
  private: ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fc00::1", "fd12:3456::1"],
  "link-local and metadata": ["169.254.169.254", "169.254.170.2", "fe80::1", "fd00:ec2::254"],
  "metadata elsewhere": ["100.100.100.200", "168.63.129.16", "192.0.0.192"],
  shared: ["100.64.0.1", "100.127.255.255"],
  "documentation, benchmarking, reserved": ["192.0.2.1", "198.18.0.1", "198.19.255.255", "203.0.113.9", "240.0.0.1"],
  "broadcast and multicast": ["255.255.255.255", "224.0.0.1", "ff02::1"],
  "IPv4 inside IPv6": ["::ffff:127.0.0.1", "::ffff:a9fe:a9fe", "64:ff9b::7f00:1", "64:ff9b::a00:1", "::7f00:1"],
  tunnels: ["2002:7f00:1::", "2001::1", "64:ff9b:1::1"],
  "IPv6 that is not global": ["fec0::1", "2001:db8::1", "3fff::1", "100::1", "5f00::1", "4000::1", "2001:2::1"],
  "not an address": ["", "example.com", "127.0.0.1:80", "1.2.3.4.5"],
};

describe("isPublicAddress", () => {
  it.each(publicAddresses)("allows %s", (address) => expect(isPublicAddress(address)).toBe(true));

  for (const [kind, addresses] of Object.entries(forbiddenAddresses)) {
    it.each(addresses)(`refuses ${kind}: "%s"`, (address) => expect(isPublicAddress(address)).toBe(false));
  }
});

const forbiddenUrls = [
  "https://127.0.0.1/",
  "https://127.1/",
  "https://2130706433/",
  "https://0x7f.0.0.1/",
  "https://0x7f000001/",
  "https://0177.0.0.1/",
  "https://017700000001/",
  "https://127.0.0.1./",
  "https://１２７.0.0.1/",
  "https://①②⑦.0.0.1/",
  "https://0/",
  "https://0.0.0.0/",
  "https://[::]/",
  "https://[::1]/",
  "https://[0:0:0:0:0:0:0:1]/",
  "https://[::ffff:127.0.0.1]/",
  "https://[::ffff:7f00:1]/",
  "https://[::127.0.0.1]/",
  "https://[64:ff9b::10.0.0.1]/",
  "https://169.254.169.254/latest/meta-data/",
  "https://[fd00:ec2::254]/",
  "https://10.0.0.1/",
  "https://localhost/",
  "https://LOCALHOST./",
  "https://a.localhost/",
  "https://user:password@example.com/",
  "https://user@example.com/",
  "https://example.com:22/",
  "https://example.com:25/",
  "https://example.com:2049/",
  "ftp://example.com/",
  "file:///etc/passwd",
  "gopher://example.com/",
  "javascript:alert(1)",
  "//example.com/",
  "/relative",
  "",
  "https://",
];

describe("checkTarget", () => {
  it.each(forbiddenUrls)("refuses %s", (url) => {
    expect(refusalOf(url, "webhook")).toBe("invalid_request");
    expect(refusalOf(url, "source")).toBe("source_forbidden");
  });

  it("requires https of a webhook, and allows http for a source", () => {
    expect(refusalOf("http://example.com/hook", "webhook")).toBe("invalid_request");
    expect(refusalOf("https://example.com/hook", "webhook")).toBeUndefined();
    expect(refusalOf("http://example.com/a.png", "source")).toBeUndefined();
    expect(refusalOf("https://example.com:8443/a.png", "source")).toBeUndefined();
  });

  it("allows what the operator lists, plain HTTP and low ports included, in any spelling of the host", () => {
    const listed = "127.0.0.1:*, [::1]:9000, hooks.internal:81";
    expect(refusalOf("http://127.0.0.1:41234/", "webhook", listed)).toBeUndefined();
    expect(refusalOf("http://2130706433/", "webhook", listed)).toBeUndefined();
    expect(refusalOf("http://[0:0::1]:9000/", "webhook", listed)).toBeUndefined();
    expect(refusalOf("http://[::1]:9001/", "webhook", listed)).toBe("invalid_request");
    expect(refusalOf("http://HOOKS.internal:81/", "webhook", listed)).toBeUndefined();
    expect(refusalOf("http://localhost:41234/", "webhook", listed)).toBe("invalid_request");
    expect(refusalOf("http://user:pw@127.0.0.1:41234/", "webhook", listed)).toBe("invalid_request");
  });
});

describe("parseAllowList", () => {
  it("takes a range of ports, and takes back what an entry with an exclamation mark names", () => {
    const list = parseAllowList("127.0.0.1:1024-65535, hooks.internal:*, !127.0.0.1:4222, !hooks.internal:1-1023");
    const includes = (host: string, ports: readonly number[]) => ports.map((port) => list.includes(host, port));
    expect(includes("127.0.0.1", [22, 1_023, 1_024, 4_221, 4_222, 4_223, 65_535])).toEqual([
      ...[false, false, true, true, false, true, true],
    ]);
    expect(includes("hooks.internal", [80, 1_023, 1_024])).toEqual([false, false, true]);
    expect(includes("127.0.0.2", [3_000])).toEqual([false]);
  });

  it.each([
    "localhost",
    "host:",
    "host:0",
    "host:70000",
    "host:0-10",
    "host:90-80",
    "host:1-70000",
    "!host",
    "!!host:1",
    "ho!st:1-",
    "*:80",
    "http://host:80",
    "a@b:80",
    "::1:80",
  ])('refuses "%s"', (entry) => {
    if (entry === "*:80") expect(parseAllowList(entry).includes("example.com", 80)).toBe(false);
    else expect(() => parseAllowList(entry)).toThrow(RangeError);
  });

  it("is empty for an empty text", () => {
    expect(nothingListed.includes("127.0.0.1", 80)).toBe(false);
    expect(parseAllowList(["127.0.0.1:80"]).includes("127.0.0.1", 80)).toBe(true);
  });
});
