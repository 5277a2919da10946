/** The frame of every page: navigation, a corner with the sign-out, and a banner while the server is unreachable. */
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import { useServerUnavailable } from "../api/server-status.ts";
import { Button } from "../components/button.tsx";
import { ThemeToggle } from "../components/theme-toggle.tsx";
import { hrefOf, useLocation } from "../router/location.ts";
import type { Page } from "../router/match-page.ts";

interface FrameProps {
  readonly brand: string;
  readonly title: string;
  /** For the navigation. */
  readonly pages: readonly Page[];
  /** Further entries of the navigation. */
  readonly links?: ReactNode;
  /** What stands before the sign-out. */
  readonly corner?: ReactNode;
  readonly onSignOut: () => void;
  readonly children: ReactNode;
}

export function Frame({ brand, title, pages, links, corner, onSignOut, children }: FrameProps) {
  const main = useRef<HTMLElement>(null);
  const { path } = useLocation();
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${title} · ${brand}`;
  }, [title, brand]);
  // A reader of the screen, and the keyboard, follow to the page that was opened.
  useEffect(() => {
    if (!isFirst.current && path !== "") main.current?.focus();
    isFirst.current = false;
  }, [path]);
  return (
    <>
      <header className="top">
        <button type="button" className="skip" onClick={() => main.current?.focus()}>
          Skip to the page
        </button>
        <a className="brand" href={hrefOf("/")}>
          {brand}
        </a>
        <Navigation pages={pages} path={path} links={links} />
        <div className="corner">
          {corner}
          <ThemeToggle />
          <Button kind="quiet" onClick={onSignOut}>
            Sign out
          </Button>
        </div>
      </header>
      <UnavailableBanner />
      <main ref={main} tabIndex={-1} className="page">
        {children}
      </main>
    </>
  );
}

function Navigation({ pages, path, links }: Pick<FrameProps, "pages" | "links"> & { readonly path: string }) {
  const isHere = (target: string) => path === target || (target !== "/" && path.startsWith(`${target}/`));
  return (
    <nav aria-label="Pages">
      <ul>
        {pages
          .filter(({ inNavigation }) => inNavigation)
          .map((page) => (
            <li key={page.path}>
              <a href={hrefOf(page.path)} aria-current={isHere(page.path) ? "page" : undefined}>
                {page.title}
              </a>
            </li>
          ))}
        {links}
      </ul>
    </nav>
  );
}

/** When the server is back, everything on the page is read again. */
function UnavailableBanner() {
  const isUnavailable = useServerUnavailable();
  const wasUnavailable = useRef(false);
  const queries = useQueryClient();
  useEffect(() => {
    if (wasUnavailable.current && !isUnavailable) void queries.invalidateQueries();
    wasUnavailable.current = isUnavailable;
  }, [isUnavailable, queries]);
  return (
    <div role="status" className={isUnavailable ? "unreachable" : "unreachable unreachable-hidden"}>
      {isUnavailable && "The server is unreachable. Retrying automatically."}
    </div>
  );
}
