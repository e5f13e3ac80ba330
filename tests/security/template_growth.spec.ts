import { test } from '@japa/runner'
import NotificationTemplate from '#app/notifications/models/notification_template'
import NotificationType from '#app/notifications/models/notification_type'
import { postInternalNotification } from '#tests/helpers/deliveries'
import { anApplication, superAdmin } from '#tests/helpers/people'
import { aTemplate, aType } from '#tests/helpers/templates'

const MAX_ROWS = 500
const MAX_BYTES = 16_384
const ROOT = '/api/admin/notifications'

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number)

test.group('Notification types of an application', () => {
  test('are at most 500, even if many are added at once', async ({ client, assert }) => {
    const { id: applicationId, code } = await anApplication()
    const [{ $extras }] = await NotificationType.query()
      .where({ applicationId })
      .count('* as total')
    const missing = numbers(MAX_ROWS - 3 - Number($extras.total))
    await NotificationType.createMany(
      missing.map((number) => ({ applicationId, code: `t${number}`, name: 'A type' }))
    )
    const admin = superAdmin(client)
    const responses = await Promise.all(
      numbers(8).map((number) =>
        admin.post(`${ROOT}/types/${code}`, { code: `another-${number}`, name: 'Another' })
      )
    )
    const refused = responses.filter((response) => response.status() !== 201)
    assert.lengthOf(refused, 5)
    for (const response of refused) {
      response.assertProblem(409, 'TOO_MANY_NOTIFICATION_TYPES', { limit: MAX_ROWS })
    }
    assert.lengthOf((await admin.get(`${ROOT}/types/${code}`)).body().data, MAX_ROWS)

    const deleted = await admin.delete(`${ROOT}/types/${code}/t0`)
    deleted.assertStatus(204)
    const again = await admin.post(`${ROOT}/types/${code}`, { code: 'room', name: 'Room' })
    again.assertStatus(201)
    await aType(await anApplication())
  })
})

test.group('Templates of an application', () => {
  test('are at most 500 in all its types, even if many are added at once', async ({
    client,
    assert,
  }) => {
    const application = await anApplication()
    const [one, other] = [await aType(application), await aType(application)]
    await NotificationTemplate.createMany(
      numbers(MAX_ROWS - 3).map((number) => ({
        notificationTypeId: number % 2 ? one.id : other.id,
        key: `t${number}`,
        name: 'A template',
        variables: [],
      }))
    )
    const path = (type: { code: string }) => `/types/${application.code}/${type.code}/templates`
    const responses = await Promise.all(
      numbers(8).map(async (number) => {
        const body = { key: `another-${number}`, name: 'Another' }
        return number % 2
          ? postInternalNotification(client, path(one), body)
          : superAdmin(client).post(`${ROOT}${path(other)}`, body)
      })
    )
    const refused = responses.filter((response) => response.status() !== 201)
    assert.lengthOf(refused, 5)
    for (const response of refused) {
      response.assertProblem(409, 'TOO_MANY_TEMPLATES', { limit: MAX_ROWS })
    }
    const list = await superAdmin(client).get(`${ROOT}/templates/${application.code}`)
    assert.lengthOf(list.body().data, MAX_ROWS)
    await aTemplate(await anApplication(), { code: 'generic' })
  })

  test('have at most 16 KiB of variables', async ({ client }) => {
    const application = await anApplication()
    const variables = (bytes: number) => {
      const fixed = JSON.stringify(numbers(128).map(() => ({ key: '', required: false }))).length
      const rest = bytes - fixed
      const length = (number: number) => Math.floor((rest + number) / 128)
      return numbers(128).map((number) => ({
        key: `${'v'.repeat(length(number) - 3)}${String(number).padStart(3, '0')}`,
        required: false,
      }))
    }
    const path = `${ROOT}/types/${application.code}/generic/templates`
    const largest = variables(MAX_BYTES)
    const created = await superAdmin(client).post(path, { key: 'a', name: 'A', variables: largest })
    created.assertStatus(201)
    const field = { errors: [{ field: 'variables', rule: 'maxBytes' }] }
    const tooMany = { key: 'b', name: 'B', variables: variables(MAX_BYTES + 1) }
    const refused = await superAdmin(client).post(path, tooMany)
    refused.assertProblem(400, 'VALIDATION_ERROR', field)
    const changed = await superAdmin(client).put(`${ROOT}/templates/${created.body().data.id}`, {
      variables: tooMany.variables,
    })
    changed.assertProblem(400, 'VALIDATION_ERROR', field)
  })
})
