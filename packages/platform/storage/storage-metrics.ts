import { statfs } from "node:fs/promises";
import { Gauge, type Registry } from "prom-client";

/** Reports the file system on which the disk storage lies. A folder that cannot be read reports nothing. */
export function registerStorageMetrics(
  registry: Registry,
  { dir, freeBytesMin }: { readonly dir: string; readonly freeBytesMin: number },
): void {
  const registers = [registry];
  const size = new Gauge({
    name: "packshot_storage_size_bytes",
    help: "Size of the file system that holds sources and results.",
    registers,
  });
  new Gauge({
    name: "packshot_storage_free_bytes",
    help: "Free space of the file system that holds sources and results.",
    registers,
    async collect() {
      const found = await statfs(dir).catch(() => undefined);
      if (found === undefined) return;
      this.set(found.bavail * found.bsize);
      size.set(found.blocks * found.bsize);
    },
  });
  new Gauge({
    name: "packshot_storage_floor_bytes",
    help: "Free space below which no uploads are taken, so that the results of jobs find room.",
    registers,
  }).set(freeBytesMin);
}
