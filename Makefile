# Traceloupe: `make serve` builds the page and opens it to this machine. All tools are installed by
# .ci/setup.sh when they are missing; .ci/env.sh has their versions.

PORT ?= 8080

.PHONY: help serve build test bench picture setup

help:
	@echo 'make serve   build the page and serve it at http://127.0.0.1:$(PORT)/ (PORT= changes it)'
	@echo 'make build   build the page into dist/'
	@echo 'make test    all checks and tests'
	@echo 'make bench   measure the built page: tests/bench/README.md'
	@echo 'make picture take the pictures of the README again'
	@echo 'make setup   only install what is missing'

serve: build
	@PORT=$(PORT) node .ci/serve.mjs dist

build:
	@.ci/setup.sh build
	@.ci/build.sh

test: setup
	@.ci/test.sh

bench: setup
	@.ci/bench.sh $(if $(WRITE),--write)

picture: setup
	@.ci/build.sh
	@node .ci/picture.mjs

setup:
	@.ci/setup.sh
