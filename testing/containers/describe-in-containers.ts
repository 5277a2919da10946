/** Tests in containers: skipped where none runs, with the step at which the machine refuses; a target that asks for them fails. */
import { describe } from "vitest";
import { findProgram } from "../programs.ts";
import { type Engine, findEngine } from "./engine.ts";

/** Against what hangs: each call of an engine takes seconds on a busy machine. */
const timeoutMs = 1_200_000;
const { TEST_CONTAINERS: asked } = process.env;
const search = await findEngine();

/** debootstrap needs root; an operator's own base image does not. */
function whyNoBase(): string | undefined {
  if (process.env.NODE_IMAGE) return undefined;
  if (findProgram("debootstrap") === undefined) return "debootstrap is not on PATH, and NODE_IMAGE names no base image";
  return process.getuid?.() === 0 ? undefined : "debootstrap needs root, and NODE_IMAGE names no base image";
}

const reason = "reason" in search ? search.reason : whyNoBase();
if (reason !== undefined && asked !== undefined) throw new Error(`no containers: ${reason}`);

/** `onlyBy`: the target of make for tests that are too dear to be among all. */
export function describeInContainers(title: string, tests: (engine: Engine) => void, onlyBy?: string): void {
  const skipReason =
    reason !== undefined
      ? `no containers: ${reason}`
      : onlyBy !== undefined && asked !== onlyBy && `run by make ${onlyBy}`;
  if (skipReason === false && "engine" in search) describe(title, { timeout: timeoutMs }, () => tests(search.engine));
  // A suite without tests would fail.
  else describe.skip(`${title} (${skipReason})`, () => tests(undefined as unknown as Engine));
}
