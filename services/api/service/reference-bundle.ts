/** Scalar's script, which renders the API reference. It is loaded when the page is first asked for. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";

export interface ReferenceBundle {
  /** The hash of the script's content. */
  readonly hash: string;
  readonly gzipped: Uint8Array;
}

/** Returns a function that loads the script once; a load that failed is tried again by the next call. */
export function createBundleLoader(): () => Promise<ReferenceBundle> {
  let loading: Promise<ReferenceBundle> | undefined;
  return () => {
    loading ??= loadBundle().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

async function loadBundle(): Promise<ReferenceBundle> {
  const thread = new Worker(new URL("./bundle-thread.ts", import.meta.url));
  try {
    const [bundle] = (await once(thread, "message")) as [ReferenceBundle];
    return bundle;
  } finally {
    await thread.terminate();
  }
}
