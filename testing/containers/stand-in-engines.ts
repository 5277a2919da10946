/** nats-server in place of its official image, and Debian's Redis in Valkey's: what compose.yaml and the chart run beside our image. */
import { realpathSync } from "node:fs";
import { findNatsServer } from "../../cli/up/nats-server.ts";
import type { Engine } from "./engine.ts";
import { installed, makeStandIn, type StandIn } from "./stand-in-images.ts";

export const natsImage = "localhost/packshot-stand-in/nats:2.15.2";
export const valkeyImage = "localhost/packshot-stand-in/valkey:8.1.1";

function engineStandIns(): readonly StandIn[] {
  return [
    {
      image: natsImage,
      containerfile: [
        installed("wget"),
        "COPY nats-server /usr/local/bin/nats-server",
        'ENTRYPOINT ["nats-server"]',
        'CMD ["--config", "/etc/nats/nats-server.conf"]',
      ],
      files: { "nats-server": realpathSync(findNatsServer(process.env)) },
    },
    {
      image: valkeyImage,
      containerfile: [
        installed("redis-server"),
        "RUN ln -s redis-server /usr/bin/valkey-server && ln -s redis-cli /usr/bin/valkey-cli",
        'ENTRYPOINT ["valkey-server"]',
      ],
      files: {},
    },
  ];
}

export async function standInEngines(engine: Engine): Promise<{ readonly nats: string; readonly valkey: string }> {
  const [nats, valkey] = engineStandIns();
  return { nats: await makeStandIn(engine, nats!), valkey: await makeStandIn(engine, valkey!) };
}
