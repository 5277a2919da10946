/** The files that the house rules look at. */

import { readSource, type SourceFile, trackedFiles } from "./source-tree.ts";

export const tracked = trackedFiles();
export const sources = tracked.filter((path) => /\.tsx?$/.test(path)).map(readSource);
export const written = sources.filter(({ path }) => !path.includes("/generated/"));
/** Examples are programs of users: they read their own environment, and import what they like. */
const isProduct = ({ path }: SourceFile) =>
  /^(packages|services|cli|console)\//.test(path) && !path.includes("/examples/");
export const product = sources.filter((file) => isProduct(file) && !file.isSpec);
export const specs = sources.filter((file) => file.isSpec);
