# The commands of this repository. Each installs what it needs first; `make` alone lists them.

SHELL := /bin/sh
# The pinned Node comes first on PATH, so that no recipe runs the product on the machine's own Node.
run := PATH="$(CURDIR)/node_modules/.bin:$$PATH"
# Passed to recipes as shell variables, because a theme may contain any character.
export PHOTO THEME ENGINE DEMO_EXIT

.PHONY: test-cuda-libraries test-cuda-image fuzz list setup images test test-all test-rest demo up observe soak-exactness soak-week soak-webhooks test-contract test-hostile test-cluster soak-cluster test-power-cuts test-drill test-upgrade test-chart test-chart-examples test-keda score-mask bench-log bench-load bench-peers test-compose

list:
	@echo "make demo            set up, start everything and edit a photo (PHOTO=path THEME=\"…\" ENGINE=generative DEMO_EXIT=1)"
	@echo "make up              set up and run the stack on port 8080 with its data in ./data (ENGINE=generative)"
	@echo "make test            set up, then run every check, every unit test and a tour of the running stack: some minutes"
	@echo "make test-all        set up with all tools, then run every check and every test: up to half an hour"
	@echo "make setup           install the npm packages, the pinned Node and nats-server"
	@echo
	@echo "for maintainers:"
	@echo "make test-rest       what a make test just before it has not run, with all tools"
	@echo "make observe         run Prometheus beside the stack of make up, with the alert rules (PROMETHEUS_PORT=…)"
	@echo "make soak-exactness  set up, then run ten minutes of random operations and kills (EXACTNESS_SECONDS=… EXACTNESS_JOBS=… EXACTNESS_REPLICAS=3 EXACTNESS_STREAMS=1 EXACTNESS_SEED=…)"
	@echo "make soak-week       set up, then run a week of a cluster in ninety minutes, and write whether anything grew to bench/results (SOAK_MINUTES=90)"
	@echo "make soak-webhooks   set up, then deliver 10,000 webhooks to fifty receivers while services are killed"
	@echo "make test-contract   set up, then have Schemathesis try the bounds of every parameter, those of edits, too"
	@echo "make test-hostile    set up, then send 10,000 hostile requests of every kind to the whole stack (HOSTILE_REQUESTS=… HOSTILE_SEED=…)"
	@echo "make test-cluster    set up, then edit 300 photos on a cluster of processes while each kind is killed (CLUSTER_EDITS=…)"
	@echo "make soak-cluster    the same with 2,000 photos of full size"
	@echo "make test-power-cuts set up, then cut the power of a loaded deployment until the journal has CUTS=20 cuts of it (LAYOUT=one|three FILE_SYSTEM=ext4|xfs)"
	@echo "make test-drill      set up, then lose the log, the machine and the keys, of a cluster the log and the region, and restore by the commands of docs/operations.md"
	@echo "make test-upgrade    set up, then roll the last release to this one and back while it edits (UPGRADE_FROM=a commit)"
	@echo "make test-chart      as root, with containerd: set up with Kubernetes (some minutes), then install, upgrade, drain and remove the chart there, in containers"
	@echo "make test-chart-examples  the same setup, then install every example of the chart and edit a photo with it"
	@echo "make test-keda       as root, with containerd: set up with KEDA (some minutes), then have it scale the chart's workers, from none to six and back"
	@echo "make fuzz            set up, then fuzz what reads files, forms, rows, themes and links, guided by coverage, and decode changed files of every format in the cage (FUZZ_MINUTES=5 of each FUZZ_FILES=500 FUZZ_SEED=2)"
	@echo "make images          set up, then build the image by podman and buildah, without a registry (NODE_IMAGE=… GO_IMAGE=… PYTHON_IMAGE=… CUDA=1)"
	@echo "make test-cuda-libraries  set up, download CUDA's libraries (1.6 GB), and load them without a GPU"
	@echo "make test-cuda-image  set up, build the image with CUDA by podman and buildah (1.6 GB of downloads), and run it without a GPU"
	@echo "make test-compose    set up with Docker's Compose (some minutes), then run compose.yaml in containers of podman: edits, kills, an update; and bundle's journey"
	@echo "make score-mask      set up, then score masks on the photos in PACKSHOT_SHARED, next to rembg where Python has it"
	@echo "make bench-log       set up, then measure the log: whole jobs, reads of a large log, a restart, days in short (BENCH=… RECORDS=…)"
	@echo "make bench-load      set up with k6, then put load on a stack of its own, or on TARGET with KEY (SECONDS=… SOAK_SECONDS=… SCENARIOS=… WORKERS=… PROFILE=1)"
	@echo "make bench-peers     set up, then measure Packshot beside raw onnxruntime, rembg and a BullMQ pipeline (ROUNDS=… WINDOW=… MEGAPIXELS=… CLIENTS=… WEIGHTS=…)"

set_up := command -v node >/dev/null 2>&1 || { echo "setup: Node is not on PATH: install Node 20 or newer (with npm)." >&2; exit 1; }; node scripts/setup.mjs

setup:
	@$(set_up)

test:
	@$(set_up)
	@$(run) node scripts/run-tests.ts

# All at once, so that npm and Go work side by side. What checks the chart is built beside the tests.
test-all:
	@$(set_up) versitygw browser
	@$(run) node scripts/run-tests.ts --all

# For CI, which runs each spec once.
test-rest:
	@$(set_up) versitygw browser
	@$(run) node scripts/run-tests.ts --rest

demo: setup
	@set --; \
	[ -z "$$PHOTO" ] || set -- "$$@" --photo "$$PHOTO"; \
	[ -z "$$THEME" ] || set -- "$$@" --theme "$$THEME"; \
	[ -z "$$ENGINE" ] || set -- "$$@" --engine "$$ENGINE"; \
	[ -z "$$DEMO_EXIT" ] || set -- "$$@" --exit; \
	$(run) exec node cli/demo.ts "$$@"

up: setup
	@if [ "$$ENGINE" = generative ] && [ -z "$$PACKSHOT_IMAGE_MODEL" ]; then \
	$(run) node scripts/write-stand-in.ts "$${PACKSHOT_MODEL_DIR:-data/models}" || exit 1; \
	export PACKSHOT_IMAGE_MODEL=stand-in; \
	fi; \
	$(run) exec node cli/packshot.ts up --data-dir data --port 8080

observe: setup
	@$(run) exec node cli/packshot.ts observe --data-dir data --port "$${PROMETHEUS_PORT:-9090}"

soak-exactness: setup
	@$(run) EXACTNESS_SECONDS="$${EXACTNESS_SECONDS:-600}" vitest run test/failures/exactness.spec.ts

# With the last release, from which the week begins.
soak-week:
	@$(set_up) versitygw
	@$(run) SOAK_MINUTES="$${SOAK_MINUTES:-90}" vitest run test/week/week.spec.ts

soak-webhooks: setup
	@$(run) node test/failures/webhooks-soak.ts

test-contract: setup
	@$(run) SCHEMATHESIS_FULL=1 vitest run test/conformance/schemathesis.spec.ts

test-hostile: setup
	@$(run) HOSTILE_REQUESTS="$${HOSTILE_REQUESTS:-10000}" vitest run test/hostile

fuzz: setup
	@$(run) node testing/fuzz/run.ts --minutes "$${FUZZ_MINUTES:-5}" --seed "$${FUZZ_SEED:-2}"
	@$(run) FUZZ_FILES="$${FUZZ_FILES:-500}" FUZZ_SEED="$${FUZZ_SEED:-2}" vitest run services/inference/decoder/mutated-files.spec.ts

test-cluster:
	@$(set_up) versitygw
	@$(run) CLUSTER_EDITS="$${CLUSTER_EDITS:-300}" vitest run test/cluster

soak-cluster:
	@$(set_up) versitygw
	@$(run) CLUSTER_FULL_SIZE=1 CLUSTER_EDITS="$${CLUSTER_EDITS:-2000}" vitest run test/cluster

# As root: it mounts disks and starts machines, in namespaces of their own, so that they are gone with it.
test-power-cuts: setup
	@$(run) TEST_POWER_CUTS=1 CUTS="$${CUTS:-20}" LAYOUT="$${LAYOUT:-one}" FILE_SYSTEM="$${FILE_SYSTEM:-ext4}" sh testing/power-cuts/own-machines.sh vitest run test/power-cuts

test-drill:
	@$(set_up) versitygw
	@$(run) TEST_DRILL=1 vitest run test/journeys/disaster-drill.spec.ts test/journeys/cluster-drill.spec.ts

test-upgrade: setup
	@$(run) TEST_UPGRADE=1 vitest run test/upgrade

test-cuda-libraries: setup
	@$(run) TEST_CUDA_LIBRARIES=1 vitest run test/cuda

build_image := $(run) MEASURE=0 node scripts/build-images.ts

# As root: the nodes' containers, networks and mounts lie in namespaces of their own, and are gone with them. One spec after the
# other, because each has a cluster.
test-chart:
	@$(set_up) chart versitygw kubernetes
	@$(build_image) && $(run) TEST_CHART=test-chart vitest run --no-file-parallelism test/chart

test-chart-examples:
	@$(set_up) chart versitygw kubernetes
	@$(build_image) && $(run) TEST_CHART=test-chart-examples vitest run test/chart/examples.spec.ts

# KEDA is built once, in some minutes.
test-keda:
	@$(set_up) chart kubernetes keda
	@$(build_image) && $(run) TEST_CHART=test-keda vitest run --no-file-parallelism test/chart/keda.spec.ts test/chart/keda-engines.spec.ts

images: setup
	@$(run) exec node scripts/build-images.ts

test-cuda-image: setup
	@$(run) TEST_CONTAINERS=test-cuda-image vitest run test/containers/cuda-image.spec.ts

# Docker's Compose is built once, in some minutes.
test-compose:
	@$(set_up) compose chart
	@$(run) TEST_CONTAINERS=test-compose vitest run test/containers

score-mask: setup
	@$(run) node bench/mask/score-mask.ts

bench-log: setup
	@set -e; for bench in $${BENCH:-commits whole-jobs list-reads job-view restart days-in-short}; do \
	set --; \
	case "$$bench" in list-reads|job-view|restart) [ -z "$$RECORDS" ] || set -- --records "$$RECORDS";; esac; \
	$(run) node "bench/log/$$bench.ts" "$$@"; \
	done

# make expands SECONDS itself: to some shells it is a clock.
bench-load:
	@$(set_up) k6
	@set --; \
	[ -z "$(SECONDS)" ] || set -- "$$@" --seconds "$(SECONDS)"; \
	[ -z "$$SOAK_SECONDS" ] || set -- "$$@" --soak-seconds "$$SOAK_SECONDS"; \
	[ -z "$$SCENARIOS" ] || set -- "$$@" --scenarios "$$SCENARIOS"; \
	[ -z "$$CONCURRENCY" ] || set -- "$$@" --concurrency "$$CONCURRENCY"; \
	[ -z "$$KNEE" ] || set -- "$$@" --knee "$$KNEE"; \
	[ -z "$$WORKERS" ] || set -- "$$@" --workers "$$WORKERS"; \
	[ -z "$$TOOL" ] || set -- "$$@" --tool "$$TOOL"; \
	[ -z "$$PHOTOS" ] || set -- "$$@" --photos "$$PHOTOS"; \
	[ -z "$$TARGET" ] || set -- "$$@" --target "$$TARGET"; \
	[ -z "$$PROFILE" ] || set -- "$$@" --profile; \
	$(run) LOAD_KEY="$$KEY" exec node bench/load/run.ts "$$@"

bench-peers: setup
	@set --; \
	[ -z "$$ROUNDS" ] || set -- "$$@" --rounds "$$ROUNDS"; \
	[ -z "$$WINDOW" ] || set -- "$$@" --window "$$WINDOW"; \
	[ -z "$$MEGAPIXELS" ] || set -- "$$@" --megapixels "$$MEGAPIXELS"; \
	[ -z "$$CLIENTS" ] || set -- "$$@" --clients "$$CLIENTS"; \
	[ -z "$$SYSTEMS" ] || set -- "$$@" --systems "$$SYSTEMS"; \
	[ -z "$$WEIGHTS" ] || set -- "$$@" --weights "$$WEIGHTS"; \
	$(run) exec node bench/peers/run.ts "$$@"
