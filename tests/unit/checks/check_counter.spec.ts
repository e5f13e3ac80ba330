import { test } from '@japa/runner'
import { CheckCounter } from '#app/checks/check_counter'
import { NOTHING_GRANTS, SUPER_ADMIN } from '#app/checks/values/decision'

const DAY = Date.UTC(2030, 4, 7)
const UNDEFINED = { ...SUPER_ADMIN, undefinedPermission: true } as const

test.group('Counted checks', () => {
  test('are added up by application and UTC day, whatever was decided', ({ assert }) => {
    const counter = new CheckCounter()
    counter.add('shop', [SUPER_ADMIN], DAY)
    counter.add('shop', [NOTHING_GRANTS, NOTHING_GRANTS], DAY + 86_399_999)
    counter.add('crm', [NOTHING_GRANTS], DAY)
    counter.add('shop', [SUPER_ADMIN], DAY + 86_400_000)
    assert.deepEqual(counter.take(), [
      { appCode: 'shop', day: '2030-05-07', count: 3 },
      { appCode: 'crm', day: '2030-05-07', count: 1 },
      { appCode: 'shop', day: '2030-05-08', count: 1 },
    ])
    assert.deepEqual(counter.take(), [])
  })

  test('leave out undefined permissions, so that no number of codes fills the memory', ({
    assert,
  }) => {
    const counter = new CheckCounter()
    counter.add('invented', [UNDEFINED], DAY)
    counter.add('shop', [UNDEFINED, SUPER_ADMIN], DAY)
    counter.add('__proto__', [SUPER_ADMIN], DAY)
    assert.deepEqual(counter.take(), [
      { appCode: 'shop', day: '2030-05-07', count: 1 },
      { appCode: '__proto__', day: '2030-05-07', count: 1 },
    ])
  })

  test('that could not be stored are added to those that follow', ({ assert }) => {
    const counter = new CheckCounter()
    counter.add('shop', [SUPER_ADMIN], DAY)
    const taken = counter.take()
    counter.add('shop', [SUPER_ADMIN], DAY)
    counter.putBack(taken)
    assert.deepEqual(counter.take(), [{ appCode: 'shop', day: '2030-05-07', count: 2 }])
  })
})
