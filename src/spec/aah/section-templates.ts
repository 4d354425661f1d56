import type { Section } from './generated/artifact-envelope.ts'

/** The section ids that AAH recommends for each kind of collaborative artifact (§4.2). */
export const RECOMMENDED_SECTIONS = {
  experiment: ['overview', 'hypothesis', 'measurement-plan', 'baseline', 'rollback'],
  feature: ['overview', 'requirements', 'design', 'implementation', 'qa', 'launch'],
  research: ['summary', 'methodology', 'findings', 'recommendations', 'appendix'],
} as const
export type SectionTemplate = keyof typeof RECOMMENDED_SECTIONS

export interface TemplateOptions {
  /** The agent that owns the new sections. */
  readonly agentId: string
  /** When they are created, in ISO 8601. */
  readonly at: string
  /** Number of daily sections of an experiment: day-1, day-2, …; default 0. */
  readonly days?: number
}

/** Returns empty sections for a new collaborative artifact, with the recommended ids in the recommended order. */
export function draftSections(
  template: SectionTemplate,
  { agentId, at, days = 0 }: TemplateOptions,
): Section[] {
  const ids: string[] = [...RECOMMENDED_SECTIONS[template]]
  if (template === 'experiment') for (let day = 1; day <= days; day++) ids.push(`day-${day}`)
  return ids.map((id, position) => ({
    id,
    heading: headingOf(id),
    content: '',
    agent_id: agentId,
    position,
    created_at: at,
    updated_at: at,
    version: 1,
  }))
}

function headingOf(id: string): string {
  if (id === 'qa') return 'QA'
  return (id.charAt(0).toUpperCase() + id.slice(1)).replaceAll('-', ' ')
}
