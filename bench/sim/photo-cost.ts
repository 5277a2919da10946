/** What 1,000 photos cost, with the prices of service-times.ts. */
import { type Deployment, gpusOf, vcpusOf } from "./deployment.ts";
import { type PhotoSize, prices } from "./service-times.ts";

export interface Cost {
  readonly processors: number;
  readonly gpus: number;
  /** Requests to S3; what a day of storage costs is less than the rounding. */
  readonly storage: number;
  /** Results to the internet. */
  readonly egress: number;
  readonly total: number;
}

/** Source, result and thumbnail are written; the worker reads the source, the customer the others. */
const writesEach = 3;
const readsEach = 3;

/** In dollars, at a rate that lasts around the clock. */
export function costOfThousand(deployment: Deployment, perSecond: number, photos: readonly PhotoSize[]): Cost {
  const hours = 1000 / perSecond / 3600;
  const processors = vcpusOf(deployment) * prices.vcpuHour.value * hours;
  const gpus = gpusOf(deployment) * prices.gpuHour.value * hours;
  const storage = writesEach * prices.s3Put.value + readsEach * prices.s3Get.value;
  const resultBytes = photos.reduce((sum, each) => sum + each.share * each.resultBytes, 0);
  const egress = ((1000 * resultBytes) / 1e9) * prices.egressGigabyte.value;
  return { processors, gpus, storage, egress, total: processors + gpus + storage + egress };
}
