/** The repository's own source as the house rules see it: its tracked files, and what each TypeScript file imports. */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAst } from "vitest/node";

export const repositoryRoot = fileURLToPath(new URL("../..", import.meta.url));

export interface SourceFunction {
  readonly name: string;
  readonly firstLine: number;
  /** Its own, without those of functions inside it: a closure that makes a port is as long as its parts need. */
  readonly lines: number;
}

export interface SourceFile {
  /** From the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  /** A spec, or a suite that only specs use, `describe-x.ts`. */
  readonly isSpec: boolean;
  /** As written: "./x.ts", "@packshot/domain/x.ts", "node:fs", "sharp". */
  readonly imports: readonly string[];
  /** Repository paths of the files that it imports, starts as a worker or names beside itself. */
  readonly uses: readonly string[];
  readonly functions: readonly SourceFunction[];
  readonly hasDefaultExport: boolean;
  /** Nothing but re-exports. */
  readonly isBarrel: boolean;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const functionTypes = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

export function trackedFiles(): string[] {
  const output = execFileSync("git", ["ls-files", "-z"], {
    cwd: repositoryRoot,
    encoding: "utf8",
    maxBuffer: 64 << 20,
  });
  return output.split("\0").filter((path) => path !== "" && existsSync(join(repositoryRoot, path)));
}

export function readTracked(path: string): string {
  return readFileSync(join(repositoryRoot, path), "utf8");
}

function visit(value: unknown, onNode: (node: Node, parent: Node | undefined) => void, parent?: Node): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, onNode, parent);
    return;
  }
  if (typeof value !== "object" || value === null || typeof (value as Node).type !== "string") return;
  const node = value as Node;
  onNode(node, parent);
  for (const field of Object.values(node)) if (typeof field === "object" && field !== null) visit(field, onNode, node);
}

/** "@packshot/api/http/x.ts" → services/api/http/x.ts; null for npm packages and node: modules. */
export function resolveImport(from: string, specifier: string): string | null {
  if (specifier.startsWith(".")) return posix.join(dirname(from), specifier);
  const workspace = /^@packshot\/([a-z]+)\/(.+)$/.exec(specifier);
  if (!workspace) return null;
  const home = ["packages", "services"].find((folder) => existsSync(join(repositoryRoot, folder, workspace[1]!)));
  return home === undefined ? `${workspace[1]}/${workspace[2]}` : `${home}/${workspace[1]}/${workspace[2]}`;
}

function literal(node: unknown): string | undefined {
  const { type, value } = (node ?? {}) as { type?: string; value?: unknown };
  return type === "Literal" && typeof value === "string" ? value : undefined;
}

export function readSource(path: string): SourceFile {
  const text = readTracked(path);
  const program = parseAst(text, { lang: "ts" }, path) as unknown as Node & { body: readonly Node[] };
  const lineOf = (offset: number) => text.slice(0, offset).split("\n").length;
  const imports: string[] = [];
  const named: string[] = [];
  const spans: { node: Node; parent: Node | undefined }[] = [];
  let hasDefaultExport = false;

  visit(program, (node, parent) => {
    const source = literal(node.source);
    if (source !== undefined && /^(Import|Export)/.test(node.type)) imports.push(source); // `import()` too
    if (node.type === "TSImportType") imports.push(literal(node.source) ?? literal(node.argument) ?? "");
    if (node.type === "ExportDefaultDeclaration") hasDefaultExport = true;
    const value = literal(node);
    // A worker thread or a child process is started by the name of its file.
    if (value !== undefined && /^[\w./-]+\.ts$/.test(value)) named.push(value);
    if (functionTypes.has(node.type)) spans.push({ node, parent });
  });

  const lineCount = (node: Node) => lineOf(node.end) - lineOf(node.start) + 1;
  const contains = (outer: Node, inner: Node) =>
    outer !== inner && outer.start <= inner.start && inner.end <= outer.end;
  const functions = spans.map(({ node, parent }): SourceFunction => {
    const inside = spans.filter((other) => contains(node, other.node));
    const direct = inside.filter((other) => !inside.some((between) => contains(between.node, other.node)));
    const nestedLines = direct.reduce((sum, other) => sum + lineCount(other.node) - 1, 0);
    const id = (node.id ?? parent?.id ?? parent?.key) as { name?: string } | undefined;
    return { name: id?.name ?? "anonymous", firstLine: lineOf(node.start), lines: lineCount(node) - nestedLines };
  });

  const imported = imports.map((specifier) => resolveImport(path, specifier)).filter((target) => target !== null);
  const mentioned = named.flatMap((name) => [posix.join(dirname(path), name), posix.normalize(name)]);
  return {
    path,
    text,
    lines: text.split("\n").length - 1,
    isSpec: /\.spec\.ts$|\/describe-[^/]+\.ts$/.test(path),
    imports: imports.filter((specifier) => specifier !== ""),
    uses: [...new Set([...imported, ...mentioned])],
    functions,
    hasDefaultExport,
    isBarrel:
      program.body.length > 0 &&
      program.body.every((node) => node.type.startsWith("Export") && literal(node.source) !== undefined),
  };
}

export interface Manifest {
  readonly path: string;
  readonly name: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

export function readManifests(): Manifest[] {
  const paths = trackedFiles().filter((path) =>
    /^((packages|services)\/[^/]+\/|cli\/|console\/)?package\.json$/.test(path),
  );
  return paths.map((path) => {
    const { name, dependencies = {}, devDependencies = {} } = JSON.parse(readTracked(path)) as Partial<Manifest>;
    return { path, name: name ?? "", dependencies, devDependencies };
  });
}
