/** The operator's page: the sign-in with the token, or one of its views in a frame of their own. */
import { type ReactNode, useEffect, useRef } from "react";
import { isKeyRefused } from "../api/describe-error.ts";
import { useServerUnavailable } from "../api/server-status.ts";
import { Button } from "../components/button.tsx";
import { Empty } from "../components/empty.tsx";
import { ThemeToggle } from "../components/theme-toggle.tsx";
import { Link } from "../router/link.tsx";
import { matchPage, type Page } from "../router/match-page.ts";
import { hrefOf, useLocation } from "../router/location.ts";
import { AccountDetail } from "./account-detail.tsx";
import { AccountList } from "./account-list.tsx";
import { OperatorSignIn } from "./operator-sign-in.tsx";
import { useOperatorSession } from "./operator-session.tsx";
import { ServiceOverview } from "./service-overview.tsx";
import { useServiceStatus } from "./service-health.tsx";

const pages: readonly Page[] = [
  { path: "/", title: "Service", inNavigation: true, Component: ServiceOverview },
  { path: "/accounts", title: "Accounts", inNavigation: true, Component: AccountList },
  { path: "/accounts/:id", title: "Account", inNavigation: false, Component: AccountDetail },
];

export function OperatorApp() {
  const { api } = useOperatorSession();
  const { path, query } = useLocation();
  const match = matchPage(pages, path);
  if (api === null) return <OperatorSignIn />;
  if (match === undefined) {
    return (
      <OperatorFrame title="Not found">
        <Empty title="Page not found">
          <Link to="/">Go to the service</Link>
        </Empty>
      </OperatorFrame>
    );
  }
  const { page, params } = match;
  return (
    <OperatorFrame title={page.title}>
      <page.Component key={path} params={params} query={query} />
    </OperatorFrame>
  );
}

interface OperatorFrameProps {
  readonly title: string;
  readonly children: ReactNode;
}

function OperatorFrame({ title, children }: OperatorFrameProps) {
  const main = useRef<HTMLElement>(null);
  const { path } = useLocation();
  const isUnavailable = useServerUnavailable();
  const { signOut } = useOperatorSession();
  const { error } = useServiceStatus();
  useEffect(() => {
    document.title = `${title} · Packshot operator`;
  }, [title]);
  useEffect(() => {
    if (isKeyRefused(error)) signOut();
  }, [error, signOut]);
  const isHere = (target: string) => path === target || (target !== "/" && path.startsWith(`${target}/`));
  return (
    <>
      <header className="top">
        <button type="button" className="skip" onClick={() => main.current?.focus()}>
          Skip to the page
        </button>
        <a className="brand" href={hrefOf("/")}>
          Packshot operator
        </a>
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
          </ul>
        </nav>
        <div className="corner">
          <ThemeToggle />
          <Button kind="quiet" onClick={signOut}>
            Sign out
          </Button>
        </div>
      </header>
      <div role="status" className={isUnavailable ? "unreachable" : "unreachable unreachable-hidden"}>
        {isUnavailable && "The server is unreachable. Retrying automatically."}
      </div>
      <main ref={main} tabIndex={-1} className="page">
        {children}
      </main>
    </>
  );
}
