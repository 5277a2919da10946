/** The frame of every page: navigation, the account, and a banner while the server is unreachable. */
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import { isKeyRefused } from "../api/describe-error.ts";
import { useServerUnavailable } from "../api/server-status.ts";
import { Button } from "../components/button.tsx";
import { ThemeToggle } from "../components/theme-toggle.tsx";
import type { Page } from "../router/match-page.ts";
import { hrefOf, useLocation } from "../router/location.ts";
import { useAccount } from "../session/read.ts";
import { useSession } from "../session/session.tsx";

interface FrameProps {
  readonly title: string;
  /** For the navigation. */
  readonly pages: readonly Page[];
  readonly children: ReactNode;
}

export function Frame({ title, pages, children }: FrameProps) {
  const main = useRef<HTMLElement>(null);
  const { path } = useLocation();
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${title} · Packshot`;
  }, [title]);
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
          Packshot
        </a>
        <Navigation pages={pages} path={path} />
        <AccountCorner />
      </header>
      <UnavailableBanner />
      <main ref={main} tabIndex={-1} className="page">
        {children}
      </main>
    </>
  );
}

function Navigation({ pages, path }: Pick<FrameProps, "pages"> & { readonly path: string }) {
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
        <li>
          <a href="/docs">API</a>
        </li>
      </ul>
    </nav>
  );
}

function AccountCorner() {
  const { session, signOut } = useSession();
  const { data, error } = useAccount();
  useEffect(() => {
    if (isKeyRefused(error)) signOut();
  }, [error, signOut]);
  return (
    <div className="corner">
      {session?.isTest === true && <span className="badge">test key</span>}
      {data !== undefined && (
        <span className="credits" title={`Plan ${data.plan}`}>
          {data.credits.remaining.toLocaleString("en")} credits
        </span>
      )}
      <ThemeToggle />
      <Button kind="quiet" onClick={signOut}>
        Sign out
      </Button>
    </div>
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
