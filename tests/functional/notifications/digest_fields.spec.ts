import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import type Application from '#app/applications/models/application'
import { aTemplate, aType, sendNotification } from '#tests/helpers/deliveries'
import { aDigestedType, digestsOf, reachDigests, sendDigested } from '#tests/helpers/digests'
import { anotherService } from '#tests/helpers/internal'
import { anApplication, signedIn, superAdmin, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { smtp } from '#tests/world/prepare'

const typesPath = ({ code }: Application) => `/api/admin/notifications/types/${code}`
const PREFERENCES = '/api/profile/me/notifications/preferences'
const DIGEST = {
  subject: '{{count}} orders',
  body: '{{#items}}<p>{{subject}} {{when}} {{createdAt}}</p>{{/items}}',
}

test.group('The digests of a type', () => {
  test('are set as a whole, with defaults, and refused if they make no sense', async ({
    assert,
    client,
  }) => {
    const application = await anApplication()
    const admin = superAdmin(client)
    const created = await admin.post(typesPath(application), {
      code: uniqueCode('type'),
      name: 'Orders',
      digest: { allowed: ['weekly', 'daily'] },
    })
    created.assertStatus(201)
    const { digest, code } = created.body().data
    assert.deepEqual(digest, { allowed: ['daily', 'weekly'], default: 'off', templateKey: null })
    const path = `${typesPath(application)}/${code}`
    const refused = [
      [{ allowed: [] }, 'digest.allowed'],
      [{ allowed: ['monthly'] }, 'digest.allowed.0'],
      [{ allowed: ['daily', 'daily'] }, 'digest.allowed'],
      [{ allowed: ['daily'], default: 'hourly' }, 'digest.default'],
      [{ allowed: ['daily'], default: 'never' }, 'digest.default'],
      [{}, 'digest.allowed'],
    ] as const
    for (const [wrong, field] of refused) {
      const response = await admin.put(path, { digest: wrong })
      response.assertProblem(400, 'VALIDATION_ERROR')
      assert.equal(response.body().details.errors[0].field, field)
    }
    const unknown = await admin.put(path, { digest: { allowed: ['daily'], templateKey: 'none' } })
    unknown.assertProblem(400, 'UNKNOWN_TEMPLATE')
    assert.deepEqual(unknown.body().details.available, [])
    const early = await admin.post(typesPath(application), {
      code: uniqueCode('type'),
      name: 'New',
      digest: { allowed: ['daily'], templateKey: 'none' },
    })
    early.assertProblem(400, 'UNKNOWN_TEMPLATE')
    const same = await admin.put(path, { name: 'Renamed' })
    assert.deepEqual(same.body().data.digest, digest)
    const none = await admin.put(path, { digest: null })
    assert.isNull(none.body().data.digest)
    const system = await aType(application, { system: true })
    const locked = await admin.put(`${typesPath(application)}/${system.code}`, { digest })
    locked.assertProblem(409, 'TYPE_PROTECTED')
  })

  test('use a template of the type, which no other send chooses and nobody deletes', async ({
    assert,
    client,
  }) => {
    const application = await anApplication()
    const type = await aType(application)
    const usual = await aTemplate(type, { en: { subject: 'Order {{number}}', body: 'Thanks' } })
    const template = await aTemplate(type, { en: DIGEST, cs: { ...DIGEST, subject: '{{count}}×' } })
    const admin = superAdmin(client)
    const digest = { allowed: ['daily'], default: 'daily', templateKey: template.key }
    const path = `${typesPath(application)}/${type.code}`
    const saved = await admin.put(path, { digest })
    assert.deepEqual(saved.body().data.digest, digest)
    const email = uniqueEmail()
    await sendDigested(client, { application, type }, email, { number: 1 })
    await sendDigested(client, { application, type }, email, { number: 2 })
    await reachDigests(email)
    const [{ parsed }] = smtp.mailsTo(email)
    assert.equal(parsed.subject, '2 orders')
    assert.match(parsed.text!, /Order 2[^]*Order 1/)
    const [entry] = await digestsOf(email)
    assert.containSubset(entry.serialize(), { templateKey: template.key, templateSource: 'panel' })

    const preview = await admin.post(
      `/api/admin/notifications/templates/${template.id}/locales/en/preview`,
      { data: { count: 1, items: [{ subject: '<Order 3>', when: 'now' }] } }
    )
    assert.equal(preview.body().data.subject, '1 orders')
    assert.include(preview.body().data.html, '&lt;Order 3&gt; now')

    const templatePath = `/api/admin/notifications/templates/${template.id}`
    const refused = await admin.delete(templatePath)
    refused.assertProblem(409, 'TEMPLATE_IN_USE')
    const internalPath = `/api/internal/notifications/templates/${template.id}`
    const refusedToServer = await anotherService(client).delete(internalPath)
    refusedToServer.assertProblem(409, 'TEMPLATE_IN_USE')
    const other = await admin.delete(`/api/admin/notifications/templates/${usual.id}`)
    other.assertStatus(204)
    await admin.put(path, { digest: { ...digest, templateKey: null } })
    const deleted = await admin.delete(templatePath)
    deleted.assertStatus(204)
  })
})

test.group('The digest of a user', () => {
  const put = (client: ApiClient, email: string, path: string, body: object) =>
    signedIn(client, email).put(`${PREFERENCES}/${path}`, body)

  test('is one that the type allows', async ({ assert, client }) => {
    const application = await anApplication()
    const type = await aDigestedType(application, { allowed: ['daily'], default: 'daily' })
    const email = uniqueEmail()
    const { id } = type
    const off = await put(client, email, `${id}`, { digest: 'off' })
    off.assertStatus(200)
    const choices = ['off', 'daily']
    assert.containSubset(off.body().response, {
      email: true,
      digest: 'off',
      digestChoices: choices,
    })
    const message = { recipientEmail: email, appCode: application.code, type: type.code }
    const sent = await sendNotification(client, { ...message, data: { subject: 'S', body: 'B' } })
    assert.equal(sent.body().data.status, 'sent')
    const weekly = await put(client, email, `${id}`, { digest: 'weekly' })
    weekly.assertProblem(400, 'DIGEST_NOT_ALLOWED')
    assert.deepEqual(weekly.body().details, { notificationTypeId: id, available: choices })
    const never = await put(client, email, `${id}`, { digest: 'never' })
    never.assertProblem(400, 'VALIDATION_ERROR')
    const switched = await put(client, email, `${id}`, { push: false })
    assert.containSubset(switched.body().response, { push: false, digest: 'off' })
    await type.merge({ digest: { ...type.digest!, default: 'off' } }).save()
    const other = uniqueEmail()
    const chosen = await put(client, other, `${id}`, { digest: 'daily' })
    assert.containSubset(chosen.body().response, { email: true, push: true, digest: 'daily' })
  })

  test('changes with others or not at all, and cannot be locked away', async ({
    assert,
    client,
  }) => {
    const application = await anApplication()
    const [one, two] = [await aDigestedType(application), await aType(application)]
    const email = uniqueEmail()
    const bulk = (...digests: string[]) =>
      put(client, email, 'bulk', {
        updates: [one, two].map(({ id }, index) => ({
          notificationTypeId: id,
          digest: digests[index],
        })),
      })
    const refused = await bulk('hourly', 'daily')
    refused.assertProblem(400, 'DIGEST_NOT_ALLOWED')
    const list = async () => {
      const path = `/api/profile/me/notifications/${application.code}`
      const response = await signedIn(client, email).get(path)
      const items: { code: string; digest: string }[] = response.body().response
      return items.find(({ code }) => code === one.code)!.digest
    }
    assert.equal(await list(), 'daily')
    const changed = await bulk('hourly', 'off')
    changed.assertStatus(200)
    assert.equal(await list(), 'hourly')
    await one.merge({ userCanDisable: false }).save()
    const locked = await put(client, email, `${one.id}`, { digest: 'off' })
    locked.assertProblem(403, 'PREFERENCE_LOCKED')
    assert.equal(await list(), 'daily')
  })
})
