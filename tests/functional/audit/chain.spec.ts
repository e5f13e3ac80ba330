import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { DateTime, Settings } from 'luxon'
import { sealEntries } from '#app/audit/actions/seal_entries'
import { verifyChain } from '#app/audit/actions/verify_chain'
import AuditChain from '#app/audit/models/audit_chain'
import AuditEntry from '#app/audit/models/audit_entry'
import { ExpiredEntries } from '#app/audit/retention'
import { transaction } from '#core/database/transaction'
import { recordChange } from '#core/audit/record_change'
import {
  START,
  aChain,
  addEntries,
  addEntry,
  emptyChain,
  hashAfter,
  sealAll,
  sealWithoutSalts,
} from '#tests/helpers/audit_chain'
import { inPath, manageApplication } from '#tests/helpers/management'
import { anApplication, signedIn, superAdmin, uniqueEmail } from '#tests/helpers/people'

test.group('The chain of audit entries', (group) => {
  group.each.setup(emptyChain)

  test('can be recomputed from the API alone', async ({ assert, client }) => {
    const admin = superAdmin(client)
    // Signs in, which may be an entry itself.
    await admin.get('/api/admin/audit/head')
    await emptyChain()
    await aChain(3)
    const { data } = (await admin.get('/api/admin/audit')).body()
    let hash = START
    for (const { sequence, hash: stored, redacted, ...entry } of data.toReversed()) {
      assert.match(entry.salt, /^[\da-f]{32}$/)
      hash = hashAfter(hash, entry)
      assert.equal(stored, hash)
    }
    assert.lengthOf(new Set(data.map(({ salt }: any) => salt)), 3)
    const head = (await admin.get('/api/admin/audit/head')).body().data
    assert.deepEqual(head, { sequence: 3, hash })
  })

  test('verifies, and can be recomputed, if older entries have no salts', async ({
    assert,
    client,
  }) => {
    const admin = superAdmin(client)
    await admin.get('/api/admin/audit/head')
    await emptyChain()
    await aChain(2)
    await sealWithoutSalts()
    await aChain(1)
    assert.deepEqual(await verifyChain(), { first: 1, last: 3, fault: null })
    const { data } = (await admin.get('/api/admin/audit')).body()
    let hash = START
    for (const { sequence, hash: stored, redacted, salt, ...entry } of data.toReversed()) {
      assert.equal(salt === null, sequence < 3)
      hash = hashAfter(hash, salt === null ? entry : { ...entry, salt })
      assert.equal(stored, hash)
    }
  })

  test('shows an entry whose salt was removed', async ({ assert }) => {
    const [, second] = await aChain(3)
    await db.from('audit_entries').where('id', second.id).update({ salt: null })
    assert.containSubset((await verifyChain()).fault, { kind: 'altered', sequence: 2 })
  })

  test('is intact after entries of concurrent transactions', async ({ assert }) => {
    await Promise.all(Array.from({ length: 20 }, () => addEntry()))
    await Promise.all([sealEntries(), sealEntries(), sealEntries()])
    await sealEntries()
    assert.deepEqual(await verifyChain(), { first: 1, last: 20, fault: null })
  })

  test('is continued where it ended, and is intact without any entry', async ({ assert }) => {
    assert.deepEqual(await verifyChain(), { first: null, last: null, fault: null })
    await aChain(2)
    await addEntry()
    assert.deepEqual(await verifyChain(), { first: 1, last: 2, fault: null })
    await sealEntries()
    assert.deepEqual(await verifyChain(), { first: 1, last: 3, fault: null })
  })

  for (const [title, tamper, kind, sequence] of [
    [
      'an altered entry',
      (ids: number[]) => db.from('audit_entries').where('id', ids[2]).update({ reason: 'x' }),
      'altered',
      3,
    ],
    [
      'a removed entry',
      (ids: number[]) => db.from('audit_entries').where('id', ids[2]).delete(),
      'missing',
      3,
    ],
    [
      'a removed end',
      (ids: number[]) => db.from('audit_entries').whereIn('id', ids.slice(3)).delete(),
      'missing',
      4,
    ],
    [
      'an entry added at the end',
      async (ids: number[]) => {
        const entry = await AuditEntry.findOrFail(ids[4])
        const { id, ...columns } = entry.$attributes
        await AuditEntry.create({ ...columns, sequence: 6 })
      },
      'added',
      6,
    ],
    [
      'an entry added before the beginning',
      async (ids: number[]) => {
        const entry = await AuditEntry.findOrFail(ids[0])
        const { id, ...columns } = entry.$attributes
        await AuditEntry.create({ ...columns, sequence: -1 })
      },
      'added',
      -1,
    ],
    [
      'entries in another order',
      async (ids: number[]) => {
        const seal = (id: number, column: object) =>
          db.from('audit_entries').where({ id }).update(column)
        const [one, two] = [
          await AuditEntry.findOrFail(ids[1]),
          await AuditEntry.findOrFail(ids[2]),
        ]
        await seal(one.id, { sequence: null })
        await seal(two.id, { sequence: one.sequence, hash: one.hash })
        await seal(one.id, { sequence: two.sequence, hash: two.hash })
      },
      'altered',
      2,
    ],
    [
      'a forged checkpoint',
      async (ids: number[]) => {
        const second = await AuditEntry.findOrFail(ids[1])
        await db.from('audit_entries').whereIn('id', ids.slice(0, 2)).delete()
        const checkpoint = { checkpoint_sequence: 2, checkpoint_hash: second.hash }
        await db.from('audit_chain').update(checkpoint)
      },
      'checkpoint',
      2,
    ],
  ] as const) {
    test(`shows ${title}`, async ({ assert }) => {
      const entries = await aChain(5)
      await tamper(entries.map(({ id }) => id))
      const { fault } = await verifyChain()
      assert.containSubset(fault, { kind, sequence })
    })
  }

  test('compared with a head that was kept elsewhere, shows what was rewritten', async ({
    assert,
  }) => {
    await aChain(3)
    const kept = (await AuditChain.current()).head
    assert.isNull((await verifyChain(kept)).fault)
    await aChain(1)
    assert.isNull((await verifyChain(kept)).fault)
    await emptyChain()
    assert.containSubset((await verifyChain(kept)).fault, { kind: 'missing' })
    await aChain(4)
    assert.containSubset((await verifyChain(kept)).fault, { kind: 'head', sequence: 3 })
  })

  test('still verifies after retention has removed its beginning', async ({ assert }) => {
    await aChain(5)
    const kept = (await AuditChain.current()).head
    const old = DateTime.utc().minus({ days: 31 }).toISO()
    await emptyChain()
    await addEntry('old')
    await addEntry('old')
    await db.from('audit_entries').update({ at: old })
    await aChain(3)
    const sweep = new ExpiredEntries(30)
    const now = DateTime.utc()
    assert.isTrue(await sweep.isDue(now))
    assert.equal(await transaction((trx) => sweep.deleteExpired(now, 100, trx)), 2)
    assert.isFalse(await sweep.isDue(now))
    assert.deepEqual(await verifyChain(), { first: 3, last: 5, fault: null })
    assert.containSubset((await verifyChain({ sequence: 1, hash: START })).fault, { kind: 'head' })
    assert.containSubset((await verifyChain(kept)).fault, { kind: 'head', sequence: 5 })
  })

  test('verifies while retention removes its beginning', async ({ assert }) => {
    for (let round = 0; round < 3; round++) {
      await emptyChain()
      await addEntries(600)
      await db.from('audit_entries').update({ at: DateTime.utc().minus({ days: 31 }).toISO() })
      await addEntries(100)
      await sealAll()
      const sweep = new ExpiredEntries(30)
      const steps = async () => {
        for (let step = 0; step < 4; step++) {
          await transaction((trx) => sweep.deleteExpired(DateTime.utc(), 150, trx))
        }
      }
      const [report] = await Promise.all([verifyChain(), steps()])
      assert.isNull(report.fault)
      assert.deepEqual(await verifyChain(), { first: 601, last: 700, fault: null })
    }
  })

  test('is in the order of the entries, whatever the clock says', async ({ assert, cleanup }) => {
    cleanup(() => void (Settings.now = () => Date.now()))
    for (const hours of [0, -3, 5, -1]) {
      Settings.now = () => Date.now() + hours * 3_600_000
      await addEntry()
    }
    await sealEntries()
    const entries = await AuditEntry.query().orderBy('id')
    assert.deepEqual(
      entries.map(({ sequence }) => sequence),
      [1, 2, 3, 4]
    )
    assert.isBelow(entries[1].at.toMillis(), entries[0].at.toMillis())
    assert.deepEqual(await verifyChain(), { first: 1, last: 4, fault: null })
  })

  test('still verifies after users were erased, but not if anything else was redacted', async ({
    assert,
    client,
  }) => {
    const admin = superAdmin(client)
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    const [email, other] = [uniqueEmail(), uniqueEmail()]
    for (const one of [email, other]) await manage.administrator(one)
    await signedIn(client, email).post(`/api/applications/${code}/roles`, { code: 'clerk' })
    await sealEntries()
    const erased = await admin.delete(`/api/users/${inPath(email)}`)
    erased.assertStatus(204)
    assert.isNull((await verifyChain()).fault, 'before the erasure has its place')
    await sealEntries()
    assert.isNull((await verifyChain()).fault)
    const entries = await AuditEntry.query().orderBy('sequence')
    assert.notInclude(JSON.stringify(entries), email)
    const redacted = entries.filter((entry) => entry.redacted)
    assert.includeMembers(
      redacted.map(({ action }) => action),
      ['application_admin.added', 'role.created']
    )

    const kept = entries.find((entry) => entry.email === other)!
    await db.from('audit_entries').where('id', kept.id).update({ redacted: true, reason: 'x' })
    const { fault } = await verifyChain()
    assert.containSubset(fault, { kind: 'altered', sequence: kept.sequence })
  })

  test('is not changed by a rolled back change', async ({ assert }) => {
    await transaction(async (trx) => {
      await recordChange(trx, {
        action: 'language.created',
        application: null,
        target: { kind: 'language', id: 'x', label: 'x' },
        before: null,
        after: {},
      })
      throw new Error('stop')
    }).catch(() => {})
    assert.isEmpty(await AuditEntry.all())
  })
})
