/**
 * What each process of Node that a test starts has in its environment, beside what the test gives it. Compiled modules are
 * kept from start to start, as `packshot up` keeps them: that halves the processor time of a start, and a run of all tests has
 * a thousand.
 */
import { fileURLToPath } from "node:url";

export const compileCacheFolder = fileURLToPath(new URL("../.cache/node-compile", import.meta.url));

export const processEnvironment: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? "",
  NODE_COMPILE_CACHE: compileCacheFolder,
};
