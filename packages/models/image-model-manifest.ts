/**
 * An operator's manifest of an image model: its `pipeline.json`, and where each other file of it comes from. Packshot ships none, because
 * it has not hashed any published export.
 */
import { fieldsOf, fieldsOfJson, isObject, isSha256, isText } from "./manifest.ts";
import { parsePipeline, pipelineFileName, pipelineGraphs } from "./pipeline-file.ts";

export interface ImageModelFile {
  /** In the model's folder. Graphs name their files of weights, so the name is that of the publisher's graph. */
  readonly name: string;
  readonly url: string;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

export interface ImageModelManifest {
  readonly name: string;
  readonly description: string;
  /** SPDX identifier of the weights' license. */
  readonly license: string;
  readonly trainedOn: string;
  /** The content of `pipeline.json`, which a model server reads. */
  readonly pipeline: Readonly<Record<string, unknown>>;
  readonly files: readonly ImageModelFile[];
}

/** What a pull writes itself, beside `pipeline.json`. */
export const filesRecordName = "files.json";

const filesMax = 100;
const fileBytesMax = 64 * 2 ** 30;

/** Throws an error that names the file and the field. */
export function parseImageModelManifest(text: string, file: string): ImageModelManifest {
  const field = fieldsOfJson(text, file);
  const pipeline = field(
    "pipeline",
    (v): v is Record<string, unknown> => isObject(v),
    "an object, the content of pipeline.json",
  );
  const { pipeline: kind, description, license } = parsePipeline(pipeline, `${file} pipeline`);
  const listed = field(
    "files",
    (v): v is unknown[] => Array.isArray(v) && v.length >= 1 && v.length <= filesMax,
    `a list of 1 to ${filesMax} files`,
  );
  const files = listed.map((each, at) => parseFile(each, `${file} files[${at}]`));
  const names = files.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`${file}: ${twice} is there twice`);
  const wanted = ["tokenizer.json", ...pipelineGraphs[kind].map((graph) => `${graph}.onnx`)];
  const missing = wanted.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new Error(`${file}: files lack ${missing.join(", ")}`);
  const hashes = files.map(({ sha256 }) => sha256);
  const same = files.find(({ sha256 }, at) => hashes.indexOf(sha256) !== at);
  if (same !== undefined) throw new Error(`${file}: ${same.name} has the sha256 of another file`);
  return {
    name: field("name", (v): v is string => isText(v) && /^[a-z0-9][a-z0-9._-]*$/.test(v), "a name in lower case"),
    trainedOn: field("trainedOn", isText, "a text"),
    description,
    license,
    pipeline,
    files,
  };
}

function parseFile(json: unknown, where: string): ImageModelFile {
  const field = fieldsOf(json, where);
  const isName = (v: unknown): v is string =>
    isText(v) && /^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(v) && v !== pipelineFileName && v !== filesRecordName;
  return {
    name: field(
      "name",
      isName,
      `a file's name without a folder, and neither ${pipelineFileName} nor ${filesRecordName}`,
    ),
    url: field("url", (v): v is string => isText(v) && /^https?:$/.test(URL.parse(v)?.protocol ?? ""), "an address"),
    sha256: field("sha256", (v): v is string => isText(v) && isSha256(v), "64 lower-case hex digits"),
    sizeBytes: field(
      "sizeBytes",
      (v): v is number => Number.isSafeInteger(v) && (v as number) >= 1 && (v as number) <= fileBytesMax,
      `1 to ${fileBytesMax}`,
    ),
  };
}
