/** Parameters that a request has and that did nothing, because another one decides: `overridden` of the report. */

import { type BackgroundKind, overriddenBackgrounds } from "@packshot/domain/edits/background.ts";
import type { EditParameters, OutputFormat, OutputParameters } from "@packshot/domain/edits/tools.ts";
import { overriddenFields } from "../../imaging/output/preset.ts";

/**
 * Their names, as `output.chroma`; `format` is the result's. Of what the photo itself leaves without effect, only margins that the
 * product is too small for are named.
 */
export function overriddenParameters(
  parameters: EditParameters,
  format: OutputFormat,
  cutMargins: readonly string[] = [],
): string[] {
  const { output = {}, preset, alphaOnly = false, keepShadow = false } = parameters;
  const always = [...ofScene(parameters), ...ofEngineAndTone(parameters)];
  if (preset !== undefined && !alphaOnly) {
    const decided = (["background", "outline", "logo"] as const).filter((name) => name in parameters);
    return [...always, ...overriddenFields(output), ...(keepShadow ? ["keepShadow"] : []), ...decided];
  }
  return [
    ...always,
    ...(alphaOnly ? ofMatte(parameters) : ofBackground(parameters)),
    ...ofLayout(output),
    ...cutMargins.map((side) => `output.margin.${side}`),
    ...ofExport(format, output),
  ];
}

function namesOf(ignored: Readonly<Record<string, boolean>>, prefix = ""): string[] {
  return Object.entries(ignored).flatMap(([name, isIgnored]) => (isIgnored ? [`${prefix}${name}`] : []));
}

function ofScene({ scene, output = {}, shadow = {} }: EditParameters): string[] {
  const { kind, ...ofOtherKinds } = shadow;
  return [
    ...namesOf({
      "output.scale": scene !== undefined && output.scale !== undefined,
      "output.position.y": scene !== undefined && output.position?.y !== undefined,
    }),
    ...(kind === "none" ? Object.keys(ofOtherKinds).map((name) => `shadow.${name}`) : []),
  ];
}

function ofEngineAndTone(parameters: EditParameters): string[] {
  const { preset, prompt, strength, engine, alphaOnly = false, tone = "none", toneImage, output = {} } = parameters;
  return namesOf({
    preset: preset !== undefined && alphaOnly,
    tone: tone !== "none" && alphaOnly,
    prompt: prompt !== undefined && engine !== "generative",
    strength: strength !== undefined && engine !== "generative",
    toneImage: tone !== "match" && toneImage !== undefined,
    "output.sharpen": output.sharpen !== undefined && output.sharpen > 0 && alphaOnly,
  });
}

/** A matte shows no color, and nothing behind or over the product. */
function ofMatte({ output = {}, background, backgroundImage, outline, logo }: EditParameters): string[] {
  return namesOf({
    "output.background": output.background !== undefined && output.background !== "transparent",
    background: background !== undefined,
    backgroundImage: backgroundImage !== undefined,
    outline: outline !== undefined,
    logo: logo !== undefined,
  });
}

const kindsWith: Readonly<Record<string, readonly BackgroundKind[]>> = {
  color: ["color", "gradient", "original"],
  colorTo: ["gradient"],
  angle: ["gradient"],
  blur: ["blur"],
  imageUrl: ["image"],
  uploadSessionId: ["image"],
};

function ofBackground(parameters: EditParameters): string[] {
  const { background = {}, backgroundImage, logo, output = {} } = parameters;
  const { kind = "color", ...fields } = background;
  const ofOtherKinds = Object.keys(fields).filter((name) => kindsWith[name]?.includes(kind) === false);
  const isInSrgb = kind !== "color" || backgroundImage !== undefined || logo !== undefined;
  return [
    ...overriddenBackgrounds(parameters),
    ...ofOtherKinds.map((name) => `background.${name}`),
    ...namesOf({ "output.colorSpace": output.colorSpace === "source" && isInSrgb }),
  ];
}

function ofLayout({ crop = "none", margin, align, scale, position }: OutputParameters): string[] {
  const isPlaced = scale !== undefined || position !== undefined;
  return namesOf(
    { margin: margin !== undefined && crop !== "product", align: align !== undefined && isPlaced },
    "output.",
  );
}

function ofExport(format: OutputFormat, output: OutputParameters): string[] {
  const { quality, progressive = false, lossless = false, chroma } = output;
  const isLossless = format === "png" || (lossless && format !== "jpeg");
  const ignored = {
    quality: quality !== undefined && isLossless,
    progressive: progressive && (format === "webp" || format === "avif"),
    lossless: lossless && format === "jpeg",
    chroma: chroma !== undefined && (isLossless || (format === "webp" && chroma !== "4:2:0")),
  };
  return namesOf(ignored, "output.");
}
