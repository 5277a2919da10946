/** `$(NAME)` in commands, arguments and values; `$$` stands for a dollar sign. What is not set stays as it is. */
export function expandReferences(text: string, environment: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\$\$|\$\(([-._a-zA-Z][-._a-zA-Z0-9]*)\)/g, (whole, name?: string) =>
    name === undefined ? "$" : (environment.get(name) ?? whole),
  );
}
