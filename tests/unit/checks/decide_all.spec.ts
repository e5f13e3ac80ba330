import { test } from '@japa/runner'
import { decideAll, inTurns } from '#app/checks/actions/decide_all'
import type { PermissionFacts } from '#app/checks/values/access_facts'
import { checkScope } from '#app/checks/values/check_scope'
import { NOTHING_GRANTS } from '#app/checks/values/decision'
import type { Judgement } from '#app/checks/values/judgement'
import { aCostlyCondition, costlyVariables } from '#tests/helpers/costly_conditions'

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

const judgement: Judgement = {
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
      permissions: new Map([['p', permission]]),
      from: 0,
      until: Infinity,
    },
    stored: { subjectId: '1', resource: {} },
  },
}

test.group('Deciding many checks', () => {
  test('other work gets a turn while conditions take long', async ({ assert }) => {
    let turns = 0
    let isRunning = true
    const count = () => {
      turns++
      if (isRunning) setImmediate(count)
    }
    setImmediate(count)
    const { context } = costlyVariables()
    const decisions = await decideAll(Array(20).fill(judgement), { context }, Date.now())
    isRunning = false
    assert.isTrue(decisions.every((decision) => decision === NOTHING_GRANTS))
    assert.isAbove(turns, 5)
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
    const conditional = { decision: null, conditional: null, from: 0, until: Infinity }
    const burn = () => {
      const end = performance.now() + 2
      while (performance.now() < end);
    }
    let rounds = 0
    let isOver = false
    const count = () => {
      rounds++
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const requests = Array.from({ length: 20 }, () => Array.from({ length: 5 }, () => conditional))
    await Promise.all(requests.map((judgements) => inTurns(judgements, burn)))
    isOver = true
    assert.isAtLeast(rounds, 50)
  })
})
