/** Parameters of an edit that cannot be used together: what no schema of the fields alone can say. */
import { renditionsOf } from "./rendition.ts";
import type { EditParameters, OutputRequest, ToolId } from "./tools.ts";

interface Contradiction {
  readonly field: string;
  readonly message: string;
}

/** Why parameters cannot be used together; undefined: they can. */
export function contradictionOf(tool: ToolId, parameters: EditParameters): Contradiction | undefined {
  return ofOneFile(parameters) ?? ofOutputs(tool, parameters);
}

function ofOneFile(parameters: EditParameters): Contradiction | undefined {
  const { layers: wantsLayers, variations: count = 1, outline, logo, output } = parameters;
  if (output?.fit === "grow" && outline !== undefined) {
    const message = 'A canvas that grows has no outline: leave "parameters.outline" or "parameters.output.fit" out.';
    return { field: "parameters.output.fit", message };
  }
  if (wantsLayers !== true) return undefined;
  const field = "parameters.layers";
  if (count > 1) {
    const message =
      '"parameters.layers" are those of one result: leave "parameters.variations" out, and give the "seed" of the one that you want.';
    return { field, message };
  }
  if (outline === undefined && logo === undefined) return undefined;
  return {
    field,
    message: 'An outline and a logo are none of the layers: leave "parameters.layers" or both of these out.',
  };
}

function ofOutputs(tool: ToolId, parameters: EditParameters): Contradiction | undefined {
  const { outputs } = parameters;
  if (outputs === undefined) return undefined;
  return ofWholeEdit(parameters) ?? outputs.map((_, index) => ofFile(tool, parameters, index)).find((one) => one);
}

/** Parameters of an edit that makes one file. */
function ofWholeEdit({ preset, alphaOnly, keepShadow, layers, variations = 1 }: EditParameters) {
  const leaveOut = (field: string, instead: string) => ({
    field: `parameters.${field}`,
    message: `"parameters.${field}" and "parameters.outputs" cannot be used together: leave one of them out. ${instead}`,
  });
  if (preset !== undefined) return leaveOut("preset", 'A file of "outputs" may have a "preset" of its own.');
  if (alphaOnly === true) return leaveOut("alphaOnly", "A second edit of the same photo makes the matte.");
  if (keepShadow === true) return leaveOut("keepShadow", 'A file of "outputs" may have a "shadow".');
  if (layers === true) return leaveOut("layers", "A second edit of the same photo makes the layers.");
  if (variations > 1) return leaveOut("variations", 'Make an edit for each "seed".');
  return undefined;
}

function ofFile(tool: ToolId, parameters: EditParameters, index: number): Contradiction | undefined {
  const outputs = parameters.outputs!;
  const { name, preset, background, output } = outputs[index]!;
  const field = (of: keyof OutputRequest) => `parameters.outputs.${index}.${of}`;
  if (outputs.findIndex((other) => other.name === name) < index) {
    return { field: field("name"), message: `Two files of "outputs" have the name "${name}": give each its own.` };
  }
  if (name === "result") {
    const message = 'No file of "outputs" may have the name "result", which is the first file: give it another.';
    return { field: field("name"), message };
  }
  if (/^variation-\d+$/.test(name)) {
    const message = `No file of "outputs" may have the name "${name}", which is a variation's: give it another.`;
    return { field: field("name"), message };
  }
  if (preset !== undefined) {
    const [excluded] = (["shadow", "background"] as const).filter((one) => outputs[index]![one] !== undefined);
    if (excluded === undefined) return undefined;
    const message = `The file "${name}" has a "preset", which shows the product alone on white: leave its "${excluded}" out, or its "preset".`;
    return { field: field(excluded), message };
  }
  const rendition = renditionsOf(tool, parameters)[index]!;
  if (output?.fit === "grow" && rendition.tool !== "ai-shadows") {
    const message = `The file "${name}" has no shadow for which its canvas could grow: give it a "shadow", or leave "output.fit" out.`;
    return { field: `${field("output")}.fit`, message };
  }
  if (background !== undefined && output?.background !== undefined) {
    const message = `The file "${name}" has two backgrounds: give "background" or "output.background".`;
    return { field: field("background"), message };
  }
  if (ofOneFile(rendition.parameters) === undefined) return undefined;
  const message = `The canvas of the file "${name}" would grow, and a canvas that grows has no outline: leave "parameters.outline" or its "output.fit" out.`;
  return { field: `${field("output")}.fit`, message };
}
