import { test } from '@japa/runner'
import { signedIn, uniqueEmail } from '#tests/helpers/people'

const PATH = '/api/profile/me/quiet-hours'
const NIGHT = { days: [1, 2, 3, 4, 5, 6, 7], from: '22:00', to: '07:00' }

test.group('The quiet hours of a profile', () => {
  test('are off until they are set, and then what was set', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    const initial = await person.get(PATH)
    initial.assertStatus(200)
    const none = { enabled: false, timeZone: 'UTC', windows: [] }
    assert.deepEqual(initial.body(), { code: 'OK', response: none })
    await person.put('/api/profile/me', { timezone: 'America/New_York' })
    const inZone = await person.get(PATH)
    assert.deepEqual(inZone.body().response, { ...none, timeZone: 'America/New_York' })

    const hours = { enabled: true, timeZone: 'Europe/Prague', windows: [NIGHT] }
    for (const wanted of [hours, { ...hours, enabled: false }, { ...hours, windows: [] }]) {
      const response = await person.put(PATH, wanted)
      response.assertStatus(200)
      assert.deepEqual(response.body(), { code: 'OK', response: wanted })
      assert.deepEqual((await person.get(PATH)).body().response, wanted)
    }
    const other = signedIn(client, uniqueEmail())
    assert.deepEqual((await other.get(PATH)).body().response, none)
  })

  test('cannot be wrong, and stay as they are then', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    const valid = { enabled: true, timeZone: 'Europe/Prague', windows: [NIGHT] }
    await person.put(PATH, valid)
    const day = { ...NIGHT, from: '07:00', to: '22:00' }
    const wrong: [object, string][] = [
      [{ timeZone: 'Mars/Olympus' }, 'timezone'],
      [{ timeZone: '+01:00' }, 'timezone'],
      [{ timeZone: undefined }, 'required'],
      [{ enabled: 'yes' }, 'boolean'],
      [{ windows: [NIGHT, day] }, 'wholeWeek'],
      [{ enabled: false, windows: [day, NIGHT] }, 'wholeWeek'],
      [{ windows: [{ ...NIGHT, to: '22:00' }] }, 'emptyWindow'],
      [{ windows: [{ ...NIGHT, to: '24:00' }] }, 'regex'],
      [{ windows: [{ ...NIGHT, from: '9:00' }] }, 'regex'],
      [{ windows: [{ ...NIGHT, days: [] }] }, 'array.minLength'],
      [{ windows: [{ ...NIGHT, days: [0] }] }, 'range'],
      [{ windows: [{ ...NIGHT, days: [8] }] }, 'range'],
      [{ windows: [{ ...NIGHT, days: [1, 1] }] }, 'distinct'],
      [{ windows: [{ ...NIGHT, days: ['1'] }] }, 'number'],
      [{ windows: Array.from({ length: 21 }, () => NIGHT) }, 'array.maxLength'],
    ]
    for (const [fields, rule] of wrong) {
      const response = await person.put(PATH, { ...valid, ...fields })
      response.assertProblem(400, 'VALIDATION_ERROR')
      assert.equal(response.body().details.errors[0].rule, rule, JSON.stringify(fields))
    }
    assert.deepEqual((await person.get(PATH)).body().response, valid)
  })
})
