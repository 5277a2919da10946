/** What is on the screen: the sign-in, or the page of the address in the console's frame. */
import { type ReactNode, useEffect } from "react";
import { isKeyRefused } from "./api/describe-error.ts";
import { Empty } from "./components/empty.tsx";
import { Frame } from "./layout/frame.tsx";
import { lazyPage } from "./layout/lazy-page.tsx";
import { Link } from "./router/link.tsx";
import { useLocation } from "./router/location.ts";
import { matchPage, type Page } from "./router/match-page.ts";
import { useAccount } from "./session/read.ts";
import { useSession } from "./session/session.tsx";
import { SignIn } from "./session/sign-in.tsx";

export function App() {
  const { path, query } = useLocation();
  const { session } = useSession();
  const match = matchPage(pages, path);
  if (session === null) return <SignIn />;
  if (match === undefined) {
    return (
      <ConsoleFrame title="Not found">
        <Empty title="Page not found">
          <Link to="/">Go to the playground</Link>
        </Empty>
      </ConsoleFrame>
    );
  }
  const { page, params } = match;
  return (
    <ConsoleFrame title={page.title}>
      <page.Component key={path} params={params} query={query} />
    </ConsoleFrame>
  );
}

function ConsoleFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const { signOut } = useSession();
  return (
    <Frame
      brand="Packshot"
      title={title}
      pages={pages}
      links={
        <li>
          <a href="/docs">API</a>
        </li>
      }
      corner={<AccountCorner />}
      onSignOut={() => signOut()}
    >
      {children}
    </Frame>
  );
}

function AccountCorner() {
  const { session, signOut } = useSession();
  const { data, error } = useAccount();
  useEffect(() => {
    if (isKeyRefused(error)) signOut(error);
  }, [error, signOut]);
  return (
    <>
      {session?.isTest === true && <span className="badge">test key</span>}
      {data !== undefined && (
        <span className="credits" title={`Plan ${data.plan}`}>
          {data.credits.remaining.toLocaleString("en")} credits
        </span>
      )}
    </>
  );
}

const Playground = lazyPage("Playground", async () => (await import("./playground/playground.tsx")).Playground);
const JobList = lazyPage("JobList", async () => (await import("./jobs/job-list.tsx")).JobList);
const JobDetail = lazyPage("JobDetail", async () => (await import("./jobs/job-detail.tsx")).JobDetail);
const Review = lazyPage("Review", async () => (await import("./review/review.tsx")).Review);
const BatchList = lazyPage("BatchList", async () => (await import("./batches/batch-list.tsx")).BatchList);
const BatchDetail = lazyPage("BatchDetail", async () => (await import("./batches/batch-detail.tsx")).BatchDetail);
const WebhookList = lazyPage("WebhookList", async () => (await import("./webhooks/webhook-list.tsx")).WebhookList);
const WebhookDetail = lazyPage(
  "WebhookDetail",
  async () => (await import("./webhooks/webhook-detail.tsx")).WebhookDetail,
);
const DeliveryDetail = lazyPage(
  "DeliveryDetail",
  async () => (await import("./webhooks/delivery-detail.tsx")).DeliveryDetail,
);
const KeyList = lazyPage("KeyList", async () => (await import("./keys/key-list.tsx")).KeyList);
const Usage = lazyPage("Usage", async () => (await import("./usage/usage.tsx")).Usage);

/** In the order of the navigation. */
const pages: readonly Page[] = [
  { path: "/", title: "Playground", inNavigation: true, Component: Playground },
  { path: "/jobs", title: "Jobs", inNavigation: true, Component: JobList },
  { path: "/jobs/:id", title: "Job", inNavigation: false, Component: JobDetail },
  { path: "/review", title: "Review", inNavigation: true, Component: Review },
  { path: "/batches", title: "Batches", inNavigation: true, Component: BatchList },
  { path: "/batches/:id", title: "Batch", inNavigation: false, Component: BatchDetail },
  { path: "/webhooks", title: "Webhooks", inNavigation: true, Component: WebhookList },
  { path: "/webhooks/:id", title: "Webhook", inNavigation: false, Component: WebhookDetail },
  { path: "/webhooks/:id/deliveries/:event", title: "Delivery", inNavigation: false, Component: DeliveryDetail },
  { path: "/keys", title: "Keys", inNavigation: true, Component: KeyList },
  { path: "/usage", title: "Usage", inNavigation: true, Component: Usage },
];
