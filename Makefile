PORT ?= 4566
PYTHON := .venv/bin/python
READY := .venv/.installed
VALID := .venv/.validated
export SAM_CLI_TELEMETRY := 0
# Without bytecode every process compiles the code and the tests again, which doubles their start.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: audit checkov deploy-proof help setup run deploy demo logs invoke invoke-image check test test-all slow static unit beyond-unit browser java clients client-toolchains declarations packages lint types imports validate bench soak fuzz charts lock docs pictures site-tools openapi clean
.DEFAULT_GOAL := help

help: ## show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

setup: $(READY) ## install everything into .venv and tools/sam/.venv

$(READY): pyproject.toml cli/pyproject.toml uv.lock tools/sam/pyproject.toml tools/sam/uv.lock tests/browser/package-lock.json local/prepare.py
	@python3 local/prepare.py
	@touch $@

run: setup ## start the local stack (PORT=4566); Ctrl-C ends it
	@exec $(PYTHON) -m local run --port $(PORT)

deploy: setup ## deploy the current code to the running local stack
	@$(PYTHON) -m local deploy

demo: setup ## run a buy, an identity check and a sell on the running local stack
	@$(PYTHON) -m local demo

clients: setup site-tools ## test the five clients of clients/ on the running local stack
	@$(PYTHON) -m tests.clients

logs: setup ## follow the functions' logs; of one function: FUNCTION=create_order
	@exec $(PYTHON) -m local logs $(if $(FUNCTION),--function '$(FUNCTION)')

# Optional: NUMBER= or PAY_URL= of an earlier answer, NONCE=, STACK=, IMAGE=.
invoke: setup ## sign a sample and `sam local invoke` it: EVENT=events/create_order/buy_bank.json
	@$(PYTHON) -m local invoke $(EVENT) $(if $(NUMBER),--number '$(NUMBER)') $(if $(PAY_URL),--pay-url '$(PAY_URL)') \
		$(if $(NONCE),--nonce $(NONCE)) $(if $(STACK),--stack $(STACK)) $(if $(IMAGE),--image $(IMAGE))

invoke-image: setup ## create a container image for that if AWS's cannot be pulled
	@$(PYTHON) -m local invoke-image

bench: setup java ## measure everything; writes docs/benchmarks.md and docs/costs.md
	@$(PYTHON) -m bench

soak: setup charts ## mixed traffic for MINUTES=30; writes docs/soak.md
	@$(PYTHON) -m tests.soak --minutes $(or $(MINUTES),30)

java: ## install a Java runtime and npm for DynamoDB Local
	@tools/java_runtime.sh

charts: setup ## install the library that draws charts; only soak needs it
	@.venv/bin/uv sync --frozen --quiet --inexact --group charts

# tests/tiers.py assigns the tests to tiers. All parts of a tier run, even after a failure; the exit status is 1 then.
PYTEST := $(PYTHON) -m pytest --numprocesses logical --maxprocesses 4
EVERY = failed=0; for part in $(1); do $(MAKE) --no-print-directory $$part || failed=1; done; exit $$failed

check: setup ## lint, types, import contracts, template, unit tests: before a commit
	@$(MAKE) --no-print-directory --keep-going --jobs 2 --output-sync=target types unit validate lint imports

test: setup ## all of that, and all other tests except the slow ones
	@$(call EVERY,check beyond-unit)

test-all: setup ## all of that, and the slow tests
	@$(call EVERY,test slow)

static: setup
	@$(MAKE) --no-print-directory --keep-going --jobs 2 types validate lint imports

# In one process: it runs beside the type check, and each further one imports everything again.
unit: setup
	$(PYTHON) -m pytest -m 'not slow' tests/unit

beyond-unit: setup browser site-tools
	$(PYTEST) --dist loadscope -m 'not slow' --ignore tests/unit

slow: setup browser site-tools java client-toolchains ## only the slow tests, and properties at full depth
	$(PYTEST) --dist loadscope -m 'slow or deep or hypothesis' --hypothesis-profile full

fuzz: setup browser site-tools java client-toolchains ## properties at full depth, with new examples in every run: before a release
	$(PYTEST) --dist loadscope -m 'deep or hypothesis' --hypothesis-profile search

browser: ## install what the browser tests need besides Python
	@tools/system_packages.sh

client-toolchains: ## install Node, PHP, Go, a JDK, Maven, Ruby and Rust for the clients' tests
	@tools/client_toolchains.sh

declarations: client-toolchains ## write the TypeScript declarations of clients/javascript
	@tests/clients/typescript/node_modules/.bin/tsc --project tests/clients/typescript

packages: setup client-toolchains ## write the clients' packages to .local/packages; GO_MODULE=path of your Go module
	@$(PYTHON) -m tools.client_packages .local/packages $(if $(GO_MODULE),--go-module '$(GO_MODULE)')

lint: setup ## ruff, check and format
	$(PYTHON) -m ruff check
	$(PYTHON) -m ruff format --check

types: setup ## mypy, strict
	$(PYTHON) -m mypy
	MYPYPATH=bench/baseline/src:layers/common $(PYTHON) -m mypy bench/baseline/src/*.py

imports: setup ## import-linter: the layers
	.venv/bin/lint-imports

validate: setup $(VALID) ## check template.yaml, if it has changed

$(VALID): $(READY) template.yaml samconfig.toml
	AWS_DEFAULT_REGION=us-east-1 tools/sam/.venv/bin/sam validate --lint
	@touch $@

lock: setup ## update the lock files and the requirements files
	.venv/bin/uv lock
	.venv/bin/uv lock --project tools/sam
	$(EXPORT) --no-default-groups --group identity --group pages --group codes --no-emit-project --output-file layers/common/requirements.txt
	$(EXPORT) --only-group pictures --output-file functions/render_receipt/requirements.txt
	$(EXPORT) --only-group passkeys --output-file functions/merchant_portal/requirements.txt
	$(EXPORT) --only-group workbooks --output-file functions/trader_desk/requirements.txt
	$(EXPORT) --only-group invoke --output-file local/invoke_image/requirements.txt
EXPORT := .venv/bin/uv export --frozen --quiet --no-header --no-annotate

docs: openapi site-tools ## write the documentation site to .local/docs, which make run serves
	@NO_MKDOCS_2_WARNING=1 PYTHONWARNINGS=ignore::SyntaxWarning $(PYTHON) -m mkdocs build --config-file docs/mkdocs.yml

pictures: setup browser ## write docs/pictures from the running local stack, which must be new
	@$(PYTHON) -m tools.pictures

site-tools: setup ## install the tools of the site
	@.venv/bin/uv sync --frozen --quiet --inexact --group docs

texts: setup ## write the Python of the texts from their catalogues, …_texts.toml
	@$(PYTHON) -m tools.catalogues

openapi: setup ## write docs/openapi.yaml, docs/postman.json, the vectors, the clients' types and the lists of modules from the code
	@$(PYTHON) -m tools.openapi
	@$(PYTHON) -m docs.make_signing_vectors

audit: setup ## check the locked libraries (Python and npm) for known vulnerabilities; needs a network
	@tools/audit.sh

checkov: setup ## list the findings of checkov in the template that no decision answers; needs a network once
	@tools/checkov/run.sh

deploy-proof: setup ## check template.yaml for what an AWS account would refuse or lose, without an account
	@$(PYTHON) -m tools.deploy.proof.prove

clean: ## remove build results and caches, but no installed packages
	rm -rf .aws-sam .local .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
