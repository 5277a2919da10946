/** Reads and writes XMP (ISO 16684-1): whose a picture is, what it shows, and how it was made, in the fields of the IPTC Photo Metadata Standard. */

import { createHash } from "node:crypto";
import { clipText } from "@packshot/domain/errors.ts";

/** What a file says of its picture in words. */
export interface PictureWords {
  readonly creators?: readonly string[];
  readonly rights?: string;
  readonly credit?: string;
  readonly usageTerms?: string;
  /** Address of the page about the rights. */
  readonly rightsPage?: string;
  readonly title?: string;
  readonly description?: string;
  readonly keywords?: readonly string[];
  /** As the file has it: 2026-11-26T22:15:00. */
  readonly createdAt?: string;
}

/** IPTC NewsCodes of how a picture came about, http://cv.iptc.org/newscodes/digitalsourcetype/. */
export type DigitalSourceType = "composite" | "compositeSynthetic" | "compositeWithTrainedAlgorithmicMedia";

const textCharactersMax = 2_000;
const listLengthMax = 100;

/** XMP packets may be megabytes of an editor's history: what is read is at its beginning. */
const readCharactersMax = 256 * 1024;

export function readXmp(packet: string): PictureWords {
  const text = packet.slice(0, readCharactersMax);
  return withoutEmpty({
    creators: itemsOf(text, "dc:creator"),
    rights: itemsOf(text, "dc:rights")[0],
    credit: propertyOf(text, "photoshop:Credit"),
    usageTerms: itemsOf(text, "xmpRights:UsageTerms")[0],
    rightsPage: propertyOf(text, "xmpRights:WebStatement"),
    title: itemsOf(text, "dc:title")[0],
    description: itemsOf(text, "dc:description")[0],
    keywords: itemsOf(text, "dc:subject"),
    createdAt: propertyOf(text, "photoshop:DateCreated") || propertyOf(text, "xmp:CreateDate"),
  });
}

/** Only what says something. */
export function withoutEmpty(
  words: { readonly [Name in keyof PictureWords]: PictureWords[Name] | undefined },
): PictureWords {
  const said = Object.entries(words).filter(([, value]) => value !== undefined && value.length > 0);
  return Object.fromEntries(said);
}

/** Searched without regular expressions, which a client's text could make slow. -1: there is none. */
function elementAt(text: string, name: string, from = 0): number {
  const tag = `<${name}`;
  for (let at = text.indexOf(tag, from); at >= 0; at = text.indexOf(tag, at + 1)) {
    // The names of others may begin alike: dc:rightsHolder.
    if ("> \t\r\n/".includes(text.charAt(at + tag.length) || "-")) return at;
  }
  return -1;
}

/** The element's text, between its tags. undefined: there is none, or it is not closed. */
function contentOf(text: string, name: string): string | undefined {
  const start = elementAt(text, name);
  if (start < 0) return undefined;
  const opened = text.indexOf(">", start);
  if (opened < 0) return undefined;
  if (text[opened - 1] === "/") return "";
  const end = text.indexOf(`</${name}>`, opened);
  return end < 0 ? undefined : text.slice(opened + 1, end);
}

/** A simple value is an element or an attribute of its description. */
function propertyOf(text: string, name: string): string | undefined {
  const element = contentOf(text, name);
  if (element) return plainText(element);
  const attribute = `${name}="`;
  let start = text.indexOf(attribute);
  while (start > 0 && !" \t\r\n".includes(text[start - 1]!)) start = text.indexOf(attribute, start + 1);
  if (start < 0) return undefined;
  const from = start + attribute.length;
  const end = text.indexOf('"', from);
  return end < 0 ? undefined : plainText(text.slice(from, end));
}

/** The items of a list; of a text in several languages the first is the default. */
function itemsOf(text: string, name: string): string[] {
  const list = contentOf(text, name);
  if (list === undefined) return [];
  const items: string[] = [];
  for (
    let at = elementAt(list, "rdf:li");
    at >= 0 && items.length < listLengthMax;
    at = elementAt(list, "rdf:li", at + 1)
  ) {
    const item = contentOf(list.slice(at), "rdf:li");
    // One that is not closed reaches to the end, and so would all after it.
    if (item === undefined) break;
    if (item !== "") items.push(plainText(item));
  }
  return items;
}

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

function plainText(xml: string): string {
  const clipped = clipText(xml.trim(), textCharactersMax);
  return clipped.replaceAll(/&(#x?[0-9a-fA-F]{1,6}|lt|gt|quot|apos|amp);/g, (_, name: string) => {
    if (!name.startsWith("#")) return entities[name]!;
    const code = name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
    return isXmlCharacter(code) ? String.fromCodePoint(code) : "";
  });
}

/** XML 1.0 has no other control characters. */
function isXmlCharacter(code: number): boolean {
  return code === 9 || code === 10 || code === 13 || (code >= 32 && code < 0xd800) || (code > 0xdfff && code < 0xfffe);
}

function escapeXml(text: string): string {
  const allowed = [...text.toWellFormed()].filter((letter) => {
    const code = letter.codePointAt(0)!;
    return isXmlCharacter(code) || code > 0xffff;
  });
  const escaped = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" } as const;
  return allowed.join("").replaceAll(/[&<>"]/g, (letter) => escaped[letter as keyof typeof escaped]);
}

const namespaces = {
  dc: "http://purl.org/dc/elements/1.1/",
  photoshop: "http://ns.adobe.com/photoshop/1.0/",
  xmpRights: "http://ns.adobe.com/xap/1.0/rights/",
  Iptc4xmpExt: "http://iptc.org/std/Iptc4xmpExt/2008-02-29/",
  xmpNote: "http://ns.adobe.com/xmp/note/",
} as const;

const sourceTypeScheme = "http://cv.iptc.org/newscodes/digitalsourcetype/";

/** Elements of a description, the most important ones first. A packet is made of them by `formatXmp`. */
export type XmpProperties = readonly string[];

/** @returns undefined where there is nothing to say */
export function xmpProperties(
  words: PictureWords,
  sourceType: DigitalSourceType | undefined,
): XmpProperties | undefined {
  const { creators = [], rights, credit, usageTerms, rightsPage, title, description, keywords = [], createdAt } = words;
  const properties = [
    simple("Iptc4xmpExt:DigitalSourceType", sourceType && sourceTypeScheme + sourceType),
    list("dc:creator", "Seq", creators),
    localized("dc:rights", rights),
    simple("photoshop:Credit", credit),
    localized("xmpRights:UsageTerms", usageTerms),
    simple("xmpRights:WebStatement", rightsPage),
    simple("xmpRights:Marked", rights && "True"),
    localized("dc:title", title),
    localized("dc:description", description),
    list("dc:subject", "Bag", keywords),
    simple("photoshop:DateCreated", createdAt),
  ].filter((property) => property !== "");
  return properties.length === 0 ? undefined : properties;
}

export function formatXmp(properties: XmpProperties): string {
  return [
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    formatMeta(properties),
    '<?xpacket end="r"?>',
  ].join("\n");
}

function formatMeta(properties: XmpProperties): string {
  const isSplit = properties.some((property) => property.startsWith("<xmpNote:"));
  const used = Object.entries(namespaces).filter(([prefix]) => prefix !== "xmpNote" || isSplit);
  const prefixes = used.map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`);
  return [
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    `<rdf:Description rdf:about=""${prefixes.join("")}>`,
    ...properties,
    "</rdf:Description></rdf:RDF></x:xmpmeta>",
  ].join("\n");
}

export interface SplitXmp {
  readonly packet: string;
  /** Absent where the packet has all. */
  readonly extended?: { readonly text: string; readonly guid: string };
}

/**
 * A packet of at most `bytesMax` with as many properties as it takes, and one that has the others: extended XMP, which the packet
 * names by its MD5 (XMP specification part 3, 1.1.3.1).
 */
export function splitXmp(properties: XmpProperties, bytesMax: number): SplitXmp {
  const whole = formatXmp(properties);
  if (Buffer.byteLength(whole) <= bytesMax) return { packet: whole };
  const guidLength = 32;
  const note = (guid: string) => simple("xmpNote:HasExtendedXMP", guid);
  const first: string[] = [];
  const others: string[] = [];
  for (const property of properties) {
    const packet = formatXmp([...first, property, note(" ".repeat(guidLength))]);
    if (Buffer.byteLength(packet) <= bytesMax) first.push(property);
    else others.push(property);
  }
  const text = formatMeta(others);
  const guid = createHash("md5").update(text).digest("hex").toUpperCase();
  return { packet: formatXmp([...first, note(guid)]), extended: { text, guid } };
}

function simple(name: string, value: string | undefined): string {
  return value === undefined ? "" : `<${name}>${escapeXml(value)}</${name}>`;
}

function localized(name: string, value: string | undefined): string {
  if (value === undefined) return "";
  return `<${name}><rdf:Alt><rdf:li xml:lang="x-default">${escapeXml(value)}</rdf:li></rdf:Alt></${name}>`;
}

function list(name: string, kind: "Seq" | "Bag", values: readonly string[]): string {
  if (values.length === 0) return "";
  const items = values.map((value) => `<rdf:li>${escapeXml(value)}</rdf:li>`);
  return `<${name}><rdf:${kind}>${items.join("")}</rdf:${kind}></${name}>`;
}
