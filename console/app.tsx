/** What is on the screen: the sign-in, or the page of the address in the console's frame. */
import { Empty } from "./components/empty.tsx";
import { Frame } from "./layout/frame.tsx";
import { pages } from "./pages.ts";
import { Link } from "./router/link.tsx";
import { useLocation } from "./router/location.ts";
import { matchPage } from "./router/match-page.ts";
import { useSession } from "./session/session.tsx";
import { SignIn } from "./session/sign-in.tsx";

export function App() {
  const { path, query } = useLocation();
  const { session } = useSession();
  const match = matchPage(pages, path);
  if (session === null) return <SignIn />;
  if (match === undefined) {
    return (
      <Frame title="Not found" pages={pages}>
        <Empty title="Page not found">
          <Link to="/">Go to the playground</Link>
        </Empty>
      </Frame>
    );
  }
  const { page, params } = match;
  return (
    <Frame title={page.title} pages={pages}>
      <page.Component key={path} params={params} query={query} />
    </Frame>
  );
}
