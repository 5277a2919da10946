/**
 * The chart by its tools: helm renders and lints it, and Kubernetes' own schemas accept what it renders.
 * @module-tag helm
 */
import { describe, expect, test } from "vitest";
import { lintChart, renderChart, validateObjects } from "../../testing/deploy/chart.ts";
import { chartCases } from "../../testing/deploy/chart-cases.ts";

/** kubectl-validate has no schema of these; assertions of ours look at them. */
const customKinds = new Set(["ScaledObject", "ServiceMonitor", "PrometheusRule"]);

describe("the chart", () => {
  test.each(Object.entries(chartCases))("%s: helm lints it strictly, and the schemas accept it", (_, values) => {
    const lint = lintChart(values);
    expect(lint.status, lint.output).toBe(0);
    const builtIn = renderChart(values).filter(({ kind }) => !customKinds.has(kind));
    const validation = validateObjects(builtIn);
    expect(validation.status, validation.output).toBe(0);
  });

  test("kubectl-validate notices a wrong object", () => {
    const [pod] = renderChart().filter(({ kind }) => kind === "Pod");
    const wrong = { ...pod!, spec: { ...pod!.spec, restartPolicyy: "Never" } };
    expect(validateObjects([wrong])).toMatchObject({ status: 1, output: expect.stringContaining("restartPolicyy") });
  });

  test("every release has objects of its own names, and none is made twice", () => {
    for (const values of Object.values(chartCases)) {
      const names = renderChart(values).map(({ kind, metadata }) => `${kind}/${metadata.name}`);
      expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
    }
    const ofOne = renderChart({}, "one").map(({ kind, metadata }) => `${kind}/${metadata.name}`);
    expect(renderChart({}, "two").filter(({ kind, metadata }) => ofOne.includes(`${kind}/${metadata.name}`))).toEqual(
      [],
    );
  });
});
