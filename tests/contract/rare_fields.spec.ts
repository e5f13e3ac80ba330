import { test } from '@japa/runner'
import { saveAccessChange } from '#core/changes/access_changes'
import { transaction } from '#core/database/transaction'
import type { TypeDigest } from '#app/notifications/values/digest_frequency'
import { aNotification } from '#tests/helpers/inbox'
import { anotherService } from '#tests/helpers/internal'
import { anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { credentials } from '#tests/helpers/send'
import { aTemplate, aType } from '#tests/helpers/templates'

const textsOf = (word: string) => ({ subjectTemplate: word, bodyTemplate: `<p>${word}</p>` })

test.group('A rare field', () => {
  test('says who saved a revision, and what it restored', async ({ assert, client }) => {
    const template = await aTemplate(await anApplication(), { code: 'generic' })
    const path = `/notifications/templates/${template.id}/locales/en`
    const [admin, service] = [superAdmin(client), anotherService(client)]
    await admin.put(`/api/admin${path}`, textsOf('one'))
    await service.put(`/api/internal${path}`, textsOf('two'))
    const refused = await client
      .post(`/api/internal${path}/restore`)
      .headers({ ...(await credentials('internal')), 'if-match': '"outdated"' })
      .json({ revision: 1 })
    refused.assertStatus(412)
    const restored = await admin.post(`/api/admin${path}/restore`, { revision: 1 })
    restored.assertStatus(200)
    const byService = await admin.get(`/api/admin${path}/history/2`)
    assert.isString(byService.body().data.savedBy.name)
    const byAdmin = await admin.get(`/api/admin${path}/history/3`)
    assert.equal(byAdmin.body().data.savedBy.email, admin.email)
    assert.equal(byAdmin.body().data.restoredFrom, 1)
  })

  test('says which digests a type offers', async ({ assert, client }) => {
    const application = await anApplication()
    const digest: TypeDigest = { allowed: ['daily'], default: 'daily', templateKey: 'own' }
    const type = await aType(application)
    const { code } = type
    await aTemplate(application, type, { key: 'own' })
    await type.merge({ digest }).save()
    const admin = superAdmin(client)
    const types = `/api/admin/notifications/types/${application.code}`
    const shown = await admin.get(`${types}/${code}`)
    assert.deepEqual(shown.body().data.digest, digest)
    const changed = await admin.put(`${types}/${code}`, { name: 'Another' })
    assert.deepEqual(changed.body().data.digest, digest)
    const listings = [
      await admin.get(types),
      await anotherService(client).get(
        `/api/internal/notifications/types?appCode=${application.code}`
      ),
    ]
    for (const response of listings) {
      const listed: { code: string; digest: unknown }[] = response.body().data
      assert.deepEqual(listed.find((each) => each.code === code)!.digest, digest)
    }
    const exported = await admin.get(`/api/applications/${application.code}/policy`)
    const { notificationTypes } = exported.body().data
    assert.containSubset(notificationTypes, [{ code, digest }])
  })

  test('says which digest a mail was part of', async ({ assert, client }) => {
    const { code: appCode } = await anApplication()
    const digest = await aNotification(uniqueEmail(), { appCode, digestSize: 1 })
    const { id } = await aNotification(uniqueEmail(), { appCode, digestId: digest.id })
    for (const [each, found] of [
      [id, { digestId: digest.id, digestSize: null }],
      [digest.id, { digestId: null, digestSize: 1 }],
    ] as const) {
      const shown = [
        await superAdmin(client).get(`/api/admin/notifications/log/${appCode}/${each}`),
        await anotherService(client).get(`/api/internal/notifications/${each}`),
      ]
      for (const response of shown) assert.containSubset(response.body().data, found)
    }
  })

  test('says which mail suppressed an address', async ({ assert, client }) => {
    const email = uniqueEmail()
    const { code: appCode } = await anApplication()
    const { id } = await aNotification(email, { appCode })
    const report = { email, kind: 'hard', notificationId: id }
    const reported = await anotherService(client).post(
      '/api/internal/notifications/bounces',
      report
    )
    reported.assertStatus(200)
    const listed = await superAdmin(client).get('/api/admin/notifications/suppressions')
    const found = listed.body().data.find((one: { email: string }) => one.email === email)
    assert.equal(found.notificationId, id)
  })

  test('says that a type of a policy is urgent', async ({ assert, client }) => {
    const application = await anApplication()
    const type = await aType(application, { urgent: true })
    const exported = await superAdmin(client).get(`/api/applications/${application.code}/policy`)
    const types: { code: string; urgent?: boolean }[] = exported.body().data.notificationTypes
    assert.isTrue(types.find(({ code }) => code === type.code)?.urgent)
  })

  test('says which resources an access change is about', async ({ assert, client }) => {
    const { code: application } = await anApplication()
    const scope = { application, resourceType: 'document' }
    const revision = await transaction((trx) => saveAccessChange([scope], trx))
    const changes = await anotherService(client).get(
      `/api/internal/changes?after=${revision - 1}&limit=10`
    )
    assert.deepEqual(changes.body().data.events[0].scopes, [scope])
  })

  test('a schema that has not changed is 304', async ({ client }) => {
    const path = '/docs/schemas/application-policy.json'
    const etag = (await client.get(path)).header('etag')!
    const unchanged = await client.get(path).header('if-none-match', etag)
    unchanged.assertStatus(304)
  })
})
