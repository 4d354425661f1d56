import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { judgeAddress, judgeUrl } from '../../src/policy/endpoint-gate.ts'
import { configOfOrganisation } from '../../src/settings/hosts-of-organisation.ts'
import { operatorSettingsOf } from '../../src/settings/operator-settings-of.ts'

const CONFIG = {
  allow_hosts: ['all.test', 'inside.test'],
  private_hosts: ['shared.test:8080'],
  organisations: { acme: { allow_hosts: ['acme.test'], private_hosts: ['crm.acme.test'] } },
}

/** Whether agents of an organisation may connect to a URL whose name has this address. */
function mayReach(org: string, url: string, address: string): boolean {
  const { grants } = operatorSettingsOf({}, configOfOrganisation(CONFIG, org), {})
  const { hostname, port } = new URL(url)
  return judgeUrl(url, grants).allowed && judgeAddress(address, hostname, grants, Number(port) || 443).allowed
}

describe('the hosts that agents of an organisation may reach', () => {
  for (const [org, url, address, expected] of [
    ['acme', 'https://all.test', '8.8.8.8', true],
    ['acme', 'https://acme.test', '8.8.8.8', true],
    ['globex', 'https://acme.test', '8.8.8.8', false],
    ['acme', 'https://acme.test', '10.0.0.1', false],
    ['acme', 'https://crm.acme.test', '10.0.0.1', true],
    ['globex', 'https://crm.acme.test', '10.0.0.1', false],
    ['globex', 'https://shared.test:8080', '10.0.0.1', true],
    ['globex', 'https://shared.test:8081', '10.0.0.1', false],
    ['globex', 'https://inside.test', '127.0.0.1', false],
    ['acme', 'https://crm.acme.test', '169.254.169.254', false],
    ['constructor', 'https://acme.test', '8.8.8.8', false],
    ['globex', 'https://other.test', '8.8.8.8', false],
  ] as const)
    test(`${org}: ${url} at ${address} is ${expected ? 'allowed' : 'refused'}`, () =>
      assert.equal(mayReach(org, url, address), expected))
})
