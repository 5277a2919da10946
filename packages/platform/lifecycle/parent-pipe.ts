/**
 * The launcher holds the other end of stdin, which closes when the launcher ends, however it does. Returns a function that
 * removes the listener.
 */
export function onLauncherGone(listener: () => void): () => void {
  process.stdin
    .on("error", () => {})
    .on("close", listener)
    .resume();
  return () => void process.stdin.off("close", listener);
}
