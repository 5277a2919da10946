/** @module-tag versitygw */

import { startS3 } from "../../../testing/servers/versitygw.ts";
import { describeStorage } from "./describe-storage.ts";
import { createS3Access } from "./s3-client.ts";
import { createS3Storage } from "./s3-storage.ts";

describeStorage("S3", async () => {
  const s3 = await startS3();
  const settings = { ...s3.settings, prefix: "shop/" };
  const access = createS3Access(settings);
  return {
    storage: createS3Storage(settings, access),
    async dispose() {
      access.client.destroy();
      await s3.stop();
    },
  };
});
