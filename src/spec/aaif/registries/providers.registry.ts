import type { Registry } from '../generated/registry.ts'

/** `model.provider`. */
export const providersRegistry: Registry = {
  registry: 'aaif-model-providers',
  sc_standard: 'SC-006',
  description: 'Providers of language models, as named by model.provider.',
  registration_policy: 'Specification Required',
  entries: [
    standard('openai', '1.0.0', 'https://platform.openai.com/docs', 'OpenAI.'),
    standard('anthropic', '1.0.0', 'https://docs.anthropic.com', 'Anthropic, by its Messages API.'),
    standard('google', '1.0.0', 'https://ai.google.dev', 'Gemini by its developer API.'),
    standard('vertex_ai', '3.2.0', 'https://cloud.google.com/vertex-ai', 'Models hosted by Google Cloud.'),
    standard('mistral', '1.0.0', 'https://docs.mistral.ai', 'Mistral AI.'),
    standard('cohere', '1.0.0', 'https://docs.cohere.com', 'Cohere.'),
    standard('groq', '1.0.0', 'https://console.groq.com/docs', 'Groq.'),
    standard('ollama', '1.0.0', 'https://ollama.com', 'A self-hosted server; base_url is its address.'),
    standard(
      'azure_openai',
      '1.0.0',
      'https://learn.microsoft.com/azure/ai-services/openai',
      'OpenAI on Azure; preferred is the name of the deployment.',
    ),
    standard('bedrock', '1.0.0', 'https://docs.aws.amazon.com/bedrock', 'Models hosted by AWS.'),
    standard('huggingface', '1.0.0', 'https://huggingface.co/docs/inference-endpoints', 'Hugging Face.'),
    standard('together', '1.0.0', 'https://docs.together.ai', 'Together AI.'),
    standard('fireworks', '1.0.0', 'https://docs.fireworks.ai', 'Fireworks AI.'),
    standard('deepseek', '1.0.0', 'https://api-docs.deepseek.com', 'DeepSeek.'),
    standard('xai', '1.0.0', 'https://docs.x.ai', 'xAI.'),
    standard('openrouter', '3.2.0', 'https://openrouter.ai/docs', 'A gateway; models are vendor/model.'),
    {
      id: 'custom',
      status: 'standard',
      since: '2.1.0',
      docs: null,
      meaning: 'Any other provider; provider_id is its name, base_url its address.',
    },
    provisional('copilot', 'https://docs.github.com/copilot', 'GitHub Copilot.'),
    provisional('cline', 'https://cline.bot', 'Cline, a client that routes to other providers.'),
    provisional(
      'litellm',
      'https://docs.litellm.ai',
      'A self-hosted LiteLLM proxy; base_url is its address.',
    ),
    provisional('vllm', 'https://docs.vllm.ai', 'A self-hosted vLLM server; base_url is its address.'),
    provisional('perplexity', 'https://docs.perplexity.ai', 'Perplexity.'),
  ],
}

function standard(id: string, since: string, docs: string, meaning: string) {
  return { id, status: 'standard', since, docs, meaning } as const
}

function provisional(id: string, docs: string, meaning: string) {
  return { id, status: 'provisional', since: '3.2.0', docs, meaning } as const
}
