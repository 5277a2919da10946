import { expect, test } from "vitest";
import { serviceMains, type ServiceName, withSecretsOf } from "./services.ts";

const secrets = {
  PACKSHOT_ADMIN_TOKEN: "a",
  PACKSHOT_LINK_KEY: "b",
  PACKSHOT_MASTER_KEY: "c",
  AWS_ACCESS_KEY_ID: "d",
  AWS_SECRET_ACCESS_KEY: "e",
  AWS_SESSION_TOKEN: "f",
};

test("each service gets the secrets that it needs, and the model server gets none", () => {
  const given = (name: ServiceName) =>
    Object.entries(withSecretsOf(name, { ...secrets, PACKSHOT_STORAGE: "s3" }))
      .filter(([, value]) => value !== undefined)
      .map(([key]) => key);
  const aws = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"];
  expect(Object.fromEntries(Object.keys(serviceMains).map((name) => [name, given(name as ServiceName)]))).toEqual({
    api: [...Object.keys(secrets), "PACKSHOT_STORAGE"],
    modelServer: ["PACKSHOT_STORAGE"],
    worker: [...aws, "PACKSHOT_STORAGE"],
    webhooks: ["PACKSHOT_LINK_KEY", "PACKSHOT_MASTER_KEY", ...aws, "PACKSHOT_STORAGE"],
  });
});
