import { test } from '@japa/runner'
import type Application from '#app/applications/models/application'
import AuditEntry from '#app/audit/models/audit_entry'
import NotificationTypeSample from '#app/notifications/models/notification_type_sample'
import { anAdministratorOf, anApplication, signedIn, superAdmin } from '#tests/helpers/people'
import { aType } from '#tests/helpers/templates'

const FIRST = { name: 'First order', data: { order: { number: 'A-17' }, items: [1, null, 'ž'] } }
const LONG = { name: 'Long names', data: { name: 'Wolfeschlegelsteinhausenbergerdorff' } }

const pathOf = ({ code }: Application, type: { code: string }) =>
  `/api/admin/notifications/types/${code}/${type.code}/samples`

async function aPath() {
  const application = await anApplication()
  const type = await aType(application)
  return { application, type, path: pathOf(application, type) }
}

test.group('Sample data of a notification type', () => {
  test('is none at first, and is replaced as a whole, in the order sent', async ({
    assert,
    client,
  }) => {
    const { path } = await aPath()
    const admin = superAdmin(client)
    assert.deepEqual((await admin.get(path)).body().data, [])
    for (const samples of [[LONG, FIRST], [FIRST, LONG], [FIRST], []]) {
      const saved = await admin.put(path, { samples })
      saved.assertStatus(200)
      assert.deepEqual(saved.body().data, samples)
      const read = await admin.get(path)
      assert.deepEqual(read.body().data, samples)
      assert.equal(read.header('etag'), saved.header('etag'))
    }
  })

  test('belongs to one type', async ({ assert, client }) => {
    const { application, path } = await aPath()
    const other = pathOf(application, await aType(application))
    const admin = superAdmin(client)
    await admin.put(path, { samples: [FIRST] })
    await admin.put(other, { samples: [{ ...FIRST, data: {} }] })
    assert.deepEqual((await admin.get(path)).body().data, [FIRST])
  })

  test('is refused if it is too much, twice the same name, or no object', async ({
    assert,
    client,
  }) => {
    const { path } = await aPath()
    const admin = superAdmin(client)
    await admin.put(path, { samples: [FIRST] })
    const many = Array.from({ length: 21 }, (_, n) => ({ name: `Sample ${n}`, data: {} }))
    const bytes = (n: number) => ({ name: 'Big', data: { a: 'x'.repeat(n - '{"a":""}'.length) } })
    const refused = [
      many,
      [FIRST, { ...LONG, name: FIRST.name }],
      [bytes(16_385)],
      ...[[], 'text', null, 1].map((data) => [{ name: 'Odd', data }]),
      ...['', ' Blank', 'Blank ', 'Two  spaces', 'Two\nlines', 'x'.repeat(101), 7].map((name) => [
        { name, data: {} },
      ]),
    ]
    for (const samples of refused) {
      const response = await admin.put(path, { samples })
      response.assertProblem(400, 'VALIDATION_ERROR')
    }
    assert.deepEqual((await admin.get(path)).body().data, [FIRST])
    const accepted = await admin.put(path, { samples: [...many.slice(0, 19), bytes(16_384)] })
    accepted.assertStatus(200)
  })

  test('can have any name', async ({ assert, client }) => {
    const { path } = await aPath()
    const admin = superAdmin(client)
    const samples = ['__proto__', 'constructor', 'createdAt', 'Žluťoučký kůň', 'first order'].map(
      (name) => ({ name, data: {} })
    )
    for (const stored of [samples, samples.toReversed()]) {
      const saved = await admin.put(path, { samples: stored })
      saved.assertStatus(200)
      assert.deepEqual((await admin.get(path)).body().data, stored)
    }
  })

  test('is in the audit trail, the changed ones only', async ({ assert, client }) => {
    const { application, path, type } = await aPath()
    const admin = superAdmin(client)
    await admin.put(path, { samples: [FIRST, LONG] })
    await admin.put(path, { samples: [FIRST, { ...LONG, data: {} }] })
    const [, entry] = await AuditEntry.query()
      .where({ application: application.code, action: 'notification_type.samples_replaced' })
      .orderBy('id')
    assert.equal(entry.targetLabel, type.code)
    assert.deepEqual(JSON.parse(entry.stateBefore!), { [LONG.name]: LONG.data })
    assert.deepEqual(JSON.parse(entry.stateAfter!), { [LONG.name]: {} })
  })

  test('is deleted with its type', async ({ assert, client }) => {
    const { application, path, type } = await aPath()
    const admin = superAdmin(client)
    await admin.put(path, { samples: [FIRST] })
    const one = `/api/admin/notifications/types/${application.code}/${type.code}`
    const preview = await admin.delete(`${one}?dryRun=true`)
    assert.deepInclude(preview.body().data.deletes, {
      kind: 'sample_data',
      count: 1,
      names: [FIRST.name],
    })
    ;(await admin.delete(one)).assertStatus(204)
    assert.isEmpty(await NotificationTypeSample.findManyBy('notificationTypeId', type.id))
    const gone = await admin.get(path)
    gone.assertProblem(404, 'NOTIFICATION_TYPE_NOT_FOUND')
  })

  test('of system types is changed by global panel admins only', async ({ client }) => {
    const { application, type, path } = await aPath()
    await type.merge({ system: true }).save()
    const admin = signedIn(client, await anAdministratorOf(application))
    ;(await admin.get(path)).assertStatus(200)
    const refused = await admin.put(path, { samples: [FIRST] })
    refused.assertProblem(403, 'SYSTEM_TYPE')
    ;(await superAdmin(client).put(path, { samples: [FIRST] })).assertStatus(200)
  })
})
