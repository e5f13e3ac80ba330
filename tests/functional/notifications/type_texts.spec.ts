import { test } from '@japa/runner'
import NotificationType from '#app/notifications/models/notification_type'
import { anApplication, signedIn, uniqueCode, uniqueEmail } from '#tests/helpers/people'

test.group('Texts of notification types', () => {
  test('are a flat map of the titles and descriptions of all types', async ({ client }) => {
    const { id: applicationId, code } = await anApplication()
    await NotificationType.create({
      applicationId,
      code: 'order.shipped',
      name: 'Order shipped',
      description: 'Sent when a parcel leaves',
    })
    await NotificationType.create({
      applicationId,
      code: 'order.lost',
      name: 'Ztracená zásilka',
      description: '',
    })
    // Any valid token is enough: this user has no permissions.
    const response = await signedIn(client, uniqueEmail()).get(`/api/applications/${code}/i18n/en`)
    response.assertStatus(200)
    response.assertBody({
      code: 'OK',
      response: {
        'notifications.types.generic.title': 'Generic',
        'notifications.types.order.shipped.title': 'Order shipped',
        'notifications.types.order.shipped.description': 'Sent when a parcel leaves',
        'notifications.types.order.lost.title': 'Ztracená zásilka',
        'notifications.types.order.lost.description': '',
      },
    })
  })

  test('have no key for a missing description', async ({ client, assert }) => {
    const { code } = await anApplication()
    const response = await signedIn(client, uniqueEmail()).get(`/api/applications/${code}/i18n/en`)
    assert.deepEqual(Object.keys(response.body().response), ['notifications.types.generic.title'])
  })

  test('contain only the types of the application', async ({ client, assert }) => {
    const [mine, other] = [await anApplication(), await anApplication()]
    await NotificationType.create({ applicationId: other.id, code: 'theirs', name: 'Theirs' })
    const response = await signedIn(client, uniqueEmail()).get(
      `/api/applications/${mine.code}/i18n/en`
    )
    assert.notProperty(response.body().response, 'notifications.types.theirs.title')
  })

  test('are the same for every locale: {$self}')
    .with(['cs', 'cs-CZ', 'xx', '%E2%98%83'])
    .run(async ({ client }, locale) => {
      const { code } = await anApplication()
      const path = `/api/applications/${code}/i18n/${locale}`
      const response = await signedIn(client, uniqueEmail()).get(path)
      response.assertStatus(200)
      response.assertBody({
        code: 'OK',
        response: { 'notifications.types.generic.title': 'Generic' },
      })
    })

  test('require a token and an existing application', async ({ client }) => {
    const { code } = await anApplication()
    const anonymous = await client.get(`/api/applications/${code}/i18n/en`)
    anonymous.assertProblem(401, 'UNAUTHENTICATED')
    const unknown = await signedIn(client, uniqueEmail()).get(
      `/api/applications/${uniqueCode()}/i18n/en`
    )
    unknown.assertProblem(404, 'APPLICATION_NOT_FOUND')
  })
})
