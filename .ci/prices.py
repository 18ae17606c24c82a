#!/usr/bin/env python3
"""Makes public/prices.json, the prices of models, of the pinned package genai-prices (MIT, Pydantic).

    pip install --target target/genai-prices genai-prices==VERSION
    PYTHONPATH=target/genai-prices python3 .ci/prices.py          # writes public/prices.json
    PYTHONPATH=target/genai-prices python3 .ci/prices.py --table  # writes tests/prices/costs.tsv

The table has usages of many models with the costs that the package itself computes, and is what
`tests/integration/prices.rs` compares with. After a change of version, set VERSION and DATE and run both.

The file: `providers` in the order in which they are asked, each with `id`, `name`, the rules `models` (which
models are its own), `names` (by what else it is called), `fallback` (providers whose prices hold where it has
none) and `prices`, a list of `[rule, prices]` or `[rule, prices, id]`. The first rule that matches wins.

A rule is a text with a sign before it (`=` equals, `^` begins with, `$` ends with, `*` contains, `/` regular
expression), or a list: `["|", …]` any, `["&", …]` all, `["!", rule]` not. Prices are in dollars per million
tokens: `i` input, `r` read from a cache, `w` written to a cache, `o` output, `t` reasoning; `q` is in dollars
per thousand requests. A price is a number, or `[base, [start, price], …]` where it depends on the tokens of the
whole input. A list of prices has those that hold from a date (`from`) or at times of the day (`at`, in seconds
of UTC); the last one that holds counts, or else the first.
"""

import json
import random
import re
import sys
from datetime import datetime, timezone
from importlib.metadata import files, version
from pathlib import Path

from genai_prices import Usage, calc_price
from genai_prices import types as t
from genai_prices.data import providers

VERSION = '0.2.3'
DATE = '2026-11-10'  # when this version was published

ROOT = Path(__file__).resolve().parent.parent
KEYS = {
    'input_mtok': 'i',
    'cache_read_mtok': 'r',
    'cache_write_mtok': 'w',
    'output_mtok': 'o',
    'output_reasoning_mtok': 't',
    'requests_kcount': 'q',
}


def number(value):
    return int(value) if value == int(value) else float(value)


def regex(text):
    """Lookahead at the beginning becomes a rule of its own: not every engine has it."""
    ahead = re.match(r'\^\(\?!', text)
    if not ahead:
        return '/' + text
    depth, at = 1, ahead.end()
    while depth:
        depth += {'(': 1, ')': -1}.get(text[at], 0)
        at += 1
    rest = text[at:]
    refused = ['!', '/^(?:' + text[ahead.end():at - 1] + ')']
    return refused if rest == '' else ['&', refused, '/^(?:' + rest + ')']


def rule(clause):
    match clause:
        case t.ClauseEquals():
            return '=' + clause.equals.lower()
        case t.ClauseStartsWith():
            return '^' + clause.starts_with.lower()
        case t.ClauseEndsWith():
            return '$' + clause.ends_with.lower()
        case t.ClauseContains():
            return '*' + clause.contains.lower()
        case t.ClauseRegex():
            return regex(clause.regex)
        case t.ClauseOr():
            return ['|', *map(rule, clause.or_)]
        case t.ClauseAnd():
            return ['&', *map(rule, clause.and_)]


def price(value):
    if isinstance(value, t.TieredPrices):
        return [number(value.base), *([tier.start, number(tier.price)] for tier in value.tiers)]
    return number(value)


def prices_of(prices):
    given = {KEYS[key]: price(value) for key, value in vars(prices).items() if key in KEYS and value is not None}
    # Charges per hour, page or letter cannot be counted in a trace: no price.
    return given if given.keys() - {'q'} else {}


def seconds(time):
    assert time.tzinfo is None or time.utcoffset().total_seconds() == 0
    return time.hour * 3600 + time.minute * 60 + time.second


def conditional(one):
    prices = prices_of(one.prices)
    match one.constraint:
        case t.StartDateConstraint():
            return {'from': one.constraint.start_date.isoformat(), **prices}
        case t.TimeOfDateConstraint():
            return {'at': [seconds(one.constraint.start_time), seconds(one.constraint.end_time)], **prices}
    return prices


def all_prices(model):
    if isinstance(model.prices, list):
        return [conditional(one) for one in model.prices]
    return prices_of(model.prices)


def model_line(model):
    line = [rule(model.match), all_prices(model)]
    is_named = line[0] == '=' + model.id or (isinstance(line[0], list) and line[0][1] == '=' + model.id)
    return line if is_named else [*line, model.id]


def provider_entry(provider):
    entry = {'id': provider.id, 'name': provider.name}
    if provider.model_match:
        entry['models'] = rule(provider.model_match)
    if provider.provider_match:
        entry['names'] = rule(provider.provider_match)
    if provider.fallback_model_providers:
        entry['fallback'] = provider.fallback_model_providers
    # Models without a price stay: names that match them must not get the price of a later model.
    entry['prices'] = [model_line(model) for model in provider.models]
    return entry


def write_data():
    entries = ',\n'.join(json.dumps(provider_entry(it), ensure_ascii=False, separators=(',', ':')) for it in providers)
    head = {
        'source': 'genai-prices',
        'version': VERSION,
        'date': DATE,
        'from': 'https://github.com/pydantic/genai-prices',
        'license': next(it for it in files('genai-prices') if it.name == 'LICENSE').read_text(),
    }
    text = json.dumps(head, separators=(',', ':'))[:-1] + ',"providers":[\n' + entries + '\n]}\n'
    (ROOT / 'public/prices.json').write_text(text)


# Names as they occur in traces: with a date, with a provider as prefix, with the prefixes of clouds, and of unknown
# models.
SPOKEN = [
    'claude-sonnet-4-5-20250929', 'claude-3-5-sonnet-20241022', 'claude-opus-4-1-20250805', 'Claude-3-Haiku-20240307',
    'anthropic/claude-sonnet-4-5', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'openrouter/anthropic/claude-3.5-sonnet',
    'claude-haiku-4-5', 'claude-opus-5-5-20261001', 'gpt-4o', 'gpt-4o-mini-2024-07-18', 'openai/gpt-4.1', 'gpt-5', 'gpt-5.2-20251211',
    'gpt-5-codex', 'o3', 'o4-mini', 'azure/gpt-4o', 'gemini-2.5-pro', 'gemini-2.5-flash', 'gemini/gemini-2.5-flash-lite',
    'gemini-2.5-flash-lite-preview-09-2025', 'gemini-2.5-flash-preview-tts', 'vertex_ai/gemini-2.5-pro', 'deepseek-chat',
    'deepseek-reasoner', 'deepseek/deepseek-chat', 'mistral-large-latest', 'codestral-latest', 'kimi-k2-0905-preview',
    'grok-4', 'xai/grok-3-mini', 'glm-4.6', 'command-r-plus', 'llama-3.3-70b-versatile', 'groq/llama-3.3-70b-versatile',
    'mistralai/devstral-small', 'sonar-pro', 'perplexity/sonar-pro', 'minimax-m2', 'my-own-model', 'test', 'qwen3:8b',
]


def usages(seed):
    draw = random.Random(seed)
    own = [(model.id, provider.id) for provider in providers for model in provider.models]
    cases = [(name, None) for name in SPOKEN]
    # Models whose price depends on the size or the time, and some of every provider.
    special = [
        (model.id, provider.id) for provider in providers for model in provider.models
        if isinstance(model.prices, list)
        or any(isinstance(value, t.TieredPrices) for value in vars(model.prices).values())
        or getattr(model.prices, 'output_reasoning_mtok', None) is not None
        or getattr(model.prices, 'requests_kcount', None) is not None
    ]
    cases += draw.sample(special, 70)
    cases += [draw.choice([it for it in own if it[1] == provider.id]) for provider in providers]
    cases += draw.sample(own, 200 - len(cases))
    for name, provider in cases:
        total = draw.choice([draw.randrange(1, 5_000), draw.randrange(5_000, 150_000), draw.randrange(150_000, 900_000)])
        read = draw.choice([None, 0, draw.randrange(total + 1)])
        write = draw.choice([None, draw.randrange(total - (read or 0) + 1)])
        output = draw.randrange(60_000)
        reasoning = draw.choice([None, draw.randrange(output + 1)])
        seconds = draw.randrange(1_704_067_200, 1_798_761_600)  # 2024 to 2026
        yield name, provider, seconds, total, read, write, output, reasoning


def package_cost(name, provider, seconds, total, read, write, output, reasoning):
    usage = Usage(
        input_tokens=total, cache_read_tokens=read, cache_write_tokens=write, output_tokens=output,
        output_reasoning_tokens=reasoning,
    )
    at = datetime.fromtimestamp(seconds, timezone.utc)
    # A name without a known provider may begin with a provider's name, as LiteLLM writes it.
    for known in [provider] if provider else [None, 'litellm']:
        try:
            found = calc_price(usage, name, provider_id=known, genai_request_timestamp=at)
        except LookupError:
            continue
        return found
    return None


def write_table():
    lines = ['# model, provider, seconds since 1970, input with cached, read from cache, written to cache, output, reasoning,']
    lines.append(f'# dollars by the package genai-prices {VERSION} (MIT, Pydantic); made by .ci/prices.py --table')
    for case in usages(7):
        found = package_cost(*case)
        # The package returns 0 for models without a price per token; here their cost is unknown.
        has_price = found is not None and bool(prices_of(found.model_price))
        cells = [*case, found.total_price if has_price else None]
        lines.append('\t'.join('-' if it is None else str(it) for it in cells))
    table = ROOT / 'tests/prices/costs.tsv'
    table.parent.mkdir(exist_ok=True)
    table.write_text('\n'.join(lines) + '\n')


if __name__ == '__main__':
    installed = version('genai-prices')
    if installed != VERSION:
        sys.exit(f'genai-prices {VERSION} is wanted, {installed} is installed')
    write_table() if '--table' in sys.argv else write_data()
