/** Translates a request of remove.bg's clients into an edit. */

import { type MarginParameters, marginPixelsMax, type RegionParameters } from "@packshot/domain/edits/framing.ts";
import type { EditParameters, OutputFormat, OutputParameters, ToolId } from "@packshot/domain/edits/tools.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { readWebUrl } from "@packshot/domain/jobs/image-url.ts";
import { colord, extend } from "colord";
import namesPlugin from "colord/plugins/names";
import type { NewEdit } from "../edits/create-edit.ts";
import type { EditSource } from "../edits/edit-source.ts";
import { type DropInBody, severalImages } from "./read-body.ts";

extend([namesPlugin]);

/** As the contract has them; all but flags are text. */
export interface RemoveBgFields {
  readonly image_url?: string;
  readonly size: keyof typeof megapixelsOfSize;
  readonly format: "auto" | "png" | "jpg" | "webp" | "zip";
  readonly type: string;
  readonly type_level: "none" | "1" | "2" | "latest";
  readonly roi?: string;
  readonly crop?: string;
  readonly crop_margin?: string;
  readonly scale?: string;
  readonly position?: string;
  readonly channels: "rgba" | "alpha";
  readonly bg_color?: string;
  readonly bg_image_url?: string;
  readonly add_shadow?: string;
  readonly shadow_type?: string;
  readonly shadow_opacity?: string;
  readonly semitransparency?: string;
}

export interface RemoveBgRequest {
  readonly edit: NewEdit;
  /** What `X-Type` says; undefined: nothing. */
  readonly type: string | undefined;
  /** What was asked for and is not done, for `X-Packshot-Unsupported`. */
  readonly unsupported: readonly string[];
}

export const megapixelsOfSize = {
  preview: 0.25,
  small: 0.25,
  regular: 0.25,
  medium: 1.5,
  hd: 4,
  full: 25,
  "4k": 25,
  auto: 25,
  "50MP": 50,
} as const;
/** Remove.bg gives no larger PNG, whatever the size. */
const pngMegapixelsMax = 10;

/**
 * @param unknown names of fields that the contract does not have
 * @throws PackshotError `invalid_request`, with the field or the problem in its details
 */
export function toEdit(
  fields: RemoveBgFields,
  { image, background }: Pick<DropInBody, "image" | "background">,
  { tools, unknown }: { readonly tools: readonly ToolId[]; readonly unknown: readonly string[] },
): RemoveBgRequest {
  const source = sourceOf(fields, image);
  const backing = backingOf(fields, background);
  const shadow = shadowOf(fields, tools);
  const framing = framingOf(fields);
  const isAlpha = fields.channels === "alpha";
  const isOpaque = !isAlpha && (backing.background !== undefined || backing.color?.length === 7);
  const format = formatOf(fields.format, isOpaque);
  const output: OutputParameters = {
    ...framing.output,
    format,
    maxMegapixels: Math.min(
      megapixelsOfSize[fields.size],
      format === "png" ? pngMegapixelsMax : Number.POSITIVE_INFINITY,
    ),
    ...(backing.color === undefined || isAlpha ? {} : { background: backing.color }),
  };
  const region = regionOf(fields.roi);
  const parameters: EditParameters = {
    output,
    ...(region === undefined ? {} : { region }),
    ...(isAlpha ? { alphaOnly: true } : shadow.parameters),
  };
  const edit: NewEdit = {
    tool: shadow.parameters === undefined || isAlpha ? "mask" : "ai-shadows",
    source,
    parameters,
    metadata: {},
    ...(backing.background === undefined || isAlpha ? {} : { background: backing.background }),
  };
  const unsupported = [...unsupportedOf(fields), ...shadow.unsupported, ...framing.unsupported, ...unknown];
  if (isAlpha && shadow.parameters !== undefined) unsupported.push("a shadow with channels=alpha");
  return { edit, type: typeOf(fields), unsupported };
}

function invalid(field: string, message: string, problem?: string): PackshotError {
  return new PackshotError("invalid_request", message, {
    details: problem === undefined ? { field } : { field, problem },
  });
}

function sourceOf({ image_url: url }: RemoveBgFields, image: DropInBody["image"]): EditSource {
  if (image !== undefined && url !== undefined) throw severalImages();
  if (image !== undefined) return { kind: "file", ...image };
  if (url === undefined) {
    const message = "Give the photo as image_file, image_file_b64 or image_url.";
    throw new PackshotError("invalid_request", message, { details: { problem: "missing_source" } });
  }
  return urlSource(url, "image_url");
}

function urlSource(imageUrl: string, field: string): EditSource {
  return { kind: "url", imageUrl: readWebUrl(imageUrl, field) };
}

interface Backing {
  readonly color?: string;
  readonly background?: EditSource;
}

function backingOf(fields: RemoveBgFields, file: DropInBody["background"]): Backing {
  const { bg_color: color, bg_image_url: url } = fields;
  if ([color, url, file].filter((part) => part !== undefined).length > 1) {
    const message = "Give one of bg_color, bg_image_url and bg_image_file.";
    throw new PackshotError("invalid_request", message, { details: { problem: "multiple_bg_sources" } });
  }
  if (file !== undefined) return { background: { kind: "file", ...file } };
  if (url !== undefined) return { background: urlSource(url, "bg_image_url") };
  return color === undefined ? {} : { color: hexOf(color) };
}

/** `#rrggbb`, or `#rrggbbaa` where it is not opaque. Hex digits need no `#`. */
function hexOf(text: string): string {
  const plain = text.trim();
  const parsed = colord(/^([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(plain) ? `#${plain}` : plain);
  if (!parsed.isValid()) throw invalid("bg_color", `"${text}" is no color.`);
  return parsed.alpha() === 0 ? "transparent" : parsed.toHex();
}

function formatOf(format: RemoveBgFields["format"], isOpaque: boolean): OutputFormat {
  if (format === "zip") throw invalid("format", "Packshot makes no ZIP: ask for png or webp, or for channels=alpha.");
  if (format === "auto") return isOpaque ? "jpeg" : "png";
  return format === "jpg" ? "jpeg" : format;
}

interface ShadowWish {
  /** undefined: none. */
  readonly parameters: Pick<EditParameters, "shadow"> | undefined;
  readonly unsupported: readonly string[];
}

function shadowOf(fields: RemoveBgFields, tools: readonly ToolId[]): ShadowWish {
  const { add_shadow: isAdded, shadow_type: type, shadow_opacity: opacity } = fields;
  const isWanted = type === undefined ? isTrue(isAdded) : type.toLowerCase() !== "none";
  if (!isWanted) return { parameters: undefined, unsupported: [] };
  const asked = type === undefined ? "add_shadow" : `shadow_type=${type}`;
  if (!tools.includes("ai-shadows")) return { parameters: undefined, unsupported: [asked] };
  const parameters = opacity === undefined ? {} : { shadow: { opacity: Number.parseFloat(opacity) / 100 } };
  const isOnGround = type === undefined || ["3d", "car", "auto"].includes(type.toLowerCase());
  return { parameters, unsupported: isOnGround ? [] : [asked] };
}

function isTrue(flag: string | undefined): boolean {
  return flag === "true" || flag === "1";
}

interface Framing {
  readonly output: Pick<OutputParameters, "crop" | "margin" | "scale" | "position">;
  readonly unsupported: readonly string[];
}

function framingOf(fields: RemoveBgFields): Framing {
  const isScaled = fields.scale !== undefined && fields.scale !== "original";
  const { position } = fields;
  const isPlaced = position !== undefined && position !== "original";
  const margin = marginOf(isTrue(fields.crop) ? fields.crop_margin : undefined);
  return {
    output: {
      ...(isTrue(fields.crop) ? { crop: "product" } : {}),
      ...(margin.margin === undefined ? {} : { margin: margin.margin }),
      ...(isScaled ? { scale: Number.parseFloat(fields.scale!) / 100 } : {}),
      ...(isPlaced ? { position: positionOf(position) } : {}),
    },
    unsupported: [
      ...margin.unsupported,
      ...(isScaled && position === "original" ? ["position=original with scale"] : []),
    ],
  };
}

function positionOf(text: string): { readonly x: number; readonly y: number } {
  if (text === "center") return { x: 0.5, y: 0.5 };
  const [x = 0, y = x] = text
    .trim()
    .split(/ +/)
    .map((part) => Number.parseFloat(part) / 100);
  return { x, y };
}

const marginPercentMax = 50;

function marginOf(text: string | undefined): { readonly margin?: MarginParameters; readonly unsupported: string[] } {
  if (text === undefined) return { unsupported: [] };
  const parts = text.trim().split(/ +/);
  if (parts.length === 3) throw invalid("crop_margin", '"crop_margin" has one, two or four values.');
  const lengths = parts.map((part) => lengthOf(part, "crop_margin"));
  const limited = lengths.map(({ value, unit }) => Math.min(value, unit === "%" ? marginPercentMax : marginPixelsMax));
  const sides = limited.map((value, i) => `${value}${lengths[i]!.unit}`);
  const [top = "0px", right = top, bottom = top, left = right] = sides;
  const isCut = limited.some((value, i) => value !== lengths[i]!.value);
  return { margin: { top, right, bottom, left }, unsupported: isCut ? [`crop_margin=${text.trim()}`] : [] };
}

interface ParsedLength {
  readonly value: number;
  readonly unit: "px" | "%";
}

function lengthOf(text: string, field: string): ParsedLength {
  const match = /^(\d{1,5}(?:\.\d{1,6})?)(px|%)?$/.exec(text);
  if (match === null) throw invalid(field, `"${text}" in "${field}" is neither pixels (30px) nor a share (10%).`);
  return { value: Number(match[1]), unit: (match[2] ?? "px") as ParsedLength["unit"] };
}

function regionOf(roi: string | undefined): RegionParameters | undefined {
  if (roi === undefined) return undefined;
  const [x1, y1, x2, y2] = roi
    .trim()
    .split(/ +/)
    .map((part) => lengthOf(part, "roi")) as [ParsedLength, ParsedLength, ParsedLength, ParsedLength];
  for (const [start, end] of [
    [x1, x2],
    [y1, y2],
  ] as const) {
    if ([start, end].some(({ value, unit }) => unit === "%" && value > 100)) {
      throw invalid("roi", '"roi" leaves the photo.', "roi_exceeds_bounds");
    }
    if (start.unit === end.unit && end.value <= start.value)
      throw invalid("roi", '"roi" is empty.', "roi_region_empty");
  }
  const texts = [x1, y1, x2, y2].map(({ value, unit }) => `${value}${unit}`);
  if (texts.join(" ") === "0% 0% 100% 100%") return undefined;
  const [left, top, right, bottom] = texts as [string, string, string, string];
  return { left, top, right, bottom };
}

function typeOf({ type, type_level: level }: RemoveBgFields): string | undefined {
  if (level === "none") return undefined;
  return type === "auto" ? "product" : type;
}

function unsupportedOf({ type, type_level: level, semitransparency }: RemoveBgFields): string[] {
  return [
    ...(type === "auto" || type === "product" ? [] : [`type=${type}`]),
    ...(level === "2" || level === "latest" ? [`type_level=${level}`] : []),
    ...(semitransparency === "false" || semitransparency === "0" ? ["semitransparency=false"] : []),
  ];
}
