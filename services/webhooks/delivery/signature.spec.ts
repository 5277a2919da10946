import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createWebhookSecret, signingSecrets } from "@packshot/domain/webhooks/webhook.ts";
import { Webhook as Verifier } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { pythonEnvironment, pythonSetupTimeoutMs } from "../../../testing/python-environment.ts";
import { signatureHeaders } from "./send.ts";

/** The specification's example, which the tests of every implementation contain. */
const vector = {
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
  timestampSeconds: 1_614_265_330,
  body: '{"test": 2432232314}',
  signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};

const nowSeconds = () => Math.floor(Date.now() / 1000);
const bodies = ["{}", '{"event":"job.completed"}', '{"text":"Grüße – 中文 – 🧴"}', JSON.stringify("x".repeat(20_000))];

describe("a signature", () => {
  it("equals the specification's test vector", () => {
    const { id, timestampSeconds, body, secret, signature } = vector;
    expect(signatureHeaders(id, timestampSeconds, body, [secret])).toEqual({
      "webhook-id": id,
      "webhook-timestamp": "1614265330",
      "webhook-signature": signature,
    });
  });

  it.each(bodies)("is accepted by the reference verifier of npm: %.40s", (body) => {
    const secret = createWebhookSecret();
    const headers = signatureHeaders("018f-id", nowSeconds(), body, [secret]);
    expect(new Verifier(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Verifier(createWebhookSecret()).verify(body, headers)).toThrow();
    expect(() => new Verifier(secret).verify(`${body} `, headers)).toThrow();
  });

  it("of two secrets is accepted by a receiver that knows either", () => {
    const older = createWebhookSecret();
    const newer = createWebhookSecret();
    const headers = signatureHeaders("018f-id", nowSeconds(), "{}", [newer, older]);
    expect(headers["webhook-signature"].split(" ")).toHaveLength(2);
    for (const secret of [older, newer]) expect(new Verifier(secret).verify("{}", headers)).toEqual({});
  });

  it.each([24, 32, 64])("works with secrets of %i bytes", (bytes) => {
    const secret = `whsec_${randomBytes(bytes).toString("base64")}`;
    const headers = signatureHeaders("018f-id", nowSeconds(), "{}", [secret]);
    expect(new Verifier(secret).verify("{}", headers)).toEqual({});
  });

  it("is accepted by the reference verifier of PyPI", { tags: ["python"], timeout: pythonSetupTimeoutMs }, () => {
    const python = join(pythonEnvironment("standardwebhooks", ["standardwebhooks==1.1.0"]), "python");
    const script = `
import json, sys
from standardwebhooks.webhooks import Webhook
for case in json.load(sys.stdin):
    assert Webhook(case["secret"]).verify(case["body"], case["headers"]) == json.loads(case["body"])
    try:
        Webhook(case["secret"]).verify(case["body"] + " ", case["headers"])
        sys.exit("a changed body was accepted")
    except Exception:
        pass
`;
    const cases = bodies.map((body) => {
      const secret = createWebhookSecret();
      return { secret, body, headers: signatureHeaders("018f-id", nowSeconds(), body, [secret]) };
    });
    const ran = spawnSync(python, ["-c", script], { input: JSON.stringify(cases), encoding: "utf8" });
    expect(ran.stderr).toBe("");
    expect(ran.status).toBe(0);
  });
});

describe("signingSecrets", () => {
  it("are the newest, and the one before it while that is valid", () => {
    const secrets = [
      { sealed: "new", validUntil: null },
      { sealed: "old", validUntil: "2026-11-20T12:00:00.000Z" },
    ];
    expect(signingSecrets(secrets, Date.parse("2026-11-20T11:59:59Z"))).toEqual(["new", "old"]);
    expect(signingSecrets(secrets, Date.parse("2026-11-20T12:00:00Z"))).toEqual(["new"]);
  });
});
