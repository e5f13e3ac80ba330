import { test } from '@japa/runner'
import type { Problem } from '#core/exceptions/problem'
import { Stale, ValidationError, invalidField } from '#core/exceptions/problems'
import { locateProblem } from '#core/exceptions/locate_problem'

test.group('The place of a problem in a request', () => {
  test('is in front of every field of a validation error', ({ assert }) => {
    const error = locateProblem(invalidField('code', 'maxLength', 'Too long'), 'roles.2', { a: 1 })
    assert.instanceOf(error, ValidationError)
    const { details } = error as Problem
    assert.containSubset(details.errors, [{ field: 'roles.2.code', rule: 'maxLength' }])
    assert.notProperty(details, 'a')
  })

  test('is in front of the field of another problem, or stands alone', ({ assert }) => {
    const named = locateProblem(new Stale({ details: { field: 'code' } }), 'roles.2') as Problem
    assert.deepEqual(named.details, { field: 'roles.2.code' })
    assert.equal(named.kind.code, 'STALE')
    const known = { field: 'roles.2' }
    const unnamed = locateProblem(new Stale(), 'roles.2', known) as Problem
    assert.deepEqual(unnamed.details, known)
  })

  test('is not added to what is no problem', ({ assert }) => {
    const error = new Error('The database is down')
    assert.equal(locateProblem(error, 'roles.2'), error)
  })
})
