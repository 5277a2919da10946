/** The console's pages. Each is loaded when it is first opened. */
import { lazy } from "react";
import type { Page } from "./router/match-page.ts";

const Playground = lazy(async () => ({ default: (await import("./playground/playground.tsx")).Playground }));

/** In the order of the navigation. */
export const pages: readonly Page[] = [{ path: "/", title: "Playground", inNavigation: true, Component: Playground }];
