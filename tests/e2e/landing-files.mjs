// Real files for the tests of landing on matches: ten files of ten formats.
export const FILES = [
  'claude-code/entire-gitsync_v2.1.159_bridge-session_627k.jsonl',
  'codex-rollout/entire-gitsync_compacted_1.3M.jsonl',
  'otlp/agent-prism_smol-deep-research_openinference_255k.json',
  'inspect-eval/inspect_browser_406k.json',
  'openai-messages-jsonl/swe-smith_ft_xml_355k.jsonl',
  'swe-agent/swesmith_pydantic_1.3M.traj',
  'langfuse/agent-prism_langfuse-2_919k.json',
  'pi-agent/pi-mono_large-session_974k.jsonl',
  'atif-viewer-run/LOOP1655_grep_1.1M.json',
  'openhands/v0_output_multi-swe-bench_690k.jsonl',
];
