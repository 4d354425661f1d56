/** The topology of an agent: what it consists of, and how its parts work together. Its texts are untrusted. */
export interface AgentGraph {
  /** The started agent is the first. */
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
}

export interface GraphNode {
  /** Unique, and the same for the same plans: letters and digits. */
  readonly id: string
  /** `missing`: a sub-agent whose definition was not found. */
  readonly kind: 'agent' | 'missing' | 'model' | 'tool' | 'memory' | 'trigger'
  readonly title: string
  /** Short texts about it. */
  readonly facts: readonly string[]
  /** Whether a tool writes, and whether a person approves its calls. */
  readonly effect?: 'read' | 'write'
  readonly asks?: true
}

export interface GraphEdge {
  readonly from: string
  readonly to: string
  /** `start`: a trigger starts the agent; `fallback`: a model replaces another. */
  readonly kind: 'model' | 'fallback' | 'tool' | 'memory' | 'call' | 'handoff' | 'start'
  /** When it is used, one text for each reason. */
  readonly labels: readonly string[]
  /** Whether it is used never, or only if something fails. */
  readonly seldom?: true
}
