/**
 * The full run of the fleet: fifty receivers, 10,000 (event, endpoint) pairs, five kills of the webhook service and
 * two of nats-server. `node test/failures/webhooks-soak.ts [--events 200]` prints its report and fails on a loss.
 */
import { parseArgs } from "node:util";
import { runFleet } from "./webhooks-fleet.ts";

const { values } = parseArgs({
  options: {
    events: { type: "string", default: "200" },
    "service-kills": { type: "string", default: "5" },
    "nats-kills": { type: "string", default: "2" },
  },
});
const report = await runFleet({
  events: Number(values.events),
  serviceKills: Number(values["service-kills"]),
  natsKills: Number(values["nats-kills"]),
  say: (line) => void process.stderr.write(`${line}\n`),
});
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
const { lost, unknownIds, changedBodies, healthyMissing, offSchedule, duplicates, requests } = report;
const isSound = lost.length + unknownIds + changedBodies + healthyMissing + offSchedule.length === 0;
process.exit(isSound && duplicates < 0.005 * requests ? 0 : 1);
