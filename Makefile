# Everything here needs only Python, pip and make; the rest is installed into .venv on first use.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Byte code is compiled once here: it saves every command seconds.
UV := $(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python --constraint constraints.txt
REPO ?= .

.PHONY: help index test lint types imports unit dev bench eval train faults clean

help:
	@echo "make index REPO=<path>   index a repository (the current one by default)"
	@echo "make test                lint, types, import rules and all tests"
	@echo "make dev                 the Dagster UI on this deployment"
	@echo "make bench               measure indexing and searching"
	@echo "make eval                score the ranking on labelled questions, and write docs/retrieval.md"
	@echo "make train               train the bundled embedding model anew (also needs npm, apt-get, mvn)"
	@echo "make faults              kill runs at every write point, and write docs/faults.md"

index: $(VENV)/.installed
	@$(BIN)/codequarry index "$(REPO)"

test: lint types imports unit

lint: $(VENV)/.installed-dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(VENV)/.installed-dev
	@$(BIN)/mypy

imports: $(VENV)/.installed-dev
	@$(BIN)/lint-imports --no-logo

unit: $(VENV)/.installed-dev
	@$(BIN)/python -m pytest

dev: $(VENV)/.installed
	@$(BIN)/codequarry dev --workspace workspace.yaml

bench: $(VENV)/.installed-dev
	@$(BIN)/python -m benchmarks

eval: $(VENV)/.installed-dev
	@$(BIN)/python -m evaluation --write

train: $(VENV)/.installed-dev
	@$(UV) --group training
	@$(BIN)/python -m training --work build/training

faults: $(VENV)/.installed-dev
	@$(BIN)/python -m tests.faults

clean:
	rm -rf $(VENV) build src/*.egg-info

$(VENV)/.uv: constraints.txt
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt uv
	@touch $@

$(VENV)/.installed: $(VENV)/.uv pyproject.toml
	@$(UV) --editable ".[ui]"
	@$(BIN)/python -m compileall -q src
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	@$(UV) --group dev
	@touch $@
