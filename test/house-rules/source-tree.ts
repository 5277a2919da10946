/** The repository's own source as the house rules see it: its tracked files, and what each TypeScript file imports. */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAst } from "vitest/node";
import { type FunctionLength, measureFunction } from "./function-length.ts";
import { isFunction, isPacking, type Node, visit } from "./syntax-tree.ts";

const repositoryRoot = fileURLToPath(new URL("../..", import.meta.url));

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
  readonly functions: readonly FunctionLength[];
  /** Lines that pack several things into one (`isPacking`). */
  readonly packing: readonly number[];
  readonly hasDefaultExport: boolean;
  /** Nothing but re-exports. */
  readonly isBarrel: boolean;
}

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
  const program = parseAst(text, { lang: path.endsWith(".tsx") ? "tsx" : "ts" }, path) as unknown as Node & {
    body: readonly Node[];
  };
  const imports: string[] = [];
  const named: string[] = [];
  const functions: FunctionLength[] = [];
  const packing: number[] = [];
  let hasDefaultExport = false;

  visit(program, (node, parent) => {
    const source = literal(node.source);
    if (source !== undefined && /^(Import|Export)/.test(node.type)) imports.push(source); // `import()` too
    if (node.type === "TSImportType") imports.push(literal(node.source) ?? literal(node.argument) ?? "");
    if (node.type === "ExportDefaultDeclaration") hasDefaultExport = true;
    const value = literal(node);
    // A worker thread or a child process is started by the name of its file.
    if (value !== undefined && /^[\w./-]+\.tsx?$/.test(value)) named.push(value);
    if (isFunction(node)) functions.push(measureFunction(node, parent, text));
    if (isPacking(node)) packing.push(text.slice(0, node.start).split("\n").length);
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
    packing,
    hasDefaultExport,
    isBarrel:
      program.body.length > 0 &&
      program.body.every((node) => node.type.startsWith("Export") && literal(node.source) !== undefined),
  };
}

export interface Manifest {
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

export function readManifests(): Manifest[] {
  const paths = trackedFiles().filter((path) =>
    /^((packages|services)\/[^/]+\/|(cli|console)\/)?package\.json$/.test(path),
  );
  return paths.map((path) => {
    const { name, version, dependencies, optionalDependencies, devDependencies } = JSON.parse(readTracked(path)) as {
      readonly [field in "dependencies" | "optionalDependencies" | "devDependencies"]?: Manifest["dependencies"];
    } & { readonly name?: string; readonly version: string };
    return {
      path,
      name: name ?? "",
      version,
      dependencies: { ...dependencies, ...optionalDependencies },
      devDependencies: devDependencies ?? {},
    };
  });
}
