import { test } from '@japa/runner'
import { MAX_VALIDATION_ERRORS } from '#core/validation/limited_error_reporter'
import { findUnknownFields } from '#app/policies/values/find_unknown_fields'

const MANY = 1_000
const role = { properties: { code: {}, name: {} } }
const schema = { properties: { application: {}, roles: { items: role } } }

/** An object that counts the fields that are looked at. */
function countedFields(fields: object) {
  const looked = { at: 0 }
  const counted = new Proxy(fields, {
    getOwnPropertyDescriptor(target, name) {
      looked.at++
      return Reflect.getOwnPropertyDescriptor(target, name)
    },
  })
  return { counted, looked }
}

const manyFields = () =>
  Object.fromEntries(Array.from({ length: MANY }, (_, index) => [`unknown${index}`, 1]))

test.group('Unknown fields', () => {
  test('are found at all levels, with the fields that are allowed there', ({ assert }) => {
    const content = { rols: [], roles: [{ code: 'a' }, { code: 'b', nam: 'B' }], applicaton: 'x' }
    assert.containSubset(findUnknownFields(content, schema), [
      { field: 'rols', rule: 'unknown', meta: { allowed: ['application', 'roles'] } },
      { field: 'roles.1.nam', rule: 'unknown', meta: { allowed: ['code', 'name'] } },
      { field: 'applicaton', rule: 'unknown' },
    ])
  })

  test('are not searched beyond the tenth', ({ assert }) => {
    const { counted, looked } = countedFields(manyFields())
    const errors = findUnknownFields(counted, schema)
    assert.lengthOf(errors, MAX_VALIDATION_ERRORS)
    assert.equal(looked.at, MAX_VALIDATION_ERRORS)
  })

  test('are not searched in the items after the tenth', ({ assert }) => {
    const { counted, looked } = countedFields({ unknown: 1 })
    const roles = Array.from({ length: MANY }, () => counted)
    const errors = findUnknownFields({ roles, other: 1 }, schema)
    assert.lengthOf(errors, MAX_VALIDATION_ERRORS)
    assert.equal(errors.at(-1)?.field, 'roles.9.unknown')
    assert.equal(looked.at, MAX_VALIDATION_ERRORS)
  })
})
