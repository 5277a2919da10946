import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readSettings } from "./settings.ts";

it("has a default for everything that an operator need not set", () => {
  const settings = readSettings({});
  expect(settings.PACKSHOT_API_PORT).toBe(8080);
  expect(settings.PACKSHOT_EXECUTION_PROVIDERS).toEqual(["cpu"]);
});

it("reports every problem at once, by name", () => {
  const invalid = {
    PACKSHOT_API_PORT: "99999",
    PACKSHOT_REQUIRE_GPU: "maybe",
    PACKSHOT_TYPO: "x",
    PACKSHOT_MASTER_KEY: "short",
    PACKSHOT_ADMIN_TOKEN: "short",
    PACKSHOT_LOG_LEVEL: "loud",
    PACKSHOT_PUBLIC_URL: "packshot.example",
  };
  expect(() => readSettings(invalid, ["PACKSHOT_LINK_KEY"])).toThrow(
    /API_PORT must be.*65535.*LINK_KEY is missing.*MASTER_KEY must be.*REQUIRE_GPU must be|LINK_KEY is missing/s,
  );
  for (const name of Object.keys(invalid)) expect(() => readSettings(invalid)).toThrow(name);
});

it("wants a bucket for S3, and no key for links there, because S3 signs them with its own", () => {
  expect(() => readSettings({ PACKSHOT_STORAGE: "s3" })).toThrow(/PACKSHOT_S3_BUCKET is missing/);
  const onS3 = { PACKSHOT_STORAGE: "s3", PACKSHOT_S3_BUCKET: "photos" };
  expect(readSettings(onS3, ["PACKSHOT_LINK_KEY"]).PACKSHOT_S3_REGION).toBe("us-east-1");
  expect(() => readSettings({}, ["PACKSHOT_LINK_KEY"])).toThrow(/LINK_KEY is missing/);
});

it.each([
  ["", ""],
  ["/shop/photos/", "shop/photos/"],
])("reads the prefix %j as %j", (given, prefix) => {
  expect(readSettings({ PACKSHOT_S3_PREFIX: given }).PACKSHOT_S3_PREFIX).toBe(prefix);
});

it.each(["../shop", "a//b", "a b", "shop?x"])("refuses the prefix %j", (given) => {
  expect(() => readSettings({ PACKSHOT_S3_PREFIX: given })).toThrow(/PACKSHOT_S3_PREFIX must be like/);
});

it("reads keys in hex or base64, several during rotation", () => {
  const hex = "ab".repeat(32);
  const settings = readSettings({ PACKSHOT_MASTER_KEY: `${hex}, ${Buffer.from(hex, "hex").toString("base64")}` });
  expect(settings.PACKSHOT_MASTER_KEY.map((key) => key.toString("hex"))).toEqual([hex, hex]);
});

it("refuses Kubernetes' service links, which the chart's pods do without", () => {
  const serviceLinks = { PACKSHOT_API_SERVICE_HOST: "10.96.0.7", PACKSHOT_API_PORT: "tcp://10.96.0.7:80" };
  expect(() => readSettings(serviceLinks)).toThrow(/PACKSHOT_API_PORT.*PACKSHOT_API_SERVICE_HOST/s);
});

it("reads a secret from a file, and says which setting names a file that is missing", () => {
  const folder = mkdtempSync(join(tmpdir(), "packshot-secrets-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "link-key");
  const hex = "ab".repeat(32);
  writeFileSync(file, `${hex}\n`);
  const { PACKSHOT_LINK_KEY: keys } = readSettings({ PACKSHOT_LINK_KEY_FILE: file }, ["PACKSHOT_LINK_KEY"]);
  expect(keys!.map((key) => key.toString("hex"))).toEqual([hex]);

  expect(() => readSettings({ PACKSHOT_MASTER_KEY_FILE: `${file}-2` })).toThrow(/MASTER_KEY_FILE.*ENOENT/);
  expect(() => readSettings({ PACKSHOT_LINK_KEY_FILE: file, PACKSHOT_LINK_KEY: hex })).toThrow(/both set/);
  expect(() => readSettings({ PACKSHOT_LOG_LEVEL_FILE: file })).toThrow(/PACKSHOT_LOG_LEVEL_FILE is not a setting/);
});

it.each([
  [
    "a list that is not ended",
    '[\n  { "name": "shop" },',
    "which is not JSON, in line 2: Unexpected end of JSON input",
  ],
  [
    "a comma too many",
    '[\n  {\n    "name": "shop",\n  }\n]',
    "which is not JSON, in line 4: Expected double-quoted property name",
  ],
  [
    "a word without quotes",
    '[\n  { "name": "shop" },\n  { "name": shop, "creditsPerPeriod": 100 }\n]',
    "which is not JSON, in line 3: ",
  ],
  ["a short one", "[\nx]", "which is not JSON, in line 2: "],
  ["no list", "{}", "which must be a JSON list of plans"],
  ["nothing in a plan", "[null]", "in which a plan has no name"],
  ["no credits", '[{ "name": "shop" }]', "in which shop.creditsPerPeriod must be a whole number"],
  ["no file", undefined, "which cannot be read (ENOENT)"],
])("names setting and file of plans that cannot be used, beside other problems: %s", (_what, text, problem) => {
  const folder = mkdtempSync(join(tmpdir(), "packshot-plans-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "plans.json");
  if (text !== undefined) writeFileSync(file, text);
  const given = { PACKSHOT_PLANS_FILE: file, PACKSHOT_API_PORT: "x" };
  const read = () => readSettings(given, ["PACKSHOT_PLANS_FILE"]);
  expect(read).toThrow(`PACKSHOT_PLANS_FILE names ${file}, ${problem}`);
  expect(read).toThrow(/PACKSHOT_API_PORT must be/);
  // A process that has no use for plans may not have the file.
  expect(() => readSettings({ PACKSHOT_PLANS_FILE: file })).not.toThrow();
});

it("says which setting names a CA that is not there", () => {
  const given = { PACKSHOT_REDIS_TLS_CA_FILE: "/nowhere/ca.pem" };
  expect(() => readSettings(given, ["PACKSHOT_REDIS_TLS_CA_FILE"])).toThrow(
    "PACKSHOT_REDIS_TLS_CA_FILE names /nowhere/ca.pem, which cannot be read (ENOENT)",
  );
});
