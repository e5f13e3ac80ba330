import type { EventEmitter } from 'node:events'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { lockUntilCommit } from '#core/database/lock_until_commit'
import { readAtOneMoment, transaction } from '#core/database/transaction'
import Application from '#app/applications/models/application'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import User from '#app/profiles/models/user'
import { eventually } from '#tests/helpers/eventually'
import { anApplication, uniqueCode, uniqueEmail } from '#tests/helpers/people'

const refusal = (code: string) => Object.assign(new Error('the database gave way'), { code })

test.group('Transaction', () => {
  test('stores everything or nothing', async ({ assert }) => {
    const code = uniqueCode()
    const failing = transaction(async (trx) => {
      await Application.create({ code, name: 'Half', supportedLanguages: [] }, { client: trx })
      throw new Error('in the middle')
    })
    await assert.rejects(() => failing, 'in the middle')
    assert.isNull(await Application.findBy({ code }))
  })

  test('retries after a conflict with another writer: {$self}')
    .with(['SQLITE_BUSY_SNAPSHOT', '40001', '40P01'])
    .run(async ({ assert }, code) => {
      const application = await anApplication()
      let runs = 0
      const answer = await transaction(async (trx) => {
        const mine = await Application.findOrFail(application.id, { client: trx })
        await mine.merge({ name: `${mine.name}+` }).save()
        if (++runs < 3) throw refusal(code)
        return mine.name
      })
      assert.equal(runs, 3)
      // Writes of earlier attempts were rolled back.
      assert.equal(answer, `${application.name}+`)
      assert.equal((await Application.findOrFail(application.id)).name, answer)
    })

  test('ends without searching for each model it has read, also if it fails', async ({
    assert,
  }) => {
    const { id } = await anApplication()
    let listeners: number | undefined
    const failing = transaction(async (trx) => {
      for (let part = 0; part < 20; part++) await Application.findOrFail(id, { client: trx })
      // The last one is called when everything else is ready for the end.
      const emitter = trx as unknown as EventEmitter
      emitter.once('rollback', () => (listeners = emitter.listenerCount('commit')))
      throw new Error('in the end')
    })
    await assert.rejects(() => failing, 'in the end')
    assert.equal(listeners, 1)
  })

  test('gives up after several attempts and throws the last error', async ({ assert }) => {
    let runs = 0
    const giveWay = async () => {
      runs++
      throw refusal('40001')
    }
    await assert.rejects(() => transaction(giveWay), 'the database gave way')
    assert.isAbove(runs, 1)
    assert.isAtMost(runs, 10)
  })

  test('does not retry errors that would recur', async ({ assert }) => {
    let runs = 0
    const failing = transaction(async () => {
      runs++
      throw refusal('23502')
    })
    await assert.rejects(() => failing)
    assert.equal(runs, 1)
  })

  test('retries once after a unique violation, which may not recur', async ({ assert }) => {
    const { code } = await anApplication()
    let runs = 0
    const failing = transaction(async (trx) => {
      runs++
      await Application.create({ code, name: 'Twice', supportedLanguages: [] }, { client: trx })
    })
    await assert.rejects(() => failing)
    assert.equal(runs, 2)
  })

  test('loses no concurrent update that reads before it writes', async ({ assert }) => {
    const user = await ensureUser({ email: uniqueEmail() })
    await user.merge({ firstName: '0' }).save()
    const countUp = () =>
      transaction(async (trx) => {
        await lockUntilCommit(trx, `count:${user.id}`)
        const mine = await User.findOrFail(user.id, { client: trx })
        await mine.merge({ firstName: String(Number(mine.firstName) + 1) }).save()
      })
    await Promise.all(Array.from({ length: 20 }, countUp))
    assert.equal((await User.findOrFail(user.id)).firstName, '20')
  })

  if (process.env.DB_CONNECTION === 'pg') {
    test('that reads at one moment sees no later change, and cannot write', async ({ assert }) => {
      const { id, name } = await anApplication()
      const rename = (to: string) => Application.query().where({ id }).update({ name: to })
      const read = readAtOneMoment(async (trx) => {
        const nameNow = async () => (await Application.findOrFail(id, { client: trx })).name
        assert.equal(await nameNow(), name)
        await rename('Renamed')
        assert.equal(await nameNow(), name)
        await trx.from('applications').where({ id }).update({ name: 'Written' })
      })
      await assert.rejects(() => read, /read-only transaction/)
      assert.equal((await Application.findOrFail(id)).name, 'Renamed')
    })

    test('finds what another writer inserted after it had looked', async ({ assert }) => {
      const email = uniqueEmail()
      const id = await transaction(async (trx) => {
        const known = await User.findBy({ email }, { client: trx })
        if (known) return known.id
        await ensureUser({ email })
        return (await User.create({ email }, { client: trx })).id
      })
      assert.equal(id, (await User.findByOrFail({ email })).id)
    })

    test('throws if its commit fails', async ({ assert }) => {
      const code = uniqueCode()
      const lost = transaction(async (trx) => {
        await Application.create({ code, name: 'Lost', supportedLanguages: [] }, { client: trx })
        const { rows } = await trx.rawQuery('select pg_backend_pid() as pid')
        await db.rawQuery('select pg_terminate_backend(?)', [rows[0].pid])
      })
      await assert.rejects(() => lost)
      // The pool may return the broken connection once more.
      await eventually('the database responds', () => db.rawQuery('select 1').catch(() => false))
      assert.isNull(await Application.findBy({ code }))
    })
  }
})
