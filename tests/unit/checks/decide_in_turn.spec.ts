import { test } from '@japa/runner'
import { decideAll, inTurns } from '#app/checks/actions/decide_in_turn'
import type { PermissionFacts } from '#app/checks/values/access_facts'
import { checkScope } from '#app/checks/values/check_scope'
import { type Decision, NOTHING_GRANTS } from '#app/checks/values/decision'
import type { Judgement } from '#app/checks/values/judgement'
import { aCostlyCondition, aLongCondition, costlyVariables } from '#tests/helpers/costly_conditions'
import { burn, turnsDuring } from '#tests/helpers/event_loop'

const permission: PermissionFacts = {
  code: 'p',
  type: 'binary',
  global: false,
  groupName: null,
  roleLevel: null,
  conditionalGrants: [0, 1, 2, 3].map((number) => {
    return { level: 'allowed', condition: aCostlyCondition(number) }
  }),
  override: null,
}

const judgementOf = (one: PermissionFacts): Judgement => ({
  decision: null,
  from: 0,
  until: Infinity,
  conditional: {
    scope: checkScope('ada@acme.example', 'shop'),
    permission: 'p',
    facts: {
      active: true,
      superAdmin: false,
      applicationAdmin: false,
      permissions: new Map([['p', one]]),
      from: 0,
      until: Infinity,
    },
    stored: { subjectId: '1', resource: {} },
  },
})

const judgement = judgementOf(permission)

test.group('Deciding many checks', () => {
  test('other work gets a turn while conditions take long', async ({ assert }) => {
    const { context } = costlyVariables()
    let decisions: Decision[] = []
    const turns = await turnsDuring(async () => {
      decisions = await decideAll(Array(20).fill(judgement), { context }, Date.now())
    })
    assert.isTrue(decisions.every((decision) => decision === NOTHING_GRANTS))
    assert.isAbove(turns, 5)
  })

  test('other work gets turns while many conditions are compiled', async ({ assert }) => {
    const conditions = Array.from({ length: 60 }, (_, number) =>
      aLongCondition(number === 59 ? 'true' : 'false')
    )
    const granting = conditions.map((condition) => ({ level: 'allowed' as const, condition }))
    const many = judgementOf({ ...permission, conditionalGrants: granting })
    let decisions: Decision[] = []
    const turns = await turnsDuring(async () => {
      decisions = await decideAll([many], {}, Date.now())
    })
    assert.containSubset(decisions, [{ level: 'allowed', source: 'role' }])
    assert.isAbove(turns, 5)
    const [again] = await decideAll([many], {}, Date.now())
    assert.deepEqual(again, decisions[0])
  })

  test('decisions without conditions take no turn', async ({ assert }) => {
    const settled: Judgement = { ...judgement, decision: NOTHING_GRANTS, conditional: null }
    let isNextTurn = false
    setImmediate(() => (isNextTurn = true))
    const decisions = await decideAll(Array(500).fill(settled), {}, Date.now())
    assert.lengthOf(decisions, 500)
    assert.isFalse(isNextTurn)
  })

  test('shares turns among all requests that evaluate conditions', async ({ assert }) => {
    const requests = Array.from({ length: 20 }, () => Array.from({ length: 5 }, () => judgement))
    const turns = await turnsDuring(() =>
      Promise.all(requests.map((judgements) => inTurns(judgements, () => burn(2))))
    )
    // All of them together need 200 ms.
    assert.isAtLeast(turns, 20)
  })
})
