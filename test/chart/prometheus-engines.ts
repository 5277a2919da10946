/** Prometheus as operators have it: open to all, behind HTTPS and a password, and behind a proxy that wants a token. */
import { createCertificateAuthority } from "../../testing/servers/certificates.ts";
import { packshotImage, prometheusImage } from "./chart-images.ts";
import { certificateSecret, engine, secret } from "./engines.ts";

const port = 9090;
const gatePort = 8443;
const ready = { periodSeconds: 1, failureThreshold: 300 };
const user = "keda";
/** The hash is bcrypt's, with its lowest cost: Prometheus takes no other. */
const password = { text: "f".repeat(40), hash: "$2b$04$DfRYL9b8tgZ573oVm1lI/Onb96lY3dmNFobPjcbAOvXeV0wR6kE1a" };
const token = "9".repeat(40);
/** Not the one that KEDA's folder has. */
const authority = createCertificateAuthority("the authority of monitoring");

interface PrometheusOrder {
  /** The service whose pods it reads. */
  readonly metrics: string;
  readonly args: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** Secrets with certificates by the folders that they are mounted at. */
  readonly certificates: Readonly<Record<string, string>>;
}

function prometheus({ metrics, args, files, certificates }: PrometheusOrder): object[] {
  const config = `
global: { scrape_interval: 5s, scrape_timeout: 5s }
scrape_configs:
  - job_name: packshot
    dns_sd_configs: [{ names: [${metrics}], type: A, port: 9090, refresh_interval: 5s }]
`;
  const mounted = Object.entries(certificates);
  const server = {
    name: "prometheus",
    image: prometheusImage,
    args: ["--config.file=/etc/packshot/prometheus.yml", "--storage.tsdb.path=/prometheus", ...args],
    readinessProbe: { ...ready, tcpSocket: { port } },
    volumeMounts: [
      { name: "config", mountPath: "/etc/packshot" },
      { name: "data", mountPath: "/prometheus" },
      ...mounted.map(([mountPath, name]) => ({ name, mountPath })),
    ],
  };
  const volumes = [
    { name: "config", configMap: { name: "prometheus" } },
    { name: "data", emptyDir: {} },
    ...mounted.map(([, name]) => ({ name, secret: { secretName: name } })),
  ];
  const data = { "prometheus.yml": config, ...files };
  return [
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "prometheus" }, data },
    ...engine({ name: "prometheus", ports: [port], pod: { volumes, containers: [server] } }),
  ];
}

/** At `prometheus:9090`, by HTTP and for everyone; it reads what the service `metrics` names. */
export function openPrometheus(metrics: string): object[] {
  return prometheus({ metrics, args: [], files: {}, certificates: {} });
}

/** Passes on what shows the token. */
const gate = `
const https = require("https"), fs = require("fs");
const [cert, key, ca] = ["tls.crt", "tls.key", "ca.crt"].map((name) => fs.readFileSync("/tls/" + name));
const { TOKEN, PASSWORD } = process.env;
https.createServer({ cert, key }, (request, response) => {
  if (request.headers.authorization !== "Bearer " + TOKEN) return response.writeHead(401).end();
  const target = { host: "prometheus", port: ${port}, path: request.url, ca, auth: "${user}:" + PASSWORD };
  https.get(target, (answer) => answer.pipe(response.writeHead(answer.statusCode)))
    .on("error", () => response.writeHead(502).end());
}).listen(${gatePort});
`;

/**
 * At `prometheus:9090`, by HTTPS with a certificate of its own authority and for one user; and `prometheus-gate:8443`, which wants a
 * token in place of the password.
 */
export function guardedPrometheus(metrics: string, namespace: string): object[] {
  const web = `
tls_server_config: { cert_file: /tls/tls.crt, key_file: /tls/tls.key }
basic_auth_users: { ${user}: "${password.hash}" }
`;
  const names = ["prometheus", "prometheus-gate"];
  const container = {
    name: "gate",
    image: packshotImage,
    args: ["-e", gate],
    env: [
      { name: "TOKEN", value: token },
      { name: "PASSWORD", value: password.text },
    ],
    readinessProbe: { ...ready, tcpSocket: { port: gatePort } },
    volumeMounts: [{ name: "tls", mountPath: "/tls" }],
  };
  const volumes = [{ name: "tls", secret: { secretName: "prometheus-tls" } }];
  return [
    certificateSecret(
      "prometheus-tls",
      [...names, ...names.map((name) => `${name}.${namespace}.svc.cluster.local`)],
      authority,
    ),
    ...prometheus({
      metrics,
      args: ["--web.config.file=/etc/packshot/web.yml"],
      files: { "web.yml": web },
      certificates: { "/tls": "prometheus-tls" },
    }),
    ...engine({ name: "prometheus-gate", ports: [gatePort], pod: { volumes, containers: [container] } }),
  ];
}

/** A TriggerAuthentication of this name, and the secret from which it gives KEDA these parameters. */
export function triggerAuthentication(name: string, parameters: Readonly<Record<string, string>>): object[] {
  const secretTargetRef = Object.keys(parameters).map((parameter) => ({ parameter, name, key: parameter }));
  return [
    secret(name, parameters),
    { apiVersion: "keda.sh/v1alpha1", kind: "TriggerAuthentication", metadata: { name }, spec: { secretTargetRef } },
  ];
}

/** What the guarded one wants. */
export const credentials = {
  basic: { username: user, password: password.text, ca: authority.cert },
  bearer: { bearerToken: token, ca: authority.cert },
} as const;
