/** The API reference: the OpenAPI document as one self-contained HTML page without scripts or external resources. */
import { type OpenapiDocument, resolveReference } from "./contract.ts";

interface DocumentedOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly object[];
  readonly parameters?: readonly object[];
  readonly requestBody?: {
    readonly content: Record<string, { schema?: object; examples?: Record<string, { value: unknown }> }>;
  };
  readonly responses: Record<
    string,
    { description?: string; $ref?: string; content?: Record<string, { schema?: object; example?: unknown }> }
  >;
}

interface OperationEntry {
  readonly method: string;
  readonly path: string;
  readonly operation: DocumentedOperation;
  readonly parameters: readonly { name: string; in: string; description?: string; schema?: object }[];
}

export function docsPage(document: OpenapiDocument): string {
  const info = document.info as { title: string; summary: string; description: string; version: string };
  const tags = document.tags as readonly { name: string; description: string }[];
  const operations = listOperations(document);
  const schemas = Object.entries(document.components.schemas);
  const nav = tags.map(({ name }) => `<a href="#${slug(name)}">${escapeHtml(name)}</a>`).join("");
  const sections = tags.map(
    ({ name, description }) =>
      `<section id="${slug(name)}"><h2>${escapeHtml(name)}</h2><p>${inline(description)}</p>${operations
        .filter(({ operation }) => operation.tags?.includes(name))
        .map((entry) => operationHtml(document, entry))
        .join("")}</section>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(info.title)} ${escapeHtml(info.version)}</title><style>${style}</style>
<header><h1>${escapeHtml(info.title)}</h1><p>${escapeHtml(info.summary)}</p><nav>${nav}<a href="#schemas">Schemas</a><a href="/openapi.json">openapi.json</a></nav></header>
<main><section>${prose(info.description)}</section>${sections.join("")}
<section id="schemas"><h2>Schemas</h2>${schemas
    .map(([name, schema]) => `<details id="schema-${name}"><summary>${name}</summary>${json(schema)}</details>`)
    .join("")}</section></main></html>`;
}

function listOperations(document: OpenapiDocument): OperationEntry[] {
  const entries: OperationEntry[] = [];
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of ["get", "post", "put", "patch", "delete"]) {
      const operation = item[method] as DocumentedOperation | undefined;
      if (operation === undefined) continue;
      const parameters = [...((item.parameters as object[] | undefined) ?? []), ...(operation.parameters ?? [])].map(
        (parameter) => resolveReference(document, parameter) as OperationEntry["parameters"][number],
      );
      entries.push({ method, path, operation, parameters });
    }
  }
  return entries;
}

function operationHtml(document: OpenapiDocument, { method, path, operation, parameters }: OperationEntry): string {
  const rows = parameters.map(
    (parameter) =>
      `<tr><td><code>${escapeHtml(parameter.name)}</code><td>${parameter.in}<td>${inline(parameter.description ?? "")} ${schemaLine(parameter.schema)}`,
  );
  const bodies = Object.entries(operation.requestBody?.content ?? {}).map(
    ([type, { schema, examples }]) =>
      `<h4>Request body <small>${type}</small> ${schemaLine(schema)}</h4>${Object.values(examples ?? {})
        .map(({ value }) => json(value))
        .join("")}`,
  );
  const responses = Object.entries(operation.responses).map(([status, reference]) => {
    const response = resolveReference(document, reference) as DocumentedOperation["responses"][string];
    const [content] = Object.values(response.content ?? {});
    const example = content?.example === undefined ? "" : json(content.example);
    return `<tr><td><code>${status}</code><td>${inline(response.description ?? "")} ${schemaLine(content?.schema)}${example}`;
  });
  return `<article id="${operation.operationId}"><h3><span class="${method}">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code></h3>
<p><b>${inline(operation.summary ?? "")}</b></p>${prose(operation.description ?? "")}${
    rows.length === 0 ? "" : `<table>${rows.join("")}</table>`
  }${bodies.join("")}<details><summary>Responses</summary><table>${responses.join("")}</table></details></article>`;
}

function schemaLine(schema: object | undefined): string {
  if (schema === undefined) return "";
  const reference = (schema as { $ref?: string }).$ref;
  if (reference === undefined) return `<code>${escapeHtml(JSON.stringify(schema))}</code>`;
  const name = reference.split("/").at(-1)!;
  return `<a href="#schema-${name}">${name}</a>`;
}

/** The subset of Markdown that the document uses: paragraphs, one level of headings, tables, code. */
function prose(text: string): string {
  return text
    .trim()
    .split(/\n{2,}/)
    .map((block) => {
      if (block.startsWith("## ")) {
        const [heading = "", ...rest] = block.split("\n");
        return `<h2>${inline(heading.slice(3))}</h2>${rest.length > 0 ? `<p>${inline(rest.join(" "))}</p>` : ""}`;
      }
      if (!block.startsWith("|")) return block === "" ? "" : `<p>${inline(block)}</p>`;
      const rows = block.split("\n").filter((row) => !/^\|[-| ]+\|$/.test(row));
      return `<table>${rows
        .map(
          (row) =>
            `<tr>${row
              .split("|")
              .slice(1, -1)
              .map((cell) => `<td>${inline(cell.trim())}`)
              .join("")}`,
        )
        .join("")}</table>`;
    })
    .join("");
}

function inline(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}

function json(value: unknown): string {
  return `<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function slug(text: string): string {
  return text.toLowerCase().replaceAll(/\W+/g, "-");
}

const style = `:root{color-scheme:light dark;--line:color-mix(in srgb,currentColor 18%,transparent)}
body{font:15px/1.5 system-ui,sans-serif;margin:0}header,main{max-width:60rem;margin:0 auto;padding:1rem}
nav a{margin-right:1rem}article{border-top:1px solid var(--line);padding:.5rem 0}h3{font-weight:500}
h3 span{font:600 .75rem ui-monospace,monospace;padding:.15rem .4rem;border-radius:.3rem;border:1px solid var(--line)}
.get{color:#0a7}.post{color:#06c}.patch{color:#a60}.delete{color:#c33}
table{border-collapse:collapse;width:100%}td{border-bottom:1px solid var(--line);padding:.25rem .5rem;vertical-align:top}
pre{overflow:auto;padding:.6rem;border:1px solid var(--line);border-radius:.4rem;font-size:.85rem}code{font-size:.9em}`;
