import { test } from '@japa/runner'
import { evaluate } from '#app/checks/evaluate'
import type { AccessFacts, PermissionFacts } from '#app/checks/values/access_facts'

const override = { granted: true, level: 'edit', condition: null } as const

function factsOf(permission: Partial<PermissionFacts>): AccessFacts {
  const known = { code: 'p', type: 'tiered', global: false, groupName: null, roleLevel: 'view' }
  const conditional = { conditionalGrants: [], override }
  return {
    active: true,
    superAdmin: false,
    applicationAdmin: false,
    from: 0,
    until: Infinity,
    permissions: new Map([['p', { ...known, ...conditional, ...permission } as PermissionFacts]]),
  }
}

test.group('Evaluation', () => {
  test('an override decides before roles', ({ assert }) => {
    assert.containSubset(evaluate(factsOf({}), 'p'), { level: 'edit', decidedBy: 4 })
  })

  test('an override on a global permission is ignored', ({ assert }) => {
    const granted = evaluate(factsOf({ global: true }), 'p')
    assert.containSubset(granted, { level: 'view', source: 'role', decidedBy: 5 })
    const denied = factsOf({
      global: true,
      override: { granted: false, level: null, condition: null },
    })
    assert.containSubset(evaluate(denied, 'p'), { level: 'view', decidedBy: 5 })
  })
})
