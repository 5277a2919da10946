/** A page whose code is read when it is first opened. Where that fails, the page says so, and reads it again. */
import { PackshotError } from "@packshot/sdk";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { ComponentType } from "react";
import { Loaded } from "../components/loaded.tsx";
import type { PageProps } from "../router/match-page.ts";

type PageComponent = ComponentType<PageProps>;

interface ReadPage {
  readonly Component: PageComponent;
}

/** `name` is that of the component. */
export function lazyPage(name: string, read: () => Promise<PageComponent>): PageComponent {
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each page, when the console starts
  return function LazyPage(props) {
    const page = useQuery({
      queryKey: ["code of a page", name],
      queryFn: async (): Promise<ReadPage> => ({ Component: await read().catch(explain) }),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: Number.POSITIVE_INFINITY,
    }) as UseQueryResult<ReadPage>;
    return (
      <Loaded read={page} label="Loading the page">
        {({ Component }) => <Component {...props} />}
      </Loaded>
    );
  };
}

/** Browsers do not tell an unreachable server from one that has another version of the console by now. */
async function explain(): Promise<never> {
  const isThere = await fetch("/healthz", { cache: "no-store" }).then(
    ({ status }) => status < 500,
    () => false,
  );
  if (!isThere) throw new PackshotError("connection_failed", "The page's code could not be read.");
  throw new Error("The server has another version of the console by now: reload the page.");
}
