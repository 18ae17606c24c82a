# `make serve` builds the page and serves it to this machine. .ci/setup.sh installs the tools that are missing;
# .ci/env.sh has their versions.

PORT ?= 8080

.PHONY: help serve build package release reproduce test bench eval redaction formats picture setup

help:
	@echo 'make serve   build the page and serve it at http://127.0.0.1:$(PORT)/ (PORT= changes it)'
	@echo 'make build   build the page into dist/'
	@echo 'make package build the npm package into target/npm/'
	@echo 'make release build what a release publishes into target/release-files/'
	@echo 'make reproduce build all twice, in different folders, and compare'
	@echo 'make test    run all checks and tests'
	@echo 'make bench   measure the built page (see tests/bench/README.md)'
	@echo 'make eval    measure how often the findings are right (needs ../shared)'
	@echo 'make redaction measure how many planted secrets are found (needs ../shared)'
	@echo 'make formats print how long, how heavy and how fast each format is'
	@echo 'make picture take the pictures of the README again'
	@echo 'make setup   install the missing tools, and nothing else'

serve:
	@PORT=$(PORT) .ci/serve.sh

build:
	@.ci/setup.sh build
	@.ci/build.sh

package:
	@.ci/setup.sh build
	@.ci/build.sh all
	@node .ci/package.mjs

release:
	@.ci/setup.sh build
	@.ci/build.sh all
	@node .ci/release.mjs

reproduce:
	@.ci/setup.sh build
	@.ci/reproduce.sh

test: setup
	@.ci/test.sh

bench: setup
	@.ci/bench.sh $(if $(WRITE),--write)

eval: setup
	@cargo run --locked --quiet --example eval -- $(if $(LIST),--list)

redaction: setup
	@cargo run --locked --quiet --example redaction -- $(if $(LIST),--list)

formats: setup
	@node .ci/formats.mjs

picture: setup
	@.ci/build.sh
	@node .ci/picture.mjs

setup:
	@.ci/setup.sh
