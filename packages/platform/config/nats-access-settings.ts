/** Files with which a process and nats-server know each other; all are read anew at each connection. */
import { optionalText } from "./setting-rows.ts";

export const natsAccessSettings = {
  PACKSHOT_NATS_NKEY_SEED_FILE: optionalText(
    "File with the NKEY seed of the process's user (`SU…`). Like the credentials and the password, each service has its own, and nats-server lets it do no more than that service needs; read again at each connection.",
  ),
  PACKSHOT_NATS_CREDENTIALS_FILE: optionalText(
    "File with a user's JWT and seed (`.creds`), instead of an NKEY, where nats-server has an operator.",
  ),
  PACKSHOT_NATS_USER: optionalText("Name of the process's user, instead of an NKEY; with a password."),
  PACKSHOT_NATS_PASSWORD_FILE: optionalText("File with the password of that user."),
  PACKSHOT_NATS_TLS_CA_FILE: optionalText(
    "PEM file with the authority of nats-server's certificate. With it, or with a certificate, the process speaks TLS only.",
  ),
  PACKSHOT_NATS_TLS_CERT_FILE: optionalText(
    "PEM file with the process's own certificate, where nats-server asks for one.",
  ),
  PACKSHOT_NATS_TLS_KEY_FILE: optionalText("PEM file with the key of that certificate."),
} as const;
