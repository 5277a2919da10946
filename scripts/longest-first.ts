/**
 * The order of the specs. vitest begins with what took longest in the run before, but a new machine of CI has had none, and then
 * with the largest files. A spec of minutes that comes last leaves the other workers idle.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The specs that take longest on two cores, the longest first; each takes half a minute or more. */
export const longestSpecs: readonly string[] = [
  "test/cluster/cluster.spec.ts",
  "test/week/week.spec.ts",
  "test/conformance/schemathesis.spec.ts",
  "test/failures/exactness.spec.ts",
  "services/inference/edits/tools/generate-scene.spec.ts",
  "test/score-mask.spec.ts",
  "test/deploy/image.spec.ts",
  "test/conformance/open-inference.spec.ts",
  "test/journeys/outputs.spec.ts",
  "packages/log/operate/migrate-replicas.spec.ts",
  "test/hostile/hostile.spec.ts",
  "test/failures/batch-request-kills.spec.ts",
  "test/journeys/tracing.spec.ts",
  "test/journeys/s3.spec.ts",
  "test/journeys/demo.spec.ts",
  "test/journeys/bad-input.spec.ts",
  "test/failures/batches-kills.spec.ts",
  "test/journeys/generative.spec.ts",
  "test/journeys/graph-server.spec.ts",
  "test/journeys/image-model-timeout.spec.ts",
  "cli/batches.spec.ts",
  "test/failures/batches-outage.spec.ts",
  "test/failures/webhooks-kills.spec.ts",
  "test/failures/log-outage.spec.ts",
  "services/inference/edits/tools/run-edit.spec.ts",
  "test/journeys/commands.spec.ts",
];

/** Specs of `specs` in the same order, but for the longest, which come first. */
export function longestFirst<Spec extends Pick<TestSpecification, "moduleId">>(specs: readonly Spec[]): Spec[] {
  const longest = longestSpecs.flatMap((path) => specs.filter(({ moduleId }) => moduleId.endsWith(`/${path}`)));
  return [...longest, ...specs.filter((spec) => !longest.includes(spec))];
}

export class LongestFirst extends BaseSequencer {
  override async sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
    return longestFirst(await super.sort(specs));
  }
}
