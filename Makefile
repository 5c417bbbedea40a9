PORT ?= 4566
PYTHON := .venv/bin/python
READY := .venv/.installed
export SAM_CLI_TELEMETRY := 0

.PHONY: audit checkov help setup run deploy demo logs invoke invoke-image check test test-all slow static unit beyond-unit browser java clients client-toolchains lint types imports validate bench soak charts lock docs pictures site-tools openapi clean
.DEFAULT_GOAL := help

help: ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

setup: $(READY) ## install everything into .venv and tools/sam/.venv

$(READY): pyproject.toml uv.lock tools/sam/pyproject.toml tools/sam/uv.lock tests/browser/package-lock.json local/prepare.py
	@python3 local/prepare.py
	@touch $@

run: setup ## start the local stack (PORT=4566) until Ctrl-C
	@exec $(PYTHON) -m local run --port $(PORT)

deploy: setup ## put the code as it is now on the running local stack
	@$(PYTHON) -m local deploy

demo: setup ## walk buy, identity and sell on the running local stack
	@$(PYTHON) -m local demo

clients: setup ## the five clients of clients/ on the running local stack
	@$(PYTHON) -m tests.clients

logs: setup ## follow what the functions log; one of them: FUNCTION=create_order
	@exec $(PYTHON) -m local logs $(if $(FUNCTION),--function '$(FUNCTION)')

# Optional: NUMBER= or PAY_URL= of an earlier answer, NONCE=, STACK=, IMAGE=.
invoke: setup ## sign a sample and `sam local invoke` it: EVENT=events/create_order/buy_bank.json
	@$(PYTHON) -m local invoke $(EVENT) $(if $(NUMBER),--number '$(NUMBER)') $(if $(PAY_URL),--pay-url '$(PAY_URL)') \
		$(if $(NONCE),--nonce $(NONCE)) $(if $(STACK),--stack $(STACK)) $(if $(IMAGE),--image $(IMAGE))

invoke-image: setup ## an image for that, where AWS's own cannot be pulled
	@$(PYTHON) -m local invoke-image

bench: setup java charts ## measure everything: docs/benchmarks.md, docs/costs.md
	@$(PYTHON) -m bench

soak: setup charts ## mixed traffic for MINUTES=30: docs/soak.md
	@$(PYTHON) -m tests.soak --minutes $(or $(MINUTES),30)

java: ## what DynamoDB Local needs
	@tools/java_runtime.sh

charts: setup ## what draws them: large, and nothing else needs it
	@.venv/bin/uv sync --frozen --quiet --inexact --group charts

# Which test is in which tier: tests/tiers.py. Everything of a tier runs, even after a failure; the exit status is 1 then.
PYTEST := $(PYTHON) -m pytest --numprocesses logical --maxprocesses 4
EVERY = failed=0; for part in $(1); do $(MAKE) --no-print-directory $$part || failed=1; done; exit $$failed

check: setup ## lint, types, import contracts, template and unit tests: before a commit
	@$(call EVERY,static unit)

test: setup ## all of that, and every other test but the slow ones
	@$(call EVERY,check beyond-unit)

test-all: setup ## all of that, and the slow ones
	@$(call EVERY,test slow)

static: setup
	@$(MAKE) --no-print-directory --keep-going --jobs 2 types validate lint imports

unit: setup
	$(PYTEST) -m 'not slow' tests/unit

beyond-unit: setup browser site-tools
	$(PYTEST) --dist loadscope -m 'not slow' --ignore tests/unit

slow: setup browser site-tools java client-toolchains ## the slow tests only, and properties at their full depth
	$(PYTEST) --dist loadscope -m 'slow or deep' --hypothesis-profile full

browser: ## what the browser tests need beside Python
	@tools/system_packages.sh

client-toolchains: ## what the clients' tests need beside Python: Node, PHP, Go, a JDK
	@tools/client_toolchains.sh

lint: setup ## ruff, check and format
	$(PYTHON) -m ruff check
	$(PYTHON) -m ruff format --check

types: setup ## mypy, strict
	$(PYTHON) -m mypy
	MYPYPATH=bench/baseline/src:layers/common $(PYTHON) -m mypy bench/baseline/src/*.py

imports: setup ## import contracts: the layers
	.venv/bin/lint-imports

validate: setup ## template.yaml
	AWS_DEFAULT_REGION=us-east-1 tools/sam/.venv/bin/sam validate --lint

lock: setup ## renew the lock files and the requirements made from them
	.venv/bin/uv lock
	.venv/bin/uv lock --project tools/sam
	$(EXPORT) --no-default-groups --group identity --group pages --group codes --no-emit-project --output-file layers/common/requirements.txt
	$(EXPORT) --only-group pictures --output-file functions/render_receipt/requirements.txt
	$(EXPORT) --only-group invoke --output-file local/invoke_image/requirements.txt
EXPORT := .venv/bin/uv export --frozen --quiet --no-header --no-annotate

docs: openapi site-tools ## the documentation site: .local/docs, which make run serves
	@$(PYTHON) -m tools.site

pictures: setup browser ## docs/pictures, from the running local stack; start it anew first
	@$(PYTHON) -m tools.pictures

site-tools: setup ## what writes the site
	@.venv/bin/uv sync --frozen --quiet --inexact --group docs

openapi: setup ## docs/openapi.yaml, from the code
	@$(PYTHON) -m tools.openapi

audit: setup ## ask for known vulnerabilities of every locked library, Python and npm; needs a network
	@tools/audit.sh

checkov: setup ## what checkov finds in the template that docs/decisions.md does not answer; needs a network once
	@tools/checkov/run.sh

clean: ## remove what was built, not what was installed
	rm -rf .aws-sam .local .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
