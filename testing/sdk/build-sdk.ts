/** The SDK as its users get it: built, in a folder of a program of theirs. */
import { execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const source = join(root, "packages/sdk");

export interface SdkConsumer {
  /** A program in this folder finds `@packshot/sdk`, and this repository's packages, by their names. */
  readonly dir: string;
  /** The built package. */
  readonly package: string;
  stop(): Promise<void>;
}

export async function buildSdk(): Promise<SdkConsumer> {
  // Below the repository, because what the SDK depends on is looked for in the folders above.
  await mkdir(join(root, ".cache"), { recursive: true });
  const dir = await mkdtemp(join(root, ".cache/sdk-"));
  const built = join(dir, "node_modules/@packshot/sdk");
  await mkdir(built, { recursive: true });
  await cp(join(source, "package.json"), join(built, "package.json"));
  const compiler = join(root, "node_modules/.bin/tsc");
  execFileSync(compiler, ["-p", join(source, "tsconfig.build.json"), "--outDir", join(built, "dist")], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  await cp(join(source, "examples"), dir, { recursive: true });
  return { dir, package: built, stop: () => rm(dir, { recursive: true, force: true }) };
}
