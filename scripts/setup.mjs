/**
 * `make setup`: installs the npm packages, the pinned Node and nats-server, each only when it is missing, and builds the
 * console and the launcher of decoders when they have changed.
 * `node scripts/setup.mjs k6` brings k6 too, for load tests, `chart` what checks the chart, `versitygw` an S3 server, and
 * `kubernetes` a control plane, a kubelet and what nodes run beside it, `keda` KEDA; `compose` brings Docker's Compose, `browser` a
 * Chromium.
 *
 * It is plain JavaScript for Node 20, because it runs before the pinned Node 24 is installed.
 */

import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, closeSync, constants, copyFileSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildConsole } from "./build-console.mjs";

const natsServerVersion = "2.15.2";
/**
 * Programs that Go builds, for whoever asks for them by what `argument` says. One that is on PATH and new enough will do.
 */
const goTools = {
  k6: { argument: "k6", version: "1.8.1", module: "go.k6.io/k6", versionFlag: "version", isMeasuredWith: true },
  helm: {
    argument: "chart",
    version: "3.22.0",
    module: "helm.sh/helm/v3/cmd/helm",
    versionFlag: "version",
    // go install leaves the version out of the binary, and charts ask for one.
    linked: "helm.sh/helm/v3/internal/version.version",
  },
  // It has the schemas of Kubernetes built in; later ones ask a cluster for them. It knows no version of its own.
  "kubectl-validate": { argument: "chart", version: "0.0.4", module: "sigs.k8s.io/kubectl-validate" },
  versitygw: {
    argument: "versitygw",
    version: "1.8.0",
    module: "github.com/versity/versitygw/cmd/versitygw",
    versionFlag: "--version",
    linked: "main.Version",
  },
  // Docker's own Compose, against podman's socket. Later versions have modules that go install refuses.
  "docker-compose": {
    argument: "compose",
    version: "2.32.4",
    module: "github.com/docker/compose/v2/cmd",
    versionFlag: "version",
    linked: "github.com/docker/compose/v2/internal.Version",
    built: "cmd",
  },
};
/** Custom kinds that the chart makes objects of, in the Go modules of those who define them. */
const customKinds = [
  {
    module: "github.com/kedacore/keda/v2@v2.21.0",
    folder: "config/crd/bases",
    files: [
      "eventing.keda.sh_cloudeventsources.yaml",
      "eventing.keda.sh_clustercloudeventsources.yaml",
      "keda.sh_clustertriggerauthentications.yaml",
      "keda.sh_scaledjobs.yaml",
      "keda.sh_scaledobjects.yaml",
      "keda.sh_triggerauthentications.yaml",
    ],
  },
  {
    module: "github.com/prometheus-operator/prometheus-operator@v0.85.0",
    folder: "example/prometheus-operator-crd",
    files: ["monitoring.coreos.com_servicemonitors.yaml", "monitoring.coreos.com_prometheusrules.yaml"],
  },
];
/** What only tests use is built without inlining: versitygw takes 89 s instead of 160. */
const notOptimized = ["-gcflags", "all=-l -dwarf=false"];
/** The compiler collects garbage less often: a fifth of its time. The programs need no C compiler, and run in any container image. */
const goEnvironment = { CGO_ENABLED: "0", GOGC: process.env.GOGC ?? "400" };
const nodeVersionMin = 20;
const progressEveryMs = process.stdout.isTTY ? 1_000 : 15_000;
const root = fileURLToPath(new URL("..", import.meta.url));
const logFolder = join(root, ".cache");
const toolsFolder = join(root, ".tools");

class SetupError extends Error {}

/** When each step that runs began, by its title. */
const running = new Map();
const secondsSince = (startedAtMs) => Math.round((Date.now() - startedAtMs) / 1000);
const say = (text, end = "\n") => process.stdout.write(process.stdout.isTTY ? `\r\u001b[K${text}${end}` : `${text}\n`);

function sayWhatRuns() {
  const steps = [...running].map(([title, startedAtMs]) => `${title} … ${secondsSince(startedAtMs)} s`);
  if (steps.length > 0) say(`setup: ${steps.join(", ")}`, "");
}

/** Runs a command with its output in a log file and a line of progress on the terminal. Rejects with the end of the log. */
async function runStep(title, command, args, environment = {}) {
  const logPath = join(logFolder, `setup-${title.replaceAll(/[^a-z0-9]+/gi, "-")}.log`);
  const log = openSync(logPath, "w");
  const startedAtMs = Date.now();
  const seconds = () => secondsSince(startedAtMs);
  running.set(title, startedAtMs);
  sayWhatRuns();
  // One line has all steps: the one that began first says it.
  const progress = setInterval(() => running.keys().next().value === title && sayWhatRuns(), progressEveryMs);
  try {
    const outcome = await new Promise((resolve) => {
      const child = spawn(command, args, { cwd: root, env: { ...process.env, ...environment }, stdio: ["ignore", log, log] });
      child.once("error", (error) => resolve(error.message));
      child.once("exit", (code, signal) => resolve(code === 0 ? null : `ended with ${signal ?? `status ${code}`}`));
    });
    if (outcome !== null) {
      say(`setup: ${title} failed after ${seconds()} s`);
      const lastLines = readFileSync(logPath, "utf8").trimEnd().split("\n").slice(-20).join("\n");
      throw new SetupError(`${lastLines}\n\n${title}: "${command} ${args.join(" ")}" ${outcome}; the full log is ${logPath}`);
    }
    say(`setup: ${title}: done in ${seconds()} s`);
  } finally {
    clearInterval(progress);
    running.delete(title);
    closeSync(log);
  }
}

/**
 * True when node_modules has every package of package-lock.json that is not optional, in the same version. npm writes
 * its own lock file last, so an interrupted install does not count.
 */
function packagesAreInstalled() {
  const installedPath = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(installedPath)) return false;
  const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  const installed = JSON.parse(readFileSync(installedPath, "utf8")).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.startsWith("node_modules/") && !path.includes("/node_modules/")) return true;
    return entry.optional === true || entry.devOptional === true || (entry.link === true ? path in installed : installed[path]?.version === entry.version);
  });
}

function pinnedNode() {
  return join(root, "node_modules", ".bin", process.platform === "win32" ? "node.cmd" : "node");
}

async function setUpPackages() {
  if (!packagesAreInstalled()) {
    // The install script of onnxruntime-node downloads a CUDA library; the CPU provider is in the package.
    await runStep("npm packages", "npm", ["ci", "--no-progress", "--loglevel=error"], { ONNXRUNTIME_NODE_INSTALL: "skip" });
  }
  const wanted = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).devDependencies.node;
  const found = spawnSync(pinnedNode(), ["--version"], { encoding: "utf8" }).stdout?.trim();
  if (found === `v${wanted}`) return;
  const installer = join(root, "node_modules", "node", "installArchSpecificPackage.js");
  // Where npm runs no install scripts, the package `node` is installed without its binary.
  if (existsSync(installer)) await runStep(`Node ${wanted}`, "sh", ["-c", "cd node_modules/node && node installArchSpecificPackage"]);
  const now = spawnSync(pinnedNode(), ["--version"], { encoding: "utf8" }).stdout?.trim();
  if (now !== `v${wanted}`) {
    throw new SetupError(
      `node_modules/.bin/node is ${now ?? "missing"} instead of v${wanted}: the npm package "node" has no binary for ${process.platform} ${process.arch}, or npm may not run its install script; remove node_modules and try again.`,
    );
  }
}

function isAtLeast(version, floor) {
  const [a, b] = [version, floor].map((text) => text.split(".").map(Number));
  const differing = a.findIndex((part, index) => part !== b[index]);
  return differing === -1 || a[differing] > b[differing];
}

function versionAt(path, flag = "--version") {
  const answer = spawnSync(path, [flag], { encoding: "utf8" });
  return /v(\d+\.\d+\.\d+)/.exec(answer.stdout ?? "")?.[1] ?? null;
}

function onPath(program) {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return join(folder, program);
    } catch {
      // Not in this folder.
    }
  }
  return null;
}

/** Release archives name the machine as Go does. */
function releaseName() {
  const machine = { x64: "amd64", arm64: "arm64" }[process.arch] ?? process.arch;
  return `nats-server-v${natsServerVersion}-${process.platform}-${machine}`;
}

async function downloadNatsServer(sha256) {
  const name = releaseName();
  const archive = join(toolsFolder, `${name}.tar.gz`);
  const url = `https://github.com/nats-io/nats-server/releases/download/v${natsServerVersion}/${name}.tar.gz`;
  await runStep("nats-server release", "curl", ["--fail", "--location", "--silent", "--show-error", "--max-time", "600", "--output", archive, url]);
  const found = createHash("sha256").update(readFileSync(archive)).digest("hex");
  if (found !== sha256.toLowerCase()) {
    rmSync(archive);
    throw new SetupError(`${name}.tar.gz has SHA-256 ${found}, not the ${sha256} of PACKSHOT_NATS_SERVER_SHA256; the download was deleted.`);
  }
  await runStep("nats-server unpacking", "tar", ["-xzf", archive, "-C", toolsFolder, `${name}/nats-server`]);
  renameSync(join(toolsFolder, name, "nats-server"), join(toolsFolder, "nats-server"));
  rmSync(join(toolsFolder, name), { recursive: true });
  rmSync(archive);
}

async function setUpNatsServer() {
  const local = join(toolsFolder, "nats-server");
  for (const candidate of [onPath("nats-server"), existsSync(local) ? local : null]) {
    const version = candidate === null ? null : versionAt(candidate);
    if (version !== null && isAtLeast(version, natsServerVersion)) return;
  }
  mkdirSync(toolsFolder, { recursive: true });
  const sha256 = process.env.PACKSHOT_NATS_SERVER_SHA256;
  if (onPath("go") !== null) {
    const module = `github.com/nats-io/nats-server/v2@v${natsServerVersion}`;
    await runStep(`nats-server ${natsServerVersion} (go install)`, "go", ["install", "-trimpath", module], { GOBIN: toolsFolder, ...goEnvironment });
  } else if (sha256) {
    await downloadNatsServer(sha256);
  } else {
    throw new SetupError(
      `nats-server ${natsServerVersion} or newer is missing: put it on PATH, or install Go and run "make setup" again, or set PACKSHOT_NATS_SERVER_SHA256 to the SHA-256 of ${releaseName()}.tar.gz (from SHA256SUMS of its release) and setup downloads it.`,
    );
  }
  const version = versionAt(local);
  if (version === null) throw new SetupError(`${local} was installed but does not run on this machine.`);
}

function assertGo(what) {
  if (onPath("go") === null) throw new SetupError(`${what}: install Go and try again.`);
  mkdirSync(toolsFolder, { recursive: true });
}

/** In the background's priority: it takes minutes of processor time, and somebody may work beside it. */
async function setUpGoTool(name) {
  const { version, module, versionFlag, linked, built, isMeasuredWith } = goTools[name];
  const local = join(toolsFolder, name);
  const stamp = `${local}.version`;
  const versionOf = (path) => {
    if (versionFlag !== undefined) return versionAt(path, versionFlag);
    return path === local && existsSync(stamp) ? readFileSync(stamp, "utf8") : null;
  };
  // The tests take the one in .tools first, so that one must not be old.
  const found = existsSync(local) ? local : onPath(name);
  const foundVersion = found === null ? null : versionOf(found);
  if (foundVersion !== null && isAtLeast(foundVersion, version)) return;
  assertGo(`${name} ${version} or newer is missing`);
  const flags = ["-s", "-w", ...(linked === undefined ? [] : ["-X", `${linked}=v${version}`])].join(" ");
  const compiled = isMeasuredWith === true ? [] : notOptimized;
  const install = ["-n", "10", "go", "install", "-trimpath", ...compiled, "-ldflags", flags, `${module}@v${version}`];
  await runStep(`${name} ${version} (go install, some minutes)`, "nice", install, { GOBIN: toolsFolder, ...goEnvironment });
  // Go names a program after the folder of its module.
  if (built !== undefined) renameSync(join(toolsFolder, built), local);
  if (versionFlag === undefined) writeFileSync(stamp, version);
  if (versionOf(local) === null) throw new SetupError(`${local} was installed but does not run on this machine.`);
}

/** Covers the module file and the sources, so that what was built from others is built again. */
function digestOf(...folders) {
  const hash = createHash("sha256");
  for (const folder of folders)
    for (const name of readdirSync(folder).sort()) if (/\.go$|^go\./.test(name)) hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest("hex").slice(0, 12);
}

/** Without it decoders are not confined; a machine that cannot build it can do everything else. */
async function setUpCage() {
  if (process.platform !== "linux") return;
  const folder = join(root, "deploy", "cage");
  const local = join(toolsFolder, "packshot-cage");
  const wanted = digestOf(folder);
  const found = () => (existsSync(local) ? spawnSync(local, ["check"], { encoding: "utf8" }).stdout ?? "" : "");
  if (found().includes(`"version":"${wanted}"`)) return;
  const without = 'decoders will not be confined, and a worker that "packshot up" does not start needs PACKSHOT_DECODER_CAGE=off';
  if (onPath("go") === null) return say(`setup: packshot-cage is not built, because Go is missing: ${without}`);
  mkdirSync(toolsFolder, { recursive: true });
  const build = ["build", "-C", folder, "-trimpath", "-mod=readonly", "-ldflags", `-s -w -X main.version=${wanted}`, "-o", local, "."];
  await runStep("packshot-cage (go build)", "go", build, goEnvironment).catch((error) => {
    if (!(error instanceof SetupError)) throw error;
    say(`setup: packshot-cage is not built: ${without}\n${error.message}`);
  });
}

/** Only where it is asked for: it is built in minutes, and only the tests of the chart need it. */
async function setUpControlPlane() {
  const folder = join(root, "testing", "kubernetes", "control-plane");
  const local = join(toolsFolder, "control-plane");
  const version = /k8s\.io\/kubernetes (v\S+)/.exec(readFileSync(join(folder, "go.mod"), "utf8"))[1];
  const wanted = `${version}+${digestOf(folder)}`;
  const found = () => (existsSync(local) ? spawnSync(local, ["version"], { encoding: "utf8" }).stdout?.trim() : null);
  if (found() === wanted) return;
  assertGo(`the tests of the chart run a Kubernetes control plane (${version}), which Go builds`);
  // Without them the API server says that it is v0.0.0, which no chart accepts.
  const [major, minor] = version.slice(1).split(".");
  const stamps = { gitVersion: version, gitMajor: major, gitMinor: minor, gitTreeState: "clean", gitCommit: "none", buildDate: "1970-01-01T00:00:00Z" };
  const variables = Object.entries(stamps).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`);
  const flags = ["-s", "-w", "-X", `main.version=${wanted}`, ...variables].join(" ");
  const build = ["-n", "10", "go", "build", "-C", folder, "-trimpath", "-mod=readonly", ...notOptimized, "-ldflags", flags, "-o", local, "."];
  await runStep(`Kubernetes control plane ${version} (go build, some minutes)`, "nice", build, goEnvironment);
  if (found() !== wanted) throw new SetupError(`${local} was built but does not run on this machine.`);
}

/** CoreDNS, and the first process of pods. */
async function setUpAddOns() {
  const folder = join(root, "testing", "kubernetes", "add-ons");
  const target = join(toolsFolder, "add-ons");
  const stamp = join(target, "add-ons.version");
  const wanted = digestOf(folder, join(folder, "names"), join(folder, "pause"));
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  assertGo("the pods of the chart's tests need CoreDNS, which Go builds");
  mkdirSync(target, { recursive: true });
  for (const name of ["pause", "names"]) {
    const build = ["-n", "10", "go", "build", "-C", folder, "-trimpath", "-mod=readonly", ...notOptimized, "-ldflags", "-s -w", "-o", join(target, name), `./${name}`];
    await runStep(`${name} (go build, some minutes)`, "nice", build, goEnvironment);
  }
  writeFileSync(stamp, wanted);
}

/** KEDA's operator and its metrics server: a quarter of an hour of processor time, where nothing of them is in Go's cache. */
async function setUpKeda() {
  const folder = join(root, "testing", "kubernetes", "keda");
  const target = join(toolsFolder, "keda");
  const stamp = join(toolsFolder, "keda.version");
  const wanted = digestOf(folder);
  if (existsSync(join(target, "config")) && existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  assertGo("make test-keda runs KEDA, which Go builds");
  mkdirSync(target, { recursive: true });
  const module = "github.com/kedacore/keda/v2";
  // By the names that its manifests call them.
  for (const [name, program] of [["operator", "keda"], ["adapter", "keda-adapter"]]) {
    const build = ["-n", "10", "go", "build", "-C", folder, "-trimpath", "-mod=readonly", ...notOptimized, "-ldflags", "-s -w", "-o", join(target, program), `${module}/cmd/${name}`];
    await runStep(`KEDA's ${name} (go build, some minutes)`, "nice", build, goEnvironment);
  }
  const source = spawnSync("go", ["list", "-C", folder, "-m", "-f", "{{.Dir}}", module], { encoding: "utf8" }).stdout.trim();
  // Files of Go's cache may only be read.
  await runStep("KEDA's manifests", "cp", ["-r", "--no-preserve=mode", join(source, "config"), target]);
  writeFileSync(stamp, wanted);
}

async function setUpCustomKinds() {
  const target = join(toolsFolder, "custom-kinds");
  mkdirSync(target, { recursive: true });
  for (const { module, folder, files } of customKinds) {
    const stamp = join(target, `${module.split("@")[0].replaceAll("/", "-")}.version`);
    const isThere = files.every((file) => existsSync(join(target, file)));
    if (isThere && existsSync(stamp) && readFileSync(stamp, "utf8") === module) continue;
    assertGo(`the custom kinds of ${module} come from its Go module`);
    await runStep(`custom kinds of ${module}`, "go", ["mod", "download", module]);
    const { Dir } = JSON.parse(spawnSync("go", ["mod", "download", "-json", module], { encoding: "utf8" }).stdout);
    for (const file of files) copyFileSync(join(Dir, folder, file), join(target, file));
    writeFileSync(stamp, module);
  }
}

/** What Go builds, one after the other: a build takes all cores, and two of them would compile the same packages twice. */
async function setUpPrograms(wanted) {
  await setUpNatsServer();
  await setUpCage();
  for (const [name, { argument }] of Object.entries(goTools)) if (wanted.includes(argument)) await setUpGoTool(name);
  if (wanted.includes("keda")) await setUpKeda();
  if (!wanted.includes("kubernetes")) return;
  await setUpControlPlane();
  await setUpAddOns();
  await setUpCustomKinds();
}

/** Made for Linux on x64, for machines that have no package of it; its archive is unpacked by its own module. */
const packagedChromium = "@sparticuz/chromium@153.0.0";

/** For tests of the console: the machine's own, else Debian's where we may install it, else one that npm has. */
async function setUpBrowser() {
  const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
  const folder = join(toolsFolder, "chromium");
  const local = join(folder, "chromium");
  const isThere = () => [...names.map(onPath), existsSync(local) ? local : null].some((path) => path !== null && spawnSync(path, ["--version"]).status === 0);
  if (isThere()) return;
  if (process.getuid?.() === 0 && onPath("apt-get") !== null) {
    const install = (name) => `apt-get install -q -y --no-install-recommends ${name}`;
    const command = `apt-get update -q && { ${install(names[0])} || ${install(names[1])}; }`;
    await runStep("Chromium (apt-get)", "sh", ["-c", command], { DEBIAN_FRONTEND: "noninteractive" }).catch(() => {});
    if (isThere()) return;
  }
  mkdirSync(folder, { recursive: true });
  await runStep("Chromium (npm)", "npm", ["install", "--prefix", folder, "--no-fund", "--no-audit", packagedChromium]);
  const unpack = 'import("@sparticuz/chromium").then(({ default: chromium }) => chromium.executablePath()).then((path) => require("node:fs").copyFileSync(path, process.argv[1]))';
  await runStep("Chromium (unpacking)", "sh", ["-c", `cd "$0" && node -e '${unpack}' "$1" && chmod +x "$1"`, folder, local]);
  if (!isThere()) throw new SetupError("tests of the console need a browser: put Chromium on PATH, as chromium or google-chrome; the one that npm has does not run here.");
}

async function main() {
  const major = Number(process.versions.node.split(".")[0]);
  if (major < nodeVersionMin) throw new SetupError(`Node ${process.versions.node} is too old: setup needs Node ${nodeVersionMin} or newer (Packshot itself runs on the pinned Node that setup installs).`);
  if (onPath("npm") === null) throw new SetupError("npm is not on PATH: install it with Node.");
  try {
    mkdirSync(logFolder, { recursive: true });
    writeFileSync(join(logFolder, "writable"), "");
  } catch (error) {
    throw new SetupError(`${root} cannot be written (${error.code}): setup installs packages and tools there.`);
  }
  // The npm packages come over the network while Go computes.
  const wanted = process.argv.slice(2);
  const browser = wanted.includes("browser") ? [setUpBrowser()] : [];
  const packages = setUpPackages().then(() => buildConsole({ run: runStep, node: pinnedNode() }));
  const outcomes = await Promise.allSettled([packages, setUpPrograms(wanted), ...browser]);
  const failure = outcomes.find(({ status }) => status === "rejected");
  if (failure !== undefined) throw failure.reason;
}

main().catch((error) => {
  process.stderr.write(`setup: ${error instanceof SetupError ? error.message : error.stack}\n`);
  process.exitCode = 1;
});
