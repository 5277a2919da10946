/** Programs that make exactly this edit: for the command line, in TypeScript and in Python. The key is not in them. */
import { type EditRequest, isGroup, isObjectList, type Parameters, type ParameterValue } from "./edit.ts";

export interface ProgrammedEdit {
  readonly baseUrl: string;
  readonly request: EditRequest;
  readonly photo: { readonly name: string; readonly type: string };
  /** The extension of the result's file. */
  readonly extension: string;
}

export function resultName(photoName: string, tool: string, extension: string): string {
  return `${photoName.replace(/\.[^.]*$/, "")}-${tool}.${extension}`;
}

export function curlProgram({ baseUrl, request, photo, extension }: ProgrammedEdit): string {
  const { tool, parameters, preset } = request;
  const fields = [...flatten(parameters), ...(preset === undefined ? [] : [["preset", preset] as const])];
  const file = `image=@"${photo.name.replaceAll(/["\\]/g, "\\$&")}"`;
  return [
    "# The key is in PACKSHOT_KEY. The request waits up to a minute for the result.",
    `curl -sS --fail-with-body ${quote(`${baseUrl}/v1/tools/${tool}/edit`)} \\`,
    `  -H "Authorization: Bearer $PACKSHOT_KEY" -H 'Prefer: wait=60' \\`,
    ...fields.map(([name, value]) => `  --form-string ${quote(`${name}=${value}`)} \\`),
    `  -F ${quote(file)} |`,
    `  sed -n 's/.*"resultUrl":"\\([^"]*\\)".*/\\1/p' |`,
    `  xargs curl -sS --fail-with-body -o ${quote(resultName(photo.name, tool, extension))}`,
    "",
  ].join("\n");
}

export function typescriptProgram({ baseUrl, request, photo, extension }: ProgrammedEdit): string {
  const { tool, parameters, preset } = request;
  const options = {
    ...(Object.keys(parameters).length > 0 && { parameters }),
    ...(preset !== undefined && { preset }),
  };
  const given = Object.keys(options).length === 0 ? "" : `, ${JSON.stringify(options, null, 2)}`;
  return [
    'import { openAsBlob } from "node:fs";',
    'import { writeFile } from "node:fs/promises";',
    'import { Packshot } from "@packshot/sdk";',
    "",
    `const packshot = new Packshot({ baseUrl: ${JSON.stringify(baseUrl)}, apiKey: process.env.PACKSHOT_KEY! });`,
    `const photo = await openAsBlob(${JSON.stringify(photo.name)});`,
    `const edited = await packshot.edit(${JSON.stringify(tool)}, photo${given});`,
    "const { stream } = await edited.download();",
    `await writeFile(${JSON.stringify(resultName(photo.name, tool, extension))}, stream);`,
    "",
  ].join("\n");
}

/** With the standard library alone: nothing is to be installed. */
export function pythonProgram({ baseUrl, request, photo, extension }: ProgrammedEdit): string {
  const { tool, parameters, preset } = request;
  const contentType = photo.type.startsWith("image/") ? photo.type : "image/jpeg";
  const fields = [
    `"uploadSessionId": upload["uploadSessionId"]`,
    `"parameters": ${pythonValue(parameters)}`,
    ...(preset === undefined ? [] : [`"preset": ${JSON.stringify(preset)}`]),
  ];
  return `import json
import os
import urllib.request

API = ${JSON.stringify(baseUrl)}
KEY = os.environ["PACKSHOT_KEY"]


def send(method, url, body, headers):
    request = urllib.request.Request(url, data=body, method=method, headers=headers)
    with urllib.request.urlopen(request) as response:
        return response.read()


def call(path, fields, **headers):
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json", **headers}
    return json.loads(send("POST", API + path, json.dumps(fields).encode(), headers))


with open(${JSON.stringify(photo.name)}, "rb") as file:
    photo = file.read()
upload = call("/v1/uploads", {"contentType": ${JSON.stringify(contentType)}, "filename": ${JSON.stringify(photo.name)}, "sizeBytes": len(photo)})
send("PUT", upload["uploadUrl"], photo, upload["headers"])
job = call("/v1/tools/${tool}/edit", {${fields.join(", ")}}, Prefer="wait=60")
urllib.request.urlretrieve(job["resultUrl"], ${JSON.stringify(resultName(photo.name, tool, extension))})
`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function flatten(fields: Parameters, prefix = ""): (readonly [string, string])[] {
  return Object.entries(fields).flatMap(([name, value]): (readonly [string, string])[] =>
    isGroup(value) ? flatten(value, `${prefix}${name}.`) : [[`${prefix}${name}`, textOf(value)]],
  );
}

/** A form takes a list of objects as JSON, and one of words with commas. */
function textOf(value: ParameterValue): string {
  return isObjectList(value) ? JSON.stringify(value) : String(value);
}

function pythonValue(value: ParameterValue): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  if (isObjectList(value)) return `[${value.map(pythonValue).join(", ")}]`;
  if (!isGroup(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}: ${pythonValue(inner)}`);
  return `{${fields.join(", ")}}`;
}
