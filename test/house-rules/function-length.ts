import { isFunction, type Node } from "./syntax-tree.ts";

export interface FunctionLength {
  readonly name: string;
  readonly firstLine: number;
  /** The whole function, with those nested in it. */
  readonly lines: number;
  /** Whether it makes an object out of nested functions: its length is theirs together. */
  readonly isFactory: boolean;
}

const factoryName = /^(create|start|open|describe)[A-Z]/;

export function measureFunction(node: Node, parent: Node | undefined, text: string): FunctionLength {
  const lineOf = (offset: number) => text.slice(0, offset).split("\n").length;
  const { name } = (node.id ?? parent?.id ?? parent?.key ?? {}) as { name?: string };
  return {
    name: name ?? "anonymous",
    firstLine: lineOf(node.start),
    lines: lineOf(node.end) - lineOf(node.start) + 1,
    isFactory: factoryName.test(name ?? "") || returnsFunctions(node),
  };
}

/** Whether the function returns an object literal with a function of its own in it. */
function returnsFunctions({ body }: Node): boolean {
  const statements = (body as { body?: readonly Node[] }).body;
  if (!Array.isArray(statements)) return holdsFunction(body, new Set());
  const nested = new Set(statements.flatMap(functionsDeclaredBy));
  return statements.some(({ type, argument }) => type === "ReturnStatement" && holdsFunction(argument, nested));
}

function functionsDeclaredBy({ type, id, declarations }: Node): string[] {
  if (type === "FunctionDeclaration") return [(id as { name: string }).name];
  if (type !== "VariableDeclaration") return [];
  const variables = declarations as readonly { id: { name?: string }; init: unknown }[];
  return variables.filter(({ init }) => isFunction(init)).map((variable) => variable.id.name ?? "");
}

function holdsFunction(value: unknown, nested: ReadonlySet<string>): boolean {
  const node = value as Node | null | undefined;
  if (node?.type === "ParenthesizedExpression") return holdsFunction(node.expression, nested);
  if (node?.type !== "ObjectExpression") return false;
  return (node.properties as readonly { value?: Node }[]).some(
    (property) =>
      isFunction(property.value) ||
      (property.value?.type === "Identifier" && nested.has((property.value as unknown as { name: string }).name)),
  );
}
