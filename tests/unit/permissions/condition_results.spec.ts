import { test } from '@japa/runner'
import { conditionResults } from '#app/permissions/conditions/condition_results'
import { aCostlyCondition, costlyVariables } from '#tests/helpers/costly_conditions'

test.group('Conditions of one decision', () => {
  test('each is evaluated once', ({ assert }) => {
    const resultOf = conditionResults(costlyVariables())
    const first = resultOf('subject.email == "ada@acme.example"')
    assert.deepEqual(first, { value: true })
    assert.strictEqual(resultOf('subject.email == "ada@acme.example"'), first)
  })

  test('share a cost limit, beyond which none has a value', ({ assert }) => {
    const resultOf = conditionResults(costlyVariables())
    const reasons = Array.from({ length: 8 }, (_, index) => resultOf(aCostlyCondition(index)))
    assert.deepEqual(reasons[0], { failed: 'The condition costs too much to evaluate' })
    assert.deepEqual(reasons[7], {
      failed: 'The conditions of this check together cost too much to evaluate',
    })
    assert.property(resultOf('true'), 'failed')
    assert.deepEqual(conditionResults(costlyVariables())('true'), { value: true })
  })

  test('share it with other decisions that have the same total', ({ assert }) => {
    const total = { units: 0 }
    for (let number = 0; number < 8; number++) {
      conditionResults(costlyVariables(), total)(aCostlyCondition(number))
    }
    assert.property(conditionResults(costlyVariables(), total)('true'), 'failed')
  })
})
