/** moto: SQS, SNS and IAM as Amazon's own Python client knows them, in one process that checks signatures. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { guardedByStdin, startService } from "../../cli/up/start-service.ts";
import { pythonEnvironment } from "../python-environment.ts";

/** Without what its other services need, which has a hundred megabytes. */
const packages = ["moto==5.2.5", "flask==3.1.3", "flask-cors==6.0.5"];
const region = "eu-central-1";

export interface Moto {
  readonly url: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** One call of boto3: `call("sqs", "create_queue", { QueueName: "photos" })`. */
  call<T>(service: string, operation: string, parameters: object): T;
  stop(): Promise<void>;
}

const oneCall = `
import boto3, json, sys
service, operation, parameters, options = sys.argv[1:]
client = boto3.client(service, **json.loads(options))
print(json.dumps(getattr(client, operation)(**json.loads(parameters)), default=str))
`;

export async function startMoto(): Promise<Moto> {
  const bin = pythonEnvironment("moto", packages);
  const server = await startService({
    name: "moto",
    ...guardedByStdin(join(bin, "moto_server"), ["--host", "127.0.0.1", "--port", "0"]),
    environment: process.env,
    waitForReady: ({ untilLine }) => untilLine((line) => /Running on (http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1]),
  });
  const url = server.ready;
  let credentials = { accessKeyId: "anybody", secretAccessKey: "anything" };

  function call<T>(service: string, operation: string, parameters: object): T {
    const { accessKeyId: aws_access_key_id, secretAccessKey: aws_secret_access_key } = credentials;
    const options = { endpoint_url: url, region_name: region, aws_access_key_id, aws_secret_access_key };
    const given = [service, operation, JSON.stringify(parameters), JSON.stringify(options)];
    return JSON.parse(execFileSync(join(bin, "python"), ["-c", oneCall, ...given], { encoding: "utf8" }));
  }

  const user = { UserName: "packshot" };
  const allowed = { Effect: "Allow", Action: ["sqs:*", "sns:*"], Resource: "*" };
  const PolicyDocument = JSON.stringify({ Version: "2012-10-17", Statement: [allowed] });
  call("iam", "create_user", user);
  call("iam", "put_user_policy", { ...user, PolicyName: "queues", PolicyDocument });
  const { AccessKey } = call<{ AccessKey: Record<string, string> }>("iam", "create_access_key", user);
  credentials = { accessKeyId: AccessKey.AccessKeyId!, secretAccessKey: AccessKey.SecretAccessKey! };
  // From now on a request counts only with a key's signature.
  const headers = { "content-type": "text/plain" };
  await fetch(`${url}/moto-api/reset-auth`, { method: "POST", headers, body: "0" });
  return { url, region, credentials, call, stop: server.stop };
}
