import { defined } from '../../document/defined.ts'
import type { Json } from '../../document/json.ts'
import { openCard } from '../../spec/agentcard/open-card.ts'
import { itemsAt, memberOf, objectAt, textAt } from '../../spec/loose-members.ts'
import { fact, type Inspection, type Line, section, textsAt } from './inspection.ts'

/** Describes an agent card: endpoint, sign-in and capabilities. It shows claims, and does not verify them. */
export function inspectCard(given: Json): Inspection {
  const { card } = openCard(given)
  const value: Json = card ?? given
  const endpoint = objectAt(value, 'endpoint')
  const capabilities = itemsAt(value, 'capabilities')
  const [name, version] = [textAt(value, 'name'), textAt(value, 'version')]
  const facts = defined({
    name,
    version,
    agent_id: textAt(value, 'agent_id'),
    capabilities: textsAt(capabilities, 'id'),
    endpoint: textAt(endpoint, 'url'),
    protocol: textAt(endpoint, 'protocol'),
    auth: textAt(objectAt(endpoint, 'auth'), 'scheme') ?? 'none',
    trust_tier_claimed: memberOf(objectAt(value, 'metadata'), 'trust_tier'),
    goal_subscriptions: itemsAt(value, 'goal_subscriptions').length,
  })
  return {
    facts,
    headline: `${name ?? '(no name)'}${version === undefined ? '' : ` ${version}`}`,
    sections: [
      section('Card', [
        fact('says', textAt(value, 'description')),
        fact('agent id', facts.agent_id),
        fact('endpoint', facts.endpoint),
        fact('by', facts.protocol),
        fact('sign-in', facts.auth),
        fact('claimed trust tier', facts.trust_tier_claimed),
      ]),
      section(
        'Can',
        capabilities.map((capability): Line => {
          const description = textAt(capability, 'description')
          return { text: textAt(capability, 'id') ?? '?', ...defined({ note: description }) }
        }),
      ),
    ],
  }
}
