import { expect, test } from "vitest";
import { type ServiceName, secretNames, serviceMains, withSecretsOf } from "./services.ts";

test("each service gets the secrets that it needs, in the environment or in files, and no other", () => {
  const names = secretNames().flatMap((name) => [name, `${name}_FILE`]);
  const environment = { ...Object.fromEntries(names.map((name) => [name, "secret"])), PACKSHOT_STORAGE: "s3" };
  const given = (name: ServiceName) =>
    Object.entries(withSecretsOf(name, environment))
      .filter(([key, value]) => value !== undefined && !key.endsWith("_FILE"))
      .map(([key]) => key)
      .sort();
  const files = (name: ServiceName) =>
    Object.entries(withSecretsOf(name, environment)).filter(([key]) => key.endsWith("_FILE"));
  expect(files("modelServer").filter(([, value]) => value !== undefined)).toEqual([
    ["PACKSHOT_MODEL_SERVER_TOKEN_FILE", "secret"],
  ]);
  const aws = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"];
  expect(Object.fromEntries(Object.keys(serviceMains).map((name) => [name, given(name as ServiceName)]))).toEqual({
    api: [
      ...aws,
      ...["PACKSHOT_ADMIN_TOKEN", "PACKSHOT_LINK_KEY", "PACKSHOT_MASTER_KEY"],
      ...["PACKSHOT_REDIS_PASSWORD", "PACKSHOT_REDIS_URL", "PACKSHOT_STORAGE"],
    ],
    modelServer: ["PACKSHOT_MODEL_SERVER_TOKEN", "PACKSHOT_STORAGE"],
    worker: [...aws, "PACKSHOT_MODEL_SERVER_TOKEN", "PACKSHOT_STORAGE"],
    webhooks: [...aws, "PACKSHOT_LINK_KEY", "PACKSHOT_MASTER_KEY", "PACKSHOT_STORAGE"],
  });
});
