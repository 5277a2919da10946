/**
 * The last release, with jobs in flight: rolled to this one and back. It needs the history of the repository and the
 * packages of that commit, so only `make test-upgrade` runs it.
 */
import { afterEach, describe, expect, it } from "vitest";
import { checkOutRelease, lastRelease } from "../../testing/releases/earlier-release.ts";
import { migrate, type RunningRelease, startRelease, thisFolder } from "./running-release.ts";

const { TEST_UPGRADE: isAsked, UPGRADE_FROM: from } = process.env;
const release = from ? { tag: undefined, commit: from } : lastRelease;
const timeoutMs = 1_800_000;

let service: RunningRelease | undefined;
afterEach(async () => {
  await service?.stop();
  service = undefined;
}, timeoutMs);

describe.runIf(isAsked === "1")("an update (make test-upgrade)", () => {
  it(`from ${release.tag ?? release.commit} goes forward, back and forward again, process by process, while jobs run`, {
    timeout: timeoutMs,
  }, async () => {
    const earlier = await checkOutRelease(release);
    service = await startRelease(earlier);
    const { processes, migration, acceptMore } = service;
    await acceptMore();
    for (const folder of [thisFolder, earlier, thisFolder]) {
      // Beside the processes of the other release, as the chart runs it.
      await migrate(folder, migration);
      await processes.replaceAll({ folder });
      await acceptMore();
    }
    await service.expectExact();
    expect(processes.crashes).toEqual([]);
  });
});
