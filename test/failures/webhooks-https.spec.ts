import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { uuidv7 } from "@packshot/domain/ids.ts";
import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startLog } from "../../testing/log/test-log.ts";
import { createCertificate, createCertificateAuthority } from "../../testing/servers/certificates.ts";
import { suiteFixture } from "../../testing/suite-fixture.ts";
import { loggedDelivery } from "../../testing/webhooks/delivery-log.ts";
import { respond204, startReceiver } from "../../testing/webhooks/receiver.ts";
import { emit, endedEvent, registerWebhook } from "../../testing/webhooks/webhook-records.ts";
import { startWebhookService, type WebhookService } from "../../testing/webhooks/webhook-service.ts";

const authority = createCertificateAuthority("The operator's own authority");
const folder = mkdtempSync(join(tmpdir(), "packshot-webhooks-https-"));
const authorityPath = join(folder, "authority.pem");
const log = suiteFixture(startLog);
let service: WebhookService;

beforeAll(async () => {
  writeFileSync(authorityPath, authority.cert);
  service = await startWebhookService(log.nats.url, {
    PACKSHOT_ALLOW_WEBHOOKS: "localhost:*",
    NODE_EXTRA_CA_CERTS: authorityPath,
  });
});

afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true });
});

async function deliverTo(certificate: Parameters<typeof startReceiver>[1]) {
  const accountId = uuidv7();
  const receiver = await startReceiver(respond204, certificate);
  const { webhook, secret } = await registerWebhook(log, accountId, receiver.url);
  const event = endedEvent(accountId);
  await emit(log, event);
  const delivery = await loggedDelivery(log, webhook, event.eventId, 1);
  await receiver.close();
  return { delivery, received: receiver.received, secret, event };
}

describe("a receiver that speaks TLS", () => {
  it("is delivered to when an authority that the operator trusts has signed its certificate", async () => {
    const { delivery, received, secret, event } = await deliverTo(
      createCertificate({ names: ["localhost"], issuer: authority }),
    );
    expect(delivery).toMatchObject({ status: "succeeded", attempts: [{ status: 204, error: null }] });
    const [{ body, headers }] = received as [(typeof received)[number]];
    const envelope = new Verifier(secret).verify(body, headers as Record<string, string>);
    expect(envelope).toMatchObject({ event: "job.completed", eventId: event.eventId });
  });

  it.each([
    ["self-signed", () => createCertificate({ names: ["localhost"] }), /self-signed/],
    [
      "expired",
      () => createCertificate({ names: ["localhost"], issuer: authority, validUntil: new Date(Date.now() - 1_000) }),
      /certificate has expired/,
    ],
    [
      "for another name",
      () => createCertificate({ names: ["elsewhere.example"], issuer: authority }),
      /certificate is for another name/,
    ],
  ])("is sent nothing while its certificate is %s, and the delivery log says why", async (_what, certify, fault) => {
    const { delivery, received } = await deliverTo(certify());
    expect(received).toEqual([]);
    expect(delivery).toMatchObject({ status: "pending", attempts: [{ outcome: "retrying", status: null }] });
    expect(delivery.attempts[0]!.error).toMatch(fault);
    expect(delivery.nextAttemptAt).not.toBeNull();
  });
});
