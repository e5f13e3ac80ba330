import { test } from '@japa/runner'
import { aTemplate, aType, notificationRecordOf } from '#tests/helpers/deliveries'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueEmail,
} from '#tests/helpers/people'
import { smtp } from '#tests/world/prepare'

async function aVersion() {
  const application = await anApplication()
  const type = await aType(application, { emailEnabled: false })
  const template = await aTemplate(
    type,
    {
      en: { subject: 'Hello {{who}}', body: '<p>{{who}}</p>' },
      cs: { subject: 'Ahoj {{who}}', body: '<p>{{who}}</p>' },
    },
    { variables: [{ key: 'who', required: true }] }
  )
  const path = (locale: string) =>
    `/api/admin/notifications/templates/${template.id}/locales/${locale}/test`
  return { application, path }
}

test.group('Test sends of a template', () => {
  test('send the language version to the caller and record it', async ({ assert, client }) => {
    const { application, path } = await aVersion()
    const email = await anAdministratorOf(application)
    const response = await signedIn(client, email).post(path('cs'), { data: { who: 'Ada' } })
    response.assertStatus(200)
    const { id, ...rest } = response.body().data
    assert.deepEqual(rest, { status: 'sent', statusReason: null })
    assert.deepEqual(
      smtp.mailsTo(email).map(({ parsed }) => parsed.subject),
      ['Ahoj Ada']
    )
    const { notification, deliveries } = await notificationRecordOf(id)
    assert.containSubset(notification, { email, locale: 'cs', status: 'sent', inInbox: false })
    assert.containSubset(deliveries, [{ channel: 'email', status: 'sent', attempts: 1 }])
  })

  test('list missing variables', async ({ assert, client }) => {
    const { application, path } = await aVersion()
    const email = await anAdministratorOf(application)
    const response = await signedIn(client, email).post(path('en'), {})
    response.assertProblem(400, 'MISSING_TEMPLATE_VARIABLES', { missing: ['who'] })
    const unknown = await signedIn(client, email).post(path('fr'), { data: { who: 'x' } })
    unknown.assertProblem(404, 'TEMPLATE_VERSION_NOT_FOUND')
    const list = await signedIn(client, email).post(path('en'), { data: [] })
    list.assertProblem(400, 'VALIDATION_ERROR')
    assert.isEmpty(smtp.mailsTo(email))
  })

  test('require the panel level edit', async ({ client }) => {
    const { path } = await aVersion()
    const stranger = await anAdministratorOf(await anApplication())
    for (const email of [uniqueEmail(), stranger]) {
      const response = await signedIn(client, email).post(path('en'), { data: { who: 'x' } })
      response.assertProblem(404, 'TEMPLATE_NOT_FOUND')
    }
    const response = await client.post(path('en')).json({})
    response.assertProblem(401, 'UNAUTHENTICATED')
    const allowed = await superAdmin(client).post(path('en'), { data: { who: 'x' } })
    allowed.assertStatus(200)
  })
})
