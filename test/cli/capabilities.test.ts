import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { capabilitiesRegistry } from '../../src/spec/aaif/registries/capabilities.registry.ts'
import { Place, waybill } from './fixture.ts'

const AGENT_ID = '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a10'

/** What only some platforms have, by the facts of this machine and of the operator. */
const CONFIGURATIONS = { 'no region': {}, 'a region': { residency: { openai: ['EU'] } } }

describe('a strict agent that requires one standard capability', () => {
  for (const [what, config] of Object.entries(CONFIGURATIONS))
    test(`AAIF-7-15: is planned, run and negotiated alike, and the manifest says so: ${what}`, async (t) => {
      const place = new Place(t)
      place.env.OPENAI_API_KEY = 'not-used'
      mkdirSync(place.home, { recursive: true })
      place.write(join('home', 'config.yaml'), JSON.stringify(config))
      const manifest = await waybill(place, ['manifest', '-o', 'manifest.json'])
      assert.equal(manifest.code, 0, manifest.err)
      const met: string[] = []
      for (const { id } of capabilitiesRegistry.entries) {
        place.write(
          'strict.json',
          JSON.stringify({
            sc_standard: 'SC-006',
            agent_id: AGENT_ID,
            agent: {
              name: 'Clerk',
              goal: 'Answer.',
              model: { provider: 'openai', preferred: 'gpt-4o' },
              required_capabilities: [id],
              compliance: { safety_level: 'strict' },
            },
          }),
        )
        const negotiated = await waybill(place, ['negotiate', 'strict.json', '--manifest', 'manifest.json'])
        const planned = await waybill(place, ['plan', 'strict.json', '--json'])
        const isRefused = planned.out.includes('"code":"CAPABILITY_UNMET"')
        assert.equal(isRefused, negotiated.code !== 0, `${id}: ${planned.out} ${negotiated.out}`)
        assert.equal(planned.code === 0, !isRefused, `${id}: ${planned.out} ${planned.err}`)
        if (!isRefused) met.push(id)
      }
      for (const id of ['state.checkpoint', 'state.restore', 'tool.mcp', 'orchestration.pipeline'])
        assert.ok(met.includes(id), id)
      assert.equal(met.includes('compliance.data_residency'), what === 'a region')
      assert.equal(met.includes('auth.vault'), false)
    })
})
