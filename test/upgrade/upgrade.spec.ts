/**
 * Earlier commits as earlier releases, with jobs in flight: rolled to this one and back where both know the log's schema,
 * and taken over at once where only this one does. It needs the history of the repository and the packages of those
 * commits, so only `make test-upgrade` runs it.
 */
import { tmpdir } from "node:os";
import { afterEach, describe, expect, it, vi } from "vitest";
import { serviceArguments } from "../../cli/up/services.ts";
import { readyLine, startService } from "../../cli/up/start-service.ts";
import { apiEnvironment } from "../../testing/api/api-processes.ts";
import {
  checkOutRelease,
  firstOfSchema,
  lastOfSchemaBefore,
  releaseBefore,
} from "../../testing/releases/earlier-release.ts";
import { migrate, type RunningRelease, startRelease, thisFolder } from "./running-release.ts";

const { TEST_UPGRADE: isAsked, UPGRADE_FROM: from } = process.env;
const sameSchema = from ? [from] : [releaseBefore.commit, firstOfSchema];
const timeoutMs = 1_800_000;
const waitMs = 300_000;

let service: RunningRelease | undefined;
afterEach(async () => {
  await service?.stop();
  service = undefined;
}, timeoutMs);

describe.runIf(isAsked === "1")("an update (make test-upgrade)", () => {
  it.each(sameSchema)(
    "from %s goes forward, back and forward again, process by process, while jobs run",
    { timeout: timeoutMs },
    async (commit) => {
      const earlier = await checkOutRelease(commit);
      service = await startRelease(earlier, { stateStreams: 4 });
      const { processes, migration, acceptMore } = service;
      await acceptMore();
      for (const folder of [thisFolder, earlier, thisFolder]) {
        // Beside the processes of the other release, as the chart runs it.
        await migrate(folder, migration);
        await processes.replaceAll({ folder });
        await acceptMore();
      }
      await service.expectExact();
    },
  );

  it("from the schema before is refused beside its processes, takes their jobs over without them, and is final", {
    timeout: timeoutMs,
  }, async () => {
    const earlier = await checkOutRelease(lastOfSchemaBefore);
    service = await startRelease(earlier, { stateStreams: 1 });
    const { processes, migration, natsUrl, acceptMore } = service;
    await acceptMore();
    await expect(migrate(thisFolder, migration)).rejects.toThrow(/still runs/);
    await acceptMore();
    await processes.replaceAtOnce({ folder: thisFolder }, async () => {
      // Leases of what has just ended.
      const done = await vi.waitFor(() => migrate(thisFolder, migration), { timeout: waitMs, interval: 500 });
      expect(done).toContain("recorded schema version 2");
      const late = startService({
        ...{ name: "api", args: serviceArguments("api", earlier), waitForReady: readyLine },
        environment: { ...apiEnvironment({ natsUrl, storageDir: tmpdir() }), PACKSHOT_API_PORT: "0" },
      });
      await expect(late).rejects.toThrow(/has schema version 2 and this process knows 1/);
      await expect(migrate(earlier, migration)).rejects.toThrow(/has schema version 2/);
    });
    await acceptMore();
    await service.expectExact();
  });
});
