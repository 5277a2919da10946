/**
 * The rules of `promtool check metrics`, and ours: names begin with packshot_, helps are sentences, and every label is in a
 * list of labels whose values are bounded. They read Prometheus' text format.
 */

interface MetricFamily {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly { readonly name: string; readonly labels: Readonly<Record<string, string>> }[];
}

function parseMetrics(text: string): MetricFamily[] {
  const families = new Map<string, MetricFamily & { samples: MetricFamily["samples"][number][] }>();
  const order: string[] = [];
  const family = (name: string) => {
    if (!families.has(name)) {
      families.set(name, { name, type: "untyped", help: "", samples: [] });
      order.push(name);
    }
    return families.get(name)!;
  };
  for (const line of text.split("\n")) {
    const [, keyword, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? [];
    if (keyword === "HELP") families.set(name, { ...family(name), help: rest });
    else if (keyword === "TYPE") families.set(name, { ...family(name), type: rest });
    else if (line !== "" && !line.startsWith("#")) {
      const [, sample = "", labels = ""] = /^([^\s{]+)(?:\{(.*)\})? /.exec(line) ?? [];
      const base = sample.replace(/_(bucket|sum|count)$/, "");
      const owner = families.has(sample) ? sample : base;
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, value]) => [key, value]);
      family(owner).samples.push({ name: sample, labels: Object.fromEntries(pairs) });
    }
  }
  return order.map((name) => families.get(name)!);
}

const baseUnits = ["seconds", "bytes", "ratio", "celsius", "meters", "volts", "amperes", "joules", "grams"];
const otherUnits =
  /^(milli|micro|nano|kilo|mega|giga|tera|kibi|mebi|gibi)(seconds?|bytes?|meters?|grams?)$|^(minutes?|hours?|days?|weeks?|percents?|bits|fahrenheit)$/;
const abbreviations = /_(s|ms|us|ns|sec|b|kb|mb|gb|tb|pb|m|h|d)$/;
const types = ["gauge", "counter", "histogram", "summary"];

/** What `promtool check metrics` says of a metric, in our words. */
function promtoolProblems({ name, type, help, samples }: MetricFamily): string[] {
  const words = name.split("_");
  const isTotal = name.endsWith("_total");
  const labels = new Set(samples.flatMap((sample) => Object.keys(sample.labels)));
  const reserved = type === "histogram" ? ["quantile"] : type === "summary" ? ["le"] : ["le", "quantile"];
  return [
    help === "" && "no help text",
    words.some((word) => otherUnits.test(word)) && `a unit other than the base units ${baseUnits.join(", ")}`,
    type === "counter" && !isTotal && 'a counter without the suffix "_total"',
    type !== "counter" && isTotal && 'the suffix "_total" on what is no counter',
    type !== "histogram" && name.endsWith("_bucket") && 'the suffix "_bucket" on what is no histogram',
    !["histogram", "summary"].includes(type) && /_(count|sum)$/.test(name) && "a suffix of histograms and summaries",
    reserved.some((label) => labels.has(label)) && "a label that is reserved",
    words.some((word) => types.includes(word)) && "its type in its name",
    name.includes(":") && "a colon, which is reserved for recording rules",
    [name, ...labels].some((each) => /[a-z][A-Z]/.test(each)) && "camel case",
    abbreviations.test(name) && "an abbreviated unit",
  ].filter((problem) => problem !== false);
}

/** Labels that a metric may have, and the values that they may take: none of them grows with accounts, jobs or clients. */
const boundedLabels: Readonly<Record<string, RegExp>> = {
  service: /^(api|worker|webhooks|model-server)$/,
  // Names of the contracts' operations, "none", and the paths of storage links, the console and the reference's scripts.
  operation: /^([a-z][A-Za-z]+|\/(storage|console|docs\/assets)?)$/,
  status: /^[1-5]\d\d$/,
  outcome: /^[a-z_]+$/,
  transition: /^[a-z-]+$/,
  requirement: /^(process|log|storage|model server|models|worker|webhooks|keys and accounts|jobs)$/,
  lane: /^[0-4]$/,
  follower: /^(keeper|janitor-deleted|janitor-expired|webhooks|batches)$/,
  log: /^[0-3]$/,
  stream: /^PS_[A-Z]+(_\d)?$/,
  tool: /^(mask|ai-shadows|ai-bg|none)$/,
  mode: /^(live|test)$/,
  code: /^[a-z_]*$/,
  stage: /^(fetch|decode|prepare|predict|infer_wait|infer|refine|foreground|compose|scene|paint|encode|store)$/,
  part: /^(storage|log|memory|decoder|base|row)$/,
  reason: /^[a-z_]+$/,
  cause: /^(crash|memory|killed|timeout|protocol|start)$/,
  state: /^(open|half-open|ready|not_ready|ejected)$/,
  kind: /^(asked|padding|major|minor|incremental|weakcb)$/,
  // The operator's model repository.
  model: /^[a-z0-9][a-z0-9._-]*$/,
  version: /^(\d+|v\d+\.\d+\.\d+)$/,
  provider: /^(cpu|cuda|unknown|[A-Za-z]+ExecutionProvider)$/,
  precision: /^(original|fp16|int8)$/,
  bucket: /^\d+$/,
  // prom-client's own metrics have these.
  le: /^(\+Inf|[\d.e-]+)$/,
  type: /^[A-Za-z0-9]+$/,
  space: /^[a-z_]+$/,
  major: /^\d+$/,
  minor: /^\d+$/,
  patch: /^\d+$/,
};

const own = /^packshot_[a-z_]+$/;
const foreign = /^(nodejs|process)_/;
const sentence = /^[0-9A-Z].*\.$/s;

/** Our own rules, for one metric. */
function houseProblems({ name, type, help, samples }: MetricFamily): string[] {
  if (!own.test(name) && !foreign.test(name)) return ["a name that does not begin with packshot_"];
  const unbounded = new Set(
    samples
      .flatMap((sample) => Object.entries(sample.labels))
      .filter(([label, value]) => !(boundedLabels[label]?.test(value) ?? false))
      .map(([label, value]) => `the unbounded label ${label}="${value}"`),
  );
  return [
    ...(own.test(name) && !sentence.test(help) ? ["a help text that is no sentence"] : []),
    ...(own.test(name) && type === "histogram" && /(?<!_duration)_seconds$/.test(name)
      ? ['a histogram of seconds without the suffix "_duration_seconds"']
      : []),
    ...unbounded,
  ];
}

/** Every rule on everything that a process reports: `name: problem`. */
export function metricProblems(text: string): string[] {
  return parseMetrics(text).flatMap((family) =>
    [...promtoolProblems(family), ...houseProblems(family)].map((problem) => `${family.name}: ${problem}`),
  );
}
