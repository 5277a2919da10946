/** An edit thread that takes four seconds to start, as one that loads its modules on a busy machine. */
import { setTimeout } from "node:timers/promises";

await setTimeout(4_000);
await import("./failing-edit-thread.ts");
