import { test } from '@japa/runner'
import User from '#app/profiles/models/user'
import NotificationType from '#app/notifications/models/notification_type'
import { unsubscribeUrl } from '#app/notifications/values/unsubscribe_token'
import { anApplication, superAdmin } from '#tests/helpers/people'
import { aTemplate, aType, aVersion } from '#tests/helpers/templates'

const previewPath = ({ id }: { id: number }, locale = 'en') =>
  `/api/admin/notifications/templates/${id}/locales/${locale}/preview`

test.group('Preview of a language version', () => {
  test('shows the message as the caller would receive it', async ({ assert, client }) => {
    const application = await anApplication({ name: 'Shop' })
    const template = await aTemplate(application, { code: 'generic' })
    await aVersion(template, 'en', {
      subjectTemplate: '{{appName}}: {{order.number}} for {{userEmail}}',
      bodyTemplate: '<p>{{note}}</p>',
    })
    const admin = superAdmin(client)
    const response = await admin.post(previewPath(template), {
      data: { order: { number: 7 }, note: '<b>"x"</b>', appName: 'Evil', ignored: [1, 2] },
    })
    response.assertStatus(200)
    const { subject, html, text, missing, ...rest } = response.body().data
    assert.isEmpty(rest)
    assert.equal(subject, `Shop: 7 for ${admin.email}`)
    assert.include(html, '<p>&lt;b&gt;&quot;x&quot;&lt;/b&gt;</p>')
    const { id: typeId } = await NotificationType.findByOrFail({ applicationId: application.id })
    const { id: userId } = await User.withEmail(admin.email)
    const url = unsubscribeUrl(userId, typeId)
    assert.equal(text, `<b>"x"</b>\n\nUnsubscribe: ${url}`)
    assert.include(html, `<a href="${url}"`)
    assert.deepEqual(missing, [])
  })

  test('offers no link to unsubscribe where the mail has none', async ({ assert, client }) => {
    const application = await anApplication()
    const type = await aType(application, { userCanDisable: false })
    const template = await aTemplate(application, type)
    await aVersion(template, 'en')
    const response = await superAdmin(client).post(previewPath(template), { data: {} })
    assert.equal(response.body().data.text, 'Hello en')
    assert.notInclude(response.body().data.html, 'nsubscribe')
  })

  test('lists required variables that are absent, null or empty, and still renders', async ({
    assert,
    client,
  }) => {
    const variables = ['a', 'b', 'c', 'd', 'e.f', 'zero', 'no'].map((key) => ({
      key,
      required: key !== 'd',
    }))
    const template = await aTemplate(
      await anApplication(),
      { code: 'generic' },
      { variables: [...variables, { key: 'userName', required: true }] }
    )
    await aVersion(template, 'en', { subjectTemplate: '[{{a}}]' })
    const response = await superAdmin(client).post(previewPath(template), {
      data: { b: null, c: '', e: {}, zero: 0, no: false },
    })
    response.assertStatus(200)
    assert.deepEqual(response.body().data.missing, ['a', 'b', 'c', 'e.f'])
    assert.equal(response.body().data.subject, '[]')
  })

  test('accepts 10,000 variables and hostile keys', async ({ assert, client }) => {
    const template = await aTemplate(await anApplication(), { code: 'generic' })
    await aVersion(template, 'en', { subjectTemplate: '{{v9999}}|{{x}}|{{constructor.name}}' })
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`v${n}`, n]))
    const data = JSON.parse(JSON.stringify(many).replace('{', '{"__proto__":{"x":"polluted"},'))
    const response = await superAdmin(client).post(previewPath(template), { data })
    response.assertStatus(200)
    assert.equal(response.body().data.subject, '9999||')
  })

  test('returns 404 for an unknown version or template', async ({ client }) => {
    const template = await aTemplate(await anApplication(), { code: 'generic' })
    await aVersion(template, 'en')
    const admin = superAdmin(client)
    for (const locale of ['cs', 'xx', '*']) {
      const version = await admin.post(previewPath(template, locale), { data: {} })
      version.assertProblem(404, 'TEMPLATE_VERSION_NOT_FOUND')
    }
    const unknown = await admin.post(previewPath({ id: 2_000_000_000 }), { data: {} })
    unknown.assertProblem(404, 'TEMPLATE_NOT_FOUND')
  })

  test('rejects data that is not an object')
    .with(['text', 5, true, ['a']])
    .run(async ({ client }, data) => {
      const template = await aTemplate(await anApplication(), { code: 'generic' })
      await aVersion(template, 'en')
      const response = await superAdmin(client).post(previewPath(template), { data })
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'data' }] })
    })

  test('rejects data that makes the message too large', async ({ client }) => {
    const template = await aTemplate(await anApplication(), { code: 'generic' })
    await aVersion(template, 'en', { bodyTemplate: '{{x}}'.repeat(1_000) })
    const response = await superAdmin(client).post(previewPath(template), {
      data: { x: 'x'.repeat(10_000) },
    })
    response.assertProblem(400, 'RENDERED_TOO_LARGE')
  })
})
