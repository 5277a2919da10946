/** Whether an `Accept` header allows one of the media types that an operation answers with (RFC 9110). */
export function accepts(header: string | undefined, produces: readonly string[]): boolean {
  if (header === undefined || header.trim() === "" || produces.length === 0) return true;
  const ranges = header.split(",").flatMap((part) => {
    const [range = "", ...parameters] = part.trim().toLowerCase().split(";");
    const quality = parameters.map((text) => /^\s*q\s*=\s*([\d.]+)\s*$/.exec(text)?.[1]).find(Boolean);
    return [{ range: range.trim(), quality: quality === undefined ? 1 : Number(quality) }];
  });
  return produces.some((type) => {
    const [group] = type.split("/");
    const matching = ranges
      .filter(({ range }) => range === type || range === `${group}/*` || range === "*/*" || range === "*")
      .sort((a, b) => specificity(b.range) - specificity(a.range));
    return (matching[0]?.quality ?? 0) > 0;
  });
}

function specificity(range: string): number {
  if (range === "*/*" || range === "*") return 0;
  return range.endsWith("/*") ? 1 : 2;
}
