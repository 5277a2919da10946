/** The files that the house rules look at. */

import { readSource, type SourceFile, trackedFiles } from "./source-tree.ts";

export const tracked = trackedFiles();
export const sources = tracked.filter((path) => path.endsWith(".ts")).map(readSource);
export const written = sources.filter(({ path }) => !path.includes("/generated/"));
const isProduct = ({ path }: SourceFile) => /^(packages|services|cli)\//.test(path);
/** What the specs of one folder share: `test-x.ts`, imported by no product file. */
export const isTestSupport = ({ path }: SourceFile) =>
  /\/test-[^/]+\.ts$/.test(path) && !sources.some((other) => !other.isSpec && other.uses.includes(path));
export const product = sources.filter((file) => isProduct(file) && !file.isSpec && !isTestSupport(file));
export const specs = sources.filter((file) => file.isSpec);
