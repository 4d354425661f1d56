// Generated from test/conformance by `npm run generate`. Do not edit.
import type { ConformanceReport } from '../../../spec/aaif/generated/conformance-report.ts'

/** The conformance report (AAIF §6) of this version: what its corpus proves. */
export const OWN_REPORT: ConformanceReport = {
  "sc_standard": "SC-006",
  "report": {
    "generated_at": "2026-11-28T08:58:11.882Z",
    "aaif_versions": [
      "3.4.0"
    ]
  },
  "platform": {
    "name": "Waybill",
    "version": "0.1.0"
  },
  "claims": [
    {
      "level": "Core",
      "direction": "consumer",
      "test_suite": {
        "corpus": "the corpus of Waybill 0.1.0: valid definitions accepted, invalid ones refused",
        "passed": 77,
        "total": 77,
        "ran_at": "2026-11-28T08:58:11.882Z"
      }
    },
    {
      "level": "Tooled",
      "direction": "consumer",
      "test_suite": {
        "corpus": "the corpus of Waybill 0.1.0: definitions planned, each tool with its own parameters_schema",
        "passed": 9,
        "total": 9,
        "ran_at": "2026-11-28T08:58:11.882Z"
      }
    },
    {
      "level": "Core",
      "direction": "producer",
      "test_suite": {
        "corpus": "the corpus of Waybill 0.1.0: 24 definitions of the level written in 4 encodings and read again",
        "passed": 96,
        "total": 96,
        "ran_at": "2026-11-28T08:58:11.882Z"
      }
    },
    {
      "level": "Tooled",
      "direction": "producer",
      "test_suite": {
        "corpus": "the corpus of Waybill 0.1.0: 9 definitions of the level written in 4 encodings and read again",
        "passed": 36,
        "total": 36,
        "ran_at": "2026-11-28T08:58:11.882Z"
      }
    },
    {
      "level": "Portable",
      "direction": "producer",
      "test_suite": {
        "corpus": "the corpus of Waybill 0.1.0: 8 definitions of the level written in 4 encodings and read again",
        "passed": 32,
        "total": 32,
        "ran_at": "2026-11-28T08:58:11.882Z"
      }
    },
    {
      "level": "Multi-agent",
      "direction": "producer",
      "test_suite": {
        "corpus": "the corpus of Waybill 0.1.0: 2 definitions of the level written in 4 encodings and read again",
        "passed": 8,
        "total": 8,
        "ran_at": "2026-11-28T08:58:11.882Z"
      }
    },
    {
      "level": "Observable",
      "direction": "producer",
      "test_suite": {
        "corpus": "the corpus of Waybill 0.1.0: 5 definitions of the level written in 4 encodings and read again",
        "passed": 20,
        "total": 20,
        "ran_at": "2026-11-28T08:58:11.882Z"
      }
    },
    {
      "level": "Enterprise",
      "direction": "producer",
      "test_suite": {
        "corpus": "the corpus of Waybill 0.1.0: 4 definitions of the level written in 4 encodings and read again",
        "passed": 16,
        "total": 16,
        "ran_at": "2026-11-28T08:58:11.882Z"
      }
    },
    {
      "level": "Stateful",
      "direction": "producer",
      "test_suite": {
        "corpus": "the corpus of Waybill 0.1.0: 1 definitions of the level written in 4 encodings and read again",
        "passed": 4,
        "total": 4,
        "ran_at": "2026-11-28T08:58:11.882Z"
      }
    }
  ],
  "supported": {
    "providers": [
      "openai",
      "anthropic",
      "google",
      "mistral",
      "groq",
      "ollama",
      "huggingface",
      "together",
      "fireworks",
      "deepseek",
      "xai",
      "openrouter",
      "custom"
    ],
    "capabilities": [
      "tool.function",
      "tool.http",
      "tool.mcp",
      "tool.openapi",
      "io.streaming",
      "io.async",
      "io.batch",
      "compliance.hitl",
      "compliance.audit_log",
      "telemetry.otel",
      "orchestration.parallel",
      "orchestration.handoff",
      "orchestration.pipeline",
      "orchestration.consensus",
      "state.checkpoint",
      "state.restore",
      "condition.structured",
      "memory.in_memory",
      "memory.sqlite"
    ],
    "condition_languages": [
      "jsonpath",
      "jmespath",
      "cel",
      "jsonlogic",
      "always",
      "never"
    ],
    "vault_providers": [],
    "memory_backends": [
      "in_memory",
      "sqlite"
    ],
    "tool_protocols": [
      "function",
      "mcp",
      "http",
      "openapi"
    ]
  }
}
