/** The files that the house rules look at. */

import { readSource, type SourceFile, trackedFiles } from "./source-tree.ts";

export const tracked = trackedFiles();
export const sources = tracked.filter((path) => path.endsWith(".ts")).map(readSource);
export const written = sources.filter(({ path }) => !path.includes("/generated/"));
const isProduct = ({ path }: SourceFile) => /^(packages|services|cli)\//.test(path);
export const product = sources.filter((file) => isProduct(file) && !file.isSpec);
export const specs = sources.filter((file) => file.isSpec);
