/** Which page an address names, and what its parameters are. */
import type { ComponentType } from "react";

export interface PageProps {
  /** `{id}` of the path `/jobs/:id`. */
  readonly params: Readonly<Record<string, string>>;
  /** What follows `?` in the address; `navigate` changes it. */
  readonly query: URLSearchParams;
}

export interface Page {
  /** `/jobs` or `/jobs/:id`. */
  readonly path: string;
  readonly title: string;
  readonly inNavigation: boolean;
  readonly Component: ComponentType<PageProps>;
}

export interface PageMatch {
  readonly page: Page;
  readonly params: Readonly<Record<string, string>>;
}

export function matchPage(pages: readonly Page[], path: string): PageMatch | undefined {
  for (const page of pages) {
    const params = matchPath(page.path, path);
    if (params !== undefined) return { page, params };
  }
  return undefined;
}

function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index]!;
    if (part.startsWith(":")) params[part.slice(1)] = decode(value);
    else if (part !== value) return undefined;
  }
  return params;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
