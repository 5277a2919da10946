/** The operator's page: the sign-in with the token, or one of its views in a frame of their own. */
import { type ReactNode, useEffect } from "react";
import { isKeyRefused } from "../api/describe-error.ts";
import { Empty } from "../components/empty.tsx";
import { Frame } from "../layout/frame.tsx";
import { SignInForm } from "../layout/sign-in-form.tsx";
import { Link } from "../router/link.tsx";
import { useLocation } from "../router/location.ts";
import { matchPage, type Page } from "../router/match-page.ts";
import { AccountDetail } from "./account-detail.tsx";
import { AccountList } from "./account-list.tsx";
import { useOperatorSession } from "./operator-session.tsx";
import { useServiceStatus } from "./service-health.tsx";
import { ServiceOverview } from "./service-overview.tsx";

const brand = "Packshot operator";

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
  const { signOut } = useOperatorSession();
  const { error } = useServiceStatus();
  useEffect(() => {
    if (isKeyRefused(error)) signOut(error);
  }, [error, signOut]);
  return (
    <Frame brand={brand} title={title} pages={pages} onSignOut={() => signOut()}>
      {children}
    </Frame>
  );
}

function OperatorSignIn() {
  const { signIn, refusal } = useOperatorSession();
  return (
    <SignInForm
      brand={brand}
      name="token"
      label="Operator's token"
      hint="The value of PACKSHOT_ADMIN_TOKEN. It stays in this tab: closing the tab forgets it."
      refusal={refusal}
      onSignIn={signIn}
    />
  );
}
