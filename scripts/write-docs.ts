/** Writes the documents that are generated from tables in the code or of results; a test keeps each equal to its table. */

import { copyFileSync, writeFileSync } from "node:fs";
import { newestPeersChart } from "../bench/peers/peers-chart.ts";
import { chartNatsUsers } from "./chart-nats-users.ts";
import { configurationDocument } from "./configuration-document.ts";
import { errorsDocument } from "./errors-document.ts";
import { grafanaDashboard } from "./grafana-dashboard.ts";
import { parametersDocument } from "./parameters-document.ts";
import { themeWordsDocument } from "./theme-words-document.ts";

writeFileSync(new URL("../docs/errors.md", import.meta.url), errorsDocument());
writeFileSync(new URL("../docs/configuration.md", import.meta.url), configurationDocument());
writeFileSync(new URL("../docs/parameters.md", import.meta.url), parametersDocument());
writeFileSync(new URL("../docs/theme-words.md", import.meta.url), themeWordsDocument());
const peersChart = newestPeersChart();
if (peersChart !== undefined) writeFileSync(new URL("../docs/peers.svg", import.meta.url), peersChart);
writeFileSync(new URL("../deploy/grafana/packshot.json", import.meta.url), grafanaDashboard());
// Helm reads only files inside of the chart's folder.
writeFileSync(new URL("../deploy/helm/files/grafana-dashboard.json", import.meta.url), grafanaDashboard());
writeFileSync(new URL("../deploy/helm/files/nats-users.conf", import.meta.url), chartNatsUsers());
copyFileSync(
  new URL("../deploy/prometheus/packshot-rules.yml", import.meta.url),
  new URL("../deploy/helm/files/packshot-rules.yml", import.meta.url),
);
