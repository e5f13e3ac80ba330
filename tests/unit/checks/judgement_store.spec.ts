import { test } from '@japa/runner'
import {
  CACHE_CHARACTERS,
  JudgementStore,
  KEY_SEPARATOR,
} from '#app/checks/resolvers/judgement_store'
import { checkScope } from '#app/checks/values/check_scope'
import { NOTHING_GRANTS } from '#app/checks/values/decision'
import type { Judgement } from '#app/checks/values/judgement'

const CURRENT = { from: 0, until: Infinity }
const UNCONDITIONAL: Judgement = { ...CURRENT, decision: NOTHING_GRANTS, conditional: null }

/** One that depends on a condition, and on the properties of its resource. */
function conditional(resourceType: string, properties: Record<string, unknown> = {}): Judgement {
  const scope = checkScope('ada@acme.example', 'shop', resourceType, '1')
  const read = {
    code: 'read',
    type: 'binary' as const,
    global: false,
    groupName: null,
    roleLevel: null,
    conditionalGrants: [{ level: 'allowed' as const, condition: 'resource.properties.open' }],
    override: null,
  }
  const facts = {
    active: true,
    superAdmin: false,
    applicationAdmin: false,
    ...CURRENT,
    permissions: new Map([['read', read]]),
  }
  const stored = { subjectId: '1', resource: properties }
  return { ...CURRENT, decision: null, conditional: { scope, permission: 'read', facts, stored } }
}

const keyOf = (email: string, app: string, resourceType: string, resourceId = '1') =>
  [email, app, 'read', resourceType, resourceId].join(KEY_SEPARATOR)

test.group('Judgement store', () => {
  test('a change of the resource catalog drops only what depends on conditions about its type', ({
    assert,
  }) => {
    const store = new JudgementStore()
    const entries = {
      'affected': [keyOf('ada@acme.example', 'shop', 'order'), conditional('order')],
      'of another type': [keyOf('ada@acme.example', 'shop', 'file'), conditional('file')],
      'in another application': [keyOf('ada@acme.example', 'bank', 'order'), conditional('order')],
      'unconditional': [keyOf('bob@acme.example', 'shop', 'order'), UNCONDITIONAL],
    } as const
    for (const [key, judgement] of Object.values(entries)) {
      store.set(key.split(KEY_SEPARATOR)[0], key, judgement, performance.now())
    }
    store.invalidate([{ application: 'shop', resourceType: 'order' }])
    const kept = Object.entries(entries).filter(([, [key]]) => store.get(key, 1))
    assert.deepEqual(
      kept.map(([name]) => name),
      ['of another type', 'in another application', 'unconditional']
    )
  })

  test('large properties take a limited amount of memory, and a tenth of it for one user', ({
    assert,
  }) => {
    const store = new JudgementStore()
    const size = 16_384
    const large = conditional('order', { text: 'x'.repeat(size) })
    const witness = keyOf('bob@acme.example', 'shop', 'order')
    store.set('bob@acme.example', witness, UNCONDITIONAL, performance.now())
    const fill = (email: string) => {
      for (let id = 0; id < 200; id++) {
        store.set(email, keyOf(email, 'shop', 'order', `${id}`), large, performance.now())
      }
    }
    fill('ada@acme.example')
    assert.isAtMost((store.size - 1) * size, CACHE_CHARACTERS / 10)
    assert.isAbove(store.size * size, CACHE_CHARACTERS / 12)
    assert.isDefined(store.get(keyOf('ada@acme.example', 'shop', 'order', '199'), 1))
    assert.isDefined(store.get(witness, 1))
    for (let user = 0; user < 12; user++) fill(`p${user}@acme.example`)
    assert.isAtMost(store.size * size, CACHE_CHARACTERS)
    assert.isAbove(store.size * size, CACHE_CHARACTERS * 0.9)
    store.invalidate([{}])
    assert.equal(store.size, 0)
  })

  test('a judgement that exceeds the share of its user is not kept', ({ assert }) => {
    const store = new JudgementStore()
    const key = keyOf('ada@acme.example', 'shop', 'order')
    store.set('ada@acme.example', key, UNCONDITIONAL, performance.now())
    const huge = conditional('order', { text: 'x'.repeat(CACHE_CHARACTERS / 10) })
    store.set('ada@acme.example', key, huge, performance.now())
    assert.isUndefined(store.get(key, 1))
    assert.equal(store.size, 0)
  })
})
