/** Nodes of a parsed TypeScript file (ESTree). */

export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const functionTypes = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

export function isFunction(value: unknown): boolean {
  return functionTypes.has((value as Node | undefined | null)?.type ?? "");
}

/** Calls `onNode` for every node under `value`, parents first. */
export function visit(value: unknown, onNode: (node: Node, parent: Node | undefined) => void, parent?: Node): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, onNode, parent);
    return;
  }
  if (typeof value !== "object" || value === null || typeof (value as Node).type !== "string") return;
  const node = value as Node;
  onNode(node, parent);
  for (const field of Object.values(node)) if (typeof field === "object" && field !== null) visit(field, onNode, node);
}

/** `...{ a, b }` in a literal, or `const [a, b] = [x, y]`: several things on one line, to make a file look shorter. */
export function isPacking({ type, argument, id, init }: Node): boolean {
  const typeOf = (value: unknown) => (value as Node | undefined | null)?.type;
  if (type === "SpreadElement") return typeOf(argument) === "ObjectExpression";
  return type === "VariableDeclarator" && typeOf(id) === "ArrayPattern" && typeOf(init) === "ArrayExpression";
}
