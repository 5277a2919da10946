/** Tests that cut power: only their target of make runs them, and it fails where this machine lets no disk be cut. */
import { describe } from "vitest";
import { type FileSystem, whyNoCutDisk } from "./cut-disk.ts";

const isAsked = process.env.TEST_POWER_CUTS === "1";

export function describeWithPowerCuts(title: string, fileSystem: FileSystem, tests: () => void): void {
  const reason = isAsked ? whyNoCutDisk(fileSystem) : undefined;
  if (reason !== undefined) throw new Error(`no disk: ${reason}`);
  describe.skipIf(!isAsked)(isAsked ? title : `${title} (run by make test-power-cuts)`, tests);
}
