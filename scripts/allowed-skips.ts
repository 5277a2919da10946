/** The tests that CI may skip, by "file > name", and why. Any other test that is skipped there fails the run. */
export const allowedSkips: readonly { readonly test: RegExp; readonly why: string }[] = [
  { test: /^test\/journeys\/full-disk\./, why: "mounts a small file system, which takes root" },
  {
    test: /\(no containers: /,
    why: "the machine of CI may lack podman, or the rights to run containers; the name says at which step",
  },
  {
    test: /\(run by make test-compose\)/,
    why: "Docker's Compose takes 4 minutes to build, and its stack two to try",
  },
  {
    test: /\(run by make test-chart\)/,
    why: "needs root, containerd, and a kubelet and a control plane that are built in minutes",
  },
  { test: /\(run by make test-chart-examples\)/, why: "needs the same, for ten minutes of installs" },
  { test: /\(run by make test-keda\)/, why: "KEDA takes a quarter of an hour to build, and ten minutes to try" },
  {
    test: /\(run by make test-cuda-image\)/,
    why: "downloads 1.6 GB of CUDA's libraries into an image",
  },
  {
    test: /^test\/upgrade\/.*\(make test-upgrade\)/,
    why: "needs the repository's history and the packages of the last release; make test-upgrade runs it",
  },
  {
    test: /\(make test-drill\)/,
    why: "starts a whole stack six times, and waits twice for half a minute; make test-drill runs it",
  },
  {
    test: /^test\/cuda\/.*\(make test-cuda-libraries\)/,
    why: "downloads 1.6 GB of CUDA's libraries; make test-cuda-libraries does it",
  },
  {
    test: /\(run by make test-power-cuts\)/,
    why: "mounts disks, which takes root, and takes ten minutes for twenty cuts",
  },
  { test: /\(no disk: /, why: "mounts a file system whose power is cut, which takes root" },
  { test: /\bGPU\b/, why: "needs a CUDA device; the machine of CI has none" },
  {
    test: /^training\/.*PACKSHOT_TRAINING_PYTHON/,
    why: "training is never needed to run the product; its smoke test needs PyTorch",
  },
];
