import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { DateTime } from 'luxon'
import { parseDatabaseTimestamp, toDatabaseTimestamp } from '#core/database/columns'
import { isoTimestamp } from '#core/values/iso_timestamp'
import { isUniqueViolation } from '#core/database/errors'
import { mapUniqueViolation } from '#core/database/map_unique_violation'
import { Conflict } from '#core/exceptions/problems'
import Application from '#app/applications/models/application'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import { ensurePreference } from '#app/profiles/actions/ensure_preference'
import ApplicationPreference from '#app/profiles/models/application_preference'
import User from '#app/profiles/models/user'
import { anApplication, uniqueCode, uniqueEmail } from '#tests/helpers/people'

const aPreference = async () => {
  const [user, application] = await Promise.all([
    ensureUser({ email: uniqueEmail() }),
    anApplication(),
  ])
  return ensurePreference({ userId: user.id, applicationId: application.id })
}

/** One test per difference between the databases; the same expectations hold on both. */
test.group('Models behave alike on both databases', () => {
  test('a boolean is true or false, also as a condition', async ({ assert }) => {
    const { id } = await aPreference()
    await (await ApplicationPreference.findOrFail(id)).merge({ showHelp: false }).save()

    const stored = await ApplicationPreference.findOrFail(id)
    assert.strictEqual(stored.showHelp, false)
    assert.strictEqual(stored.notificationsEnabled, true)
    assert.deepEqual(
      (await ApplicationPreference.query().where({ id, showHelp: false })).map((row) => row.id),
      [id]
    )
    assert.isEmpty(await ApplicationPreference.query().where({ id, showHelp: true }))
  })

  test('JSON is read back unchanged', async ({ assert }) => {
    const languages = ['en', 'cs', "o'clock", '"quoted"', '\\', 'č']
    const created = await Application.create({
      code: uniqueCode(),
      name: 'JSON',
      supportedLanguages: languages,
    })
    assert.deepEqual((await Application.findOrFail(created.id)).supportedLanguages, languages)

    await created.merge({ supportedLanguages: [] }).save()
    assert.deepEqual((await Application.findOrFail(created.id)).supportedLanguages, [])
  })

  test('a timestamp keeps its milliseconds and is read back in UTC', async ({ assert }) => {
    const user = await ensureUser({ email: uniqueEmail() })
    for (const [given, expected] of [
      ['2026-03-01T10:20:30.456+05:30', '2026-03-01T04:50:30.456Z'],
      ['2026-07-01T00:00:00.001+12:00', '2026-06-30T12:00:00.001Z'],
      ['1999-12-31T23:59:59.999Z', '1999-12-31T23:59:59.999Z'],
    ]) {
      await user.merge({ namesChangedAt: DateTime.fromISO(given, { setZone: true }) }).save()
      const stored = await User.findOrFail(user.id)
      assert.equal(isoTimestamp(stored.namesChangedAt), expected)
      assert.equal(stored.namesChangedAt!.zoneName, 'UTC')
    }
  })

  test('timestamps can be compared to the millisecond, in models and raw SQL', async ({
    assert,
  }) => {
    const moment = DateTime.fromISO('2026-03-01T10:20:30.456Z')
    const user = await ensureUser({ email: uniqueEmail() })
    await user.merge({ namesChangedAt: moment }).save()
    const found = async (sql: string, at: DateTime) =>
      (
        await db
          .from('users')
          .where('id', user.id)
          .whereRaw(sql, [toDatabaseTimestamp(at)])
      ).length

    assert.equal(await found('names_changed_at = ?', moment), 1)
    assert.equal(await found('names_changed_at < ?', moment), 0)
    assert.equal(await found('names_changed_at < ?', moment.plus({ milliseconds: 1 })), 1)
    assert.equal(await found('names_changed_at > ?', moment.minus({ milliseconds: 1 })), 1)
    assert.equal(await found('names_changed_at >= ?', moment.setZone('Asia/Kolkata')), 1)
  })

  test('creation and update times are in UTC, not in local time', async ({ assert }) => {
    const before = Date.now()
    const { id } = await Application.create({
      code: uniqueCode(),
      name: 'Now',
      supportedLanguages: [],
    })
    const { createdAt, updatedAt } = await Application.findOrFail(id)
    for (const moment of [createdAt, updatedAt]) {
      assert.isAtLeast(moment.toMillis(), before)
      assert.isAtMost(moment.toMillis(), Date.now())
    }
  })

  test('a missing timestamp is null', async ({ assert }) => {
    const user = await ensureUser({ email: uniqueEmail() })
    assert.isNull((await User.findOrFail(user.id)).namesChangedAt)
  })

  test('a created record has its id immediately', async ({ assert }) => {
    const created = await Application.create({
      code: uniqueCode(),
      name: 'A',
      supportedLanguages: [],
    })
    assert.isTrue(Number.isSafeInteger(created.id))
    assert.equal((await Application.findByOrFail({ code: created.code })).id, created.id)
  })

  test('an insert leaves an existing row unchanged', async ({ assert }) => {
    const email = uniqueEmail()
    const first = await ensureUser({ email })
    await first.merge({ firstName: 'Ada' }).save()
    const second = await ensureUser({ email })
    assert.equal(second.id, first.id)
    assert.equal(second.firstName, 'Ada')
  })

  test('an update returns the number of changed rows', async ({ assert }) => {
    const user = await ensureUser({ email: uniqueEmail() })
    const touch = (id: number) => db.from('users').where({ id }).update({ first_name: 'Ada' })
    assert.equal(Number(await touch(user.id)), 1)
    assert.equal(Number(await touch(2_000_000_000)), 0)
  })

  test('a unique violation is recognised and mapped to a problem', async ({ assert }) => {
    const code = uniqueCode()
    const create = () => Application.create({ code, name: 'Twice', supportedLanguages: [] })
    await create()
    const error = await create().catch((reason: unknown) => reason)
    assert.isTrue(isUniqueViolation(error))
    await assert.rejects(
      () => mapUniqueViolation(Conflict, create),
      'The request conflicts with stored data'
    )
  })

  test('other constraint violations are not unique violations', async ({ assert }) => {
    const orphan = ApplicationPreference.create({ userId: 2_000_000_000, applicationId: 1 })
    const error = await orphan.catch((reason: unknown) => reason)
    assert.instanceOf(error, Error)
    assert.isFalse(isUniqueViolation(error))
  })

  test('a foreign key deletes dependent rows', async ({ assert }) => {
    const preference = await aPreference()
    await (await Application.findOrFail(preference.applicationId)).delete()
    assert.isNull(await ApplicationPreference.find(preference.id))
  })

  test('a unique text differs by case and by accent', async ({ assert }) => {
    const code = `A-${randomUUID()}`
    for (const variant of [code, code.toLowerCase(), `${code}á`, `${code}a`]) {
      await Application.create({ code: variant, name: 'Alike', supportedLanguages: [] })
    }
    assert.lengthOf(await Application.query().where('code', code), 1)
  })
})

test.group('Database timestamps', () => {
  const moment = '2026-03-01T10:20:30.456Z'

  test('are read from every form that drivers return', ({ assert }) => {
    for (const form of [
      moment,
      '2026-03-01 10:20:30.456',
      '2026-03-01 10:20:30.456+00',
      '2026-03-01T11:20:30.456+01:00',
      new Date(moment),
      Date.parse(moment),
    ]) {
      assert.equal(isoTimestamp(parseDatabaseTimestamp(form)), moment, String(form))
    }
    assert.isNull(parseDatabaseTimestamp(null))
    assert.isNull(parseDatabaseTimestamp(undefined))
  })

  test('are written with milliseconds and Z', ({ assert }) => {
    assert.equal(
      toDatabaseTimestamp(DateTime.fromISO('2026-03-01T10:20:30Z')),
      '2026-03-01T10:20:30.000Z'
    )
    assert.isNull(isoTimestamp(null))
  })
})
