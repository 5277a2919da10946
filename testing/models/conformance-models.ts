/** A model repository that exercises the protocol: every datatype, strings, dynamic sizes, a segmentation model. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { node, value } from "@packshot/models/graph-builders.ts";
import {
  elementTypes,
  encodeModel,
  type OnnxModel,
  type OnnxNode,
  type OnnxValue,
} from "@packshot/models/onnx-file.ts";
import { tinySegmenter } from "@packshot/models/tiny-segmenter.ts";
import protobuf from "protobufjs";

const protoFile = fileURLToPath(new URL("../../proto/open_inference.proto", import.meta.url));

function model(nodes: OnnxNode[], input: OnnxValue[], output: OnnxValue[]): OnnxModel {
  return {
    irVersion: 8,
    producerName: "packshot",
    opsetImport: [{ domain: "", version: 17 }],
    metadataProps: [],
    graph: { name: "test", node: nodes, initializer: [], input, output, valueInfo: [] },
  };
}

/** Returns its inputs, for each of `types`: `IN_FP32` → `OUT_FP32`. */
function identity(types: Readonly<Record<string, number>>, dims: readonly (number | string)[]): OnnxModel {
  const names = Object.keys(types);
  return model(
    names.map((name) => node("Identity", [`IN_${name}`], `OUT_${name}`)),
    names.map((name) => value(`IN_${name}`, types[name]!, dims)),
    names.map((name) => value(`OUT_${name}`, types[name]!, dims)),
  );
}

const numeric = {
  BOOL: elementTypes.bool,
  UINT8: elementTypes.uint8,
  UINT16: 4,
  UINT32: 12,
  UINT64: 13,
  INT8: elementTypes.int8,
  INT16: 5,
  INT32: elementTypes.int32,
  INT64: elementTypes.int64,
  FP32: elementTypes.float32,
  FP64: elementTypes.float64,
};

/** Triton's own first example: two vectors in, their sum and difference out. */
function sumAndDifference(): OnnxModel {
  const vector = (name: string) => value(name, elementTypes.int32, ["N", 16]);
  return model(
    [node("Add", ["INPUT0", "INPUT1"], "OUTPUT0"), node("Sub", ["INPUT0", "INPUT1"], "OUTPUT1")],
    [vector("INPUT0"), vector("INPUT1")],
    [vector("OUTPUT0"), vector("OUTPUT1")],
  );
}

export const imageSide = 32;

export function writeConformanceModels(folder: string): void {
  const write = (name: string, made: OnnxModel, files: Readonly<Record<string, string>> = {}): void => {
    mkdirSync(join(folder, name, "1"), { recursive: true });
    writeFileSync(join(folder, name, "1", "model.onnx"), encodeModel(made));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, name, file), text);
  };
  write("simple", sumAndDifference());
  write("types", identity(numeric, ["N", 4]));
  write("strings", identity({ BYTES: elementTypes.string }, ["N", 2]));
  write("dynamic", identity({ FP32: elementTypes.float32 }, ["rows", "columns"]));
  write("segmenter", tinySegmenter({ width: imageSide, height: imageSide, channels: 3, depth: 1 }), {
    "packshot.json": JSON.stringify(segmenterManifest),
    "config.pbtxt": segmenterConfig,
  });
}

const segmenterManifest = {
  name: "segmenter",
  version: "1",
  description: "random weights",
  license: "Apache-2.0",
  trainedOn: "nothing",
  source: null,
  pre: { width: imageSide, height: imageSide, channels: "rgb", divideBy: "255", mean: [0, 0, 0], std: [1, 1, 1] },
  post: { output: null, activation: "none", range: "none" },
  score: null,
};

const segmenterConfig = `
name: "segmenter"
backend: "onnxruntime"
max_batch_size: 8
input [{ name: "image" data_type: TYPE_UINT8 format: FORMAT_NHWC dims: [ ${imageSide}, ${imageSide}, 3 ] }]
output [{ name: "matte" data_type: TYPE_UINT8 dims: [ ${imageSide}, ${imageSide}, 1 ] }]
dynamic_batching { preferred_batch_size: [ 1, 2, 4, 8 ] priority_levels: 3 default_priority_level: 2 }
instance_group [{ count: 2 kind: KIND_CPU }]
parameters { key: "packshot.channels" value: { string_value: "rgb" } }
`;

/** Our proto's fields as {message: {field: number}}, to be compared with the descriptors of tritonclient. */
export function protocolFieldNumbers(): Record<string, Record<string, number>> {
  const root = new protobuf.Root().loadSync(protoFile, { keepCase: true });
  const found: Record<string, Record<string, number>> = {};
  const visit = (namespace: protobuf.NamespaceBase): void => {
    for (const each of namespace.nestedArray) {
      if (each instanceof protobuf.Type) {
        const name = each.fullName.replace(/^\./, "");
        found[name] = Object.fromEntries(each.fieldsArray.map((field) => [field.name, field.id]));
      }
      if (each instanceof protobuf.Enum) found[each.fullName.replace(/^\./, "")] = { ...each.values };
      if (each instanceof protobuf.Namespace) visit(each);
    }
  };
  visit(root);
  return found;
}
