/**
 * Temporary files that are large, or that memory is not mounted for: images, nodes of a cluster, releases. Debian's installer
 * refuses what is mounted without devices, as memory often is. Other tests take the folder that the run has (memory-folder.ts).
 */
import { tmpdir } from "node:os";

export const diskFolder = process.platform === "linux" ? "/var/tmp" : tmpdir();
