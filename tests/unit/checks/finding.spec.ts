import { test } from '@japa/runner'
import type { AccessFacts, PermissionFacts } from '#app/checks/values/access_facts'
import { checkScope } from '#app/checks/values/check_scope'
import { findNow } from '#app/checks/values/finding'
import type { AccessLevel } from '#app/permissions/values/access_level'

const STATUS = 'resource.properties.status == "open"'
const RISK = 'context.risk < 3'

/** What a search finds out about a tiered permission without any attributes. */
function find(permission: Partial<PermissionFacts>, level?: AccessLevel) {
  const known: PermissionFacts = {
    code: 'p',
    type: 'tiered',
    global: false,
    groupName: null,
    roleLevel: null,
    conditionalGrants: [],
    override: null,
    ...permission,
  }
  const facts: AccessFacts = {
    active: true,
    superAdmin: false,
    applicationAdmin: false,
    from: 0,
    until: Infinity,
    permissions: new Map([['p', known]]),
  }
  const scope = checkScope('ada@acme.example', 'shop', 'order', '1')
  const stored = { subjectId: 'ada@acme.example', resource: {} }
  const judgement = {
    decision: null,
    from: 0,
    until: Infinity,
    conditional: { scope, permission: 'p', facts, stored },
  }
  return findNow(judgement, { given: {}, now: 1, level })
}

const grant = (level: AccessLevel, condition: string) => ({ level, condition })

test.group('A finding without attributes', () => {
  test('is pending if a role could grant the level', ({ assert }) => {
    const { allowed, pending } = find({ conditionalGrants: [grant('edit', STATUS)] }, 'edit')
    assert.isFalse(allowed)
    assert.containSubset(pending, {
      decision: { level: 'edit', source: 'role' },
      condition: STATUS,
      missing: 'resource.properties.status',
    })
    assert.isNull(find({ conditionalGrants: [grant('view', STATUS)] }, 'edit').pending)
  })

  test('is not pending if it is allowed already', ({ assert }) => {
    const found = find({ roleLevel: 'view', conditionalGrants: [grant('edit', STATUS)] })
    assert.isTrue(found.allowed)
    assert.isNull(found.pending)
  })

  test('is pending if a denial could end', ({ assert }) => {
    const override = { granted: false, level: null, condition: RISK }
    assert.containSubset(find({ override, roleLevel: 'view' }).pending, {
      decision: { level: 'view', source: 'role' },
      condition: RISK,
      missing: 'context.risk',
    })
    assert.isNull(find({ override }).pending)
  })

  test('is pending if only roles could grant more than the override does', ({ assert }) => {
    const override = { granted: true, level: 'view' as const, condition: RISK }
    const { pending } = find({ override, conditionalGrants: [grant('edit', STATUS)] }, 'edit')
    assert.containSubset(pending, { decision: { level: 'edit', source: 'role' } })
  })

  test('is not pending if one condition would have to be both true and false', ({ assert }) => {
    const override = { granted: false, level: null, condition: RISK }
    assert.isNull(find({ override, conditionalGrants: [grant('edit', RISK)] }).pending)
  })
})
