/** From a file or folder to those that it imports. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/** Files that import each other, directly or by way of others: the strongly connected components (Tarjan). */
export function circlesOf(imports: Imports): string[][] {
  const circles: string[][] = [];
  const order = new Map<string, number>();
  /** The earliest file on the stack that is reached from each. */
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();

  function visit(file: string): void {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    stack.push(file);
    onStack.add(file);
    for (const next of imports.get(file) ?? []) {
      if (!order.has(next)) visit(next);
      if (onStack.has(next)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(next)!));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const circle = stack.splice(stack.indexOf(file));
    for (const member of circle) onStack.delete(member);
    if (circle.length > 1) circles.push(circle);
  }

  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return circles;
}

/** Pairs of folders with a file in each that imports the other folder: "a ↔ b: a/x.ts, b/y.ts". */
export function mutualFolders(imports: Imports): string[] {
  const folderOf = (file: string) => file.slice(0, file.lastIndexOf("/"));
  const firstFile = new Map<string, string>();
  for (const [file, targets] of imports) {
    for (const target of targets) {
      const edge = `${folderOf(file)} ↔ ${folderOf(target)}`;
      if (!firstFile.has(edge)) firstFile.set(edge, file);
    }
  }
  return [...firstFile].flatMap(([edge, file]) => {
    const [from, to] = edge.split(" ↔ ") as [string, string];
    const back = from < to ? firstFile.get(`${to} ↔ ${from}`) : undefined;
    return back === undefined ? [] : [`${edge}: ${file}, ${back}`];
  });
}
