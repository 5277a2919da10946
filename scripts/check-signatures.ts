/**
 * Has npm compare every installed package with the registry's signature of it, and its attestation of how it was built, where it
 * has one. Exits with status 1 when one is invalid or missing. Where the registry or Sigstore's keys are out of reach, it says so
 * in one line and exits with 0: without them nothing can be compared.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

interface Audited {
  readonly invalid?: readonly PackageAt[];
  readonly missing?: readonly PackageAt[];
  readonly error?: { readonly code: string; readonly summary: string };
}

interface PackageAt {
  readonly name: string;
  readonly version: string;
}

/** No answer, or none from a registry that signs. */
const isOutOfReach =
  /^(ENOTFOUND|ECONN\w+|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|FETCH_ERROR|E40[345])$/;
const signsNothing = /no dependencies to audit that were installed from a supported registry/;

const { stdout, stderr } = spawnSync("npm", ["audit", "signatures", "--json", "--fetch-retries=0"], {
  cwd: fileURLToPath(new URL("..", import.meta.url)),
  encoding: "utf8",
  timeout: 300_000,
});

function parse(text: string): Audited {
  try {
    return JSON.parse(text) as Audited;
  } catch {
    return {};
  }
}

const { invalid, missing, error } = parse(stdout);
if (invalid !== undefined && missing !== undefined) {
  const named = (packages: readonly PackageAt[], what: string) =>
    packages.map(({ name, version }) => `signatures: ${name}@${version} has ${what}`);
  const problems = [...named(invalid, "an invalid signature"), ...named(missing, "no signature")];
  console.log(problems.length === 0 ? "signatures: every package has the registry's" : problems.join("\n"));
  process.exitCode = problems.length === 0 ? 0 : 1;
} else if (error !== undefined && (isOutOfReach.test(error.code) || signsNothing.test(error.summary))) {
  console.log(`signatures: NOT CHECKED, because what signs is out of reach: ${error.summary}`);
} else {
  console.log(`signatures: npm failed: ${error?.summary ?? stderr.trim()}`);
  process.exitCode = 1;
}
