import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { uniqueEmail } from '#tests/helpers/people'
import {
  minutesFromNow,
  namesOf,
  profileOf,
  syncNames,
  webhook,
  withNames,
} from '#tests/helpers/profiles'

interface Change {
  client: ApiClient
  email: string
  /** Used as first, last and display name. */
  name: string
  at: { seconds: number; iso: string }
}

/** The sources that state when names changed. */
const SOURCES: Record<string, (change: Change) => Promise<unknown>> = {
  'a token': ({ client, email, name, at }) =>
    withNames(client, email, { given_name: name, family_name: name, name }, at).get(
      '/api/profile/me'
    ),
  'an event': async ({ client, email, name, at }) => {
    const user = { email, firstName: name, lastName: name, displayName: name }
    const response = await webhook(client, { eventType: 'user.updated', occurredAt: at.iso, user })
    response.assertStatus(200)
  },
  'a sync': async ({ client, email, name, at }) => {
    const names = { firstName: name, lastName: name, displayName: name }
    const response = await syncNames(client, { email, ...names, changedAt: at.iso })
    response.assertStatus(200)
  },
}

const PAIRS = Object.keys(SOURCES).flatMap((first) =>
  Object.keys(SOURCES).map((second) => ({ first, second }))
)

const all = (name: string) => [name, name, name]

test.group('Name synchronisation', () => {
  test('{second} newer than {first} changes the names')
    .with(PAIRS)
    .run(async ({ assert, client }, { first, second }) => {
      const email = uniqueEmail()
      await SOURCES[first]({ client, email, name: 'Older', at: minutesFromNow(-20) })
      assert.deepEqual(await namesOf(client, email), all('Older'))
      await SOURCES[second]({ client, email, name: 'Newer', at: minutesFromNow(-10) })
      assert.deepEqual(await namesOf(client, email), all('Newer'))
    })

  test('{second} older than {first} changes nothing')
    .with(PAIRS)
    .run(async ({ assert, client }, { first, second }) => {
      const email = uniqueEmail()
      await SOURCES[first]({ client, email, name: 'Newer', at: minutesFromNow(-10) })
      const before = await profileOf(client, email)
      await SOURCES[second]({ client, email, name: 'Older', at: minutesFromNow(-20) })
      assert.deepEqual(await profileOf(client, email), before)
    })

  test('{second} of the same time as {first} changes nothing')
    .with(PAIRS)
    .run(async ({ assert, client }, { first, second }) => {
      const [email, at] = [uniqueEmail(), minutesFromNow(-10)]
      await SOURCES[first]({ client, email, name: 'First', at })
      await SOURCES[second]({ client, email, name: 'Second', at })
      assert.deepEqual(await namesOf(client, email), all('First'))
    })

  test(
    'a change through the profile is newer than {$self} from before it and older than one from after it'
  )
    .with(Object.keys(SOURCES))
    .run(async ({ assert, client }, source) => {
      const email = uniqueEmail()
      const names = { firstName: 'Mine', lastName: 'Mine', displayName: 'Mine' }
      const response = await withNames(client, email, {}).put('/api/profile/me', names)
      response.assertStatus(200)

      await SOURCES[source]({ client, email, name: 'Before', at: minutesFromNow(-1) })
      assert.deepEqual(await namesOf(client, email), all('Mine'))
      await SOURCES[source]({ client, email, name: 'After', at: minutesFromNow(0.05) })
      assert.deepEqual(await namesOf(client, email), all('After'))
    })

  test('a profile without names accepts them from {$self} of any age')
    .with(Object.keys(SOURCES))
    .run(async ({ assert, client }, source) => {
      const email = uniqueEmail()
      await profileOf(client, email)
      await SOURCES[source]({ client, email, name: 'First', at: minutesFromNow(-60 * 24 * 3650) })
      assert.deepEqual(await namesOf(client, email), all('First'))
    })

  test('a change back to an earlier name counts, even if events arrive out of order', async ({
    assert,
    client,
  }) => {
    const email = uniqueEmail()
    await SOURCES['an event']({ client, email, name: 'Hopper', at: minutesFromNow(-30) })
    await SOURCES['an event']({ client, email, name: 'Hopper', at: minutesFromNow(-10) })
    await SOURCES['an event']({ client, email, name: 'Murray', at: minutesFromNow(-20) })
    assert.deepEqual(await namesOf(client, email), all('Hopper'))
  })

  test('times are compared across time zones', async ({ assert, client }) => {
    const email = uniqueEmail()
    const sync = (firstName: string, changedAt: string) =>
      syncNames(client, { email, firstName, changedAt })
    await sync('Newer', '2026-03-01T10:00:00.001Z')
    await sync('Older', '2026-03-01T23:00:00+13:00')
    assert.equal((await profileOf(client, email)).firstName, 'Newer')
    await sync('Newest', '2026-03-01T05:00:00.002-05:00')
    assert.equal((await profileOf(client, email)).firstName, 'Newest')
  })

  test('an event or sync without a time counts from its arrival', async ({ assert, client }) => {
    const email = uniqueEmail()
    await SOURCES['a token']({ client, email, name: 'Token', at: minutesFromNow(-0.05) })
    await webhook(client, { eventType: 'user.updated', user: { email, firstName: 'Event' } })
    assert.equal((await profileOf(client, email)).firstName, 'Event')
    await syncNames(client, { email, firstName: 'Sync' })
    assert.equal((await profileOf(client, email)).firstName, 'Sync')
    await SOURCES['a token']({ client, email, name: 'Token', at: minutesFromNow(-0.05) })
    assert.equal((await profileOf(client, email)).firstName, 'Sync')
  })

  test('a source that states some names does not change the others', async ({ assert, client }) => {
    const email = uniqueEmail()
    await SOURCES['a sync']({ client, email, name: 'Whole', at: minutesFromNow(-30) })
    await withNames(client, email, { family_name: 'Token' }, minutesFromNow(-20)).get(
      '/api/profile/me'
    )
    assert.deepEqual(await namesOf(client, email), ['Whole', 'Token', 'Whole'])
    const user = { email, firstName: 'Event', lastName: '' }
    const occurredAt = minutesFromNow(-10).iso
    await webhook(client, { eventType: 'user.updated', occurredAt, user })
    assert.deepEqual(await namesOf(client, email), ['Event', 'Token', 'Whole'])
  })

  test('a source without names changes nothing', async ({ assert, client }) => {
    const email = uniqueEmail()
    await SOURCES['a sync']({ client, email, name: 'Known', at: minutesFromNow(-20) })
    const before = await profileOf(client, email)
    await withNames(client, email, {}).get('/api/profile/me')
    await syncNames(client, { email })
    await webhook(client, { eventType: 'user.updated', user: { email } })
    assert.deepEqual(await profileOf(client, email), before)
    await SOURCES['an event']({ client, email, name: 'Between', at: minutesFromNow(-10) })
    assert.deepEqual(await namesOf(client, email), all('Between'))
  })

  test('a late creation event does not replace known names', async ({ assert, client }) => {
    const email = uniqueEmail()
    await SOURCES['a token']({ client, email, name: 'Known', at: minutesFromNow(-10) })
    const user = { email, firstName: 'Created', lastName: 'Created' }
    await webhook(client, { eventType: 'user.created', user })
    assert.deepEqual(await namesOf(client, email), all('Known'))
  })

  test('the latest of many concurrent changes wins completely', async ({ assert, client }) => {
    for (let round = 0; round < 3; round++) {
      const email = uniqueEmail()
      const sources = Object.values(SOURCES)
      await sources[round]({ client, email, name: 'Name 0', at: minutesFromNow(-60) })
      const order = [7, 2, 11, 4, 9, 1, 12, 3, 10, 6, 8, 5]
      await Promise.all(
        order.map((minute, index) =>
          sources[index % 3]({
            client,
            email,
            name: `Name ${minute}`,
            at: minutesFromNow(minute - 60),
          })
        )
      )
      assert.deepEqual(await namesOf(client, email), all('Name 12'))
    }
  })
})
