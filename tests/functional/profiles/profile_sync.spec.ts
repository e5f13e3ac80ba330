import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { usesPostgres } from '#core/database/dialect'
import User from '#app/profiles/models/user'
import { eventually } from '#tests/helpers/eventually'
import { signedIn, uniqueEmail } from '#tests/helpers/people'
import { hasWaitingTransaction } from '#tests/helpers/waiting_transactions'
import { minutesFromNow, profileOf, syncNames } from '#tests/helpers/profiles'

test.group('Profile sync from the login UI', () => {
  test('returns the profile with the new names', async ({ assert, client }) => {
    const email = uniqueEmail()
    await signedIn(client, email).put('/api/profile/me', { theme: 'dark', locale: 'cs' })
    const names = { firstName: 'Grace', lastName: 'Hopper', displayName: 'Amazing Grace' }
    const response = await syncNames(client, { email, ...names })

    response.assertStatus(200)
    assert.deepEqual(response.body(), { success: true, data: await profileOf(client, email) })
    assert.containSubset(response.body().data, { email, ...names, theme: 'dark', locale: 'cs' })
  })

  test('creates a missing profile', async ({ assert, client }) => {
    const email = uniqueEmail()
    const response = await syncNames(client, { email: email.toUpperCase(), lastName: 'Hopper' })
    response.assertStatus(200)
    assert.containSubset(response.body().data, {
      email,
      firstName: null,
      lastName: 'Hopper',
      displayName: 'Hopper',
      theme: 'system',
      brand: 'default',
    })
    assert.isTrue((await User.withEmail(email)).active)
  })

  test('waits for an erasure and then creates a new profile', async ({ assert, client }) => {
    const email = uniqueEmail()
    const former = (await syncNames(client, { email, firstName: 'Before' })).body().data
    const erasure = await db.transaction()
    await User.query({ client: erasure }).where({ email }).delete()
    const syncing = syncNames(client, { email, lastName: 'After' }).send()
    if (usesPostgres()) await eventually('it has met the erasure', hasWaitingTransaction)
    await erasure.commit()
    const response = await syncing
    response.assertStatus(200)
    assert.containSubset(response.body().data, { firstName: null, lastName: 'After' })
    assert.notEqual(response.body().data.id, former.id)
  })

  test('returns the stored names for an older change', async ({ assert, client }) => {
    const email = uniqueEmail()
    await syncNames(client, { email, firstName: 'Newer', changedAt: '2026-03-02T00:00:00Z' })
    const response = await syncNames(client, {
      email,
      firstName: 'Older',
      changedAt: '2026-03-01T00:00:00Z',
    })
    response.assertStatus(200)
    assert.equal(response.body().data.firstName, 'Newer')
  })

  test('refuses an invalid time', async ({ client }) => {
    for (const changedAt of [
      '',
      'yesterday',
      '2026-03-01',
      '2026-02-30T10:00:00Z',
      '2026-13-01T10:00:00Z',
      '0000-01-01T00:00:00Z',
      '9999-12-31T23:59:59-14:00',
      '2026-03-01T10:00:00+99:00',
    ]) {
      const response = await syncNames(client, { email: uniqueEmail(), firstName: 'A', changedAt })
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'changedAt' }] })
    }
  })

  test('refuses names that are not strings', async ({ client }) => {
    for (const firstName of ['', ' ', 'x'.repeat(201)]) {
      const response = await syncNames(client, { email: uniqueEmail(), firstName })
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'firstName' }] })
    }
  })

  test('requires the internal key', async ({ client }) => {
    const body = { email: uniqueEmail(), firstName: 'Eve' }
    const response = await client.put('/api/internal/auth/profile-sync').json(body)
    response.assertProblem(401, 'UNAUTHENTICATED')
    const withToken = await signedIn(client, body.email).put(
      '/api/internal/auth/profile-sync',
      body
    )
    withToken.assertProblem(401, 'UNAUTHENTICATED')
  })

  test('a future time does not block earlier changes', async ({ assert, client }) => {
    const email = uniqueEmail()
    const future = await syncNames(client, {
      email,
      firstName: 'Future',
      changedAt: '9999-12-31T23:59:59.999Z',
    })
    assert.equal(future.body().data.firstName, 'Future')
    const later = await syncNames(client, {
      email,
      firstName: 'Later',
      changedAt: minutesFromNow(10).iso,
    })
    assert.equal(later.body().data.firstName, 'Later')
  })
})
