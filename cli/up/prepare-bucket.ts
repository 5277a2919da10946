import { readSettings } from "@packshot/platform/config/settings.ts";
import { prepareBucket } from "@packshot/platform/storage/bucket.ts";

interface Launch {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly say: (line: string) => void;
}

/** The bucket's rules are a second net: a bucket that is out of reach holds up no process. */
export async function prepareBucketHere({ environment, say }: Launch): Promise<void> {
  const done = await prepareBucket(readSettings(environment)).catch((error: Error) => [
    `the bucket could not be prepared: ${error.message}`,
  ]);
  for (const line of done) say(line);
}
