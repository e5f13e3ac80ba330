import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import { DateTime } from 'luxon'
import Delivery from '#app/delivery/models/delivery'
import LoginRecord, { type LoginEvent } from '#app/profiles/models/login_record'
import type Application from '#app/applications/models/application'
import { aNotification } from '#tests/helpers/inbox'
import { panelPerson } from '#tests/helpers/panel_people'
import {
  anApplication,
  anAdministratorOf,
  anOldApplication,
  signedIn,
  superAdmin,
  uniqueCode,
  uniqueEmail,
} from '#tests/helpers/people'

const PATH = '/api/admin/activity'

interface Day {
  date: string
  checks: number
  deliveries: number
  failures: number
  logins: number
}

const today = () => DateTime.utc().startOf('day')
const dateOf = (ago: number) => today().minus({ days: ago }).toISODate()!

const addChecks = ({ id }: Application, ago: number, count: number) =>
  db.table('check_counts').insert({ application_id: id, day: dateOf(ago), count })

const addLogin = (
  { code: appCode }: Application,
  occurredAt: DateTime,
  event: LoginEvent = 'login'
) => LoginRecord.create({ email: uniqueEmail(), appCode, event, source: 'frontend', occurredAt })

async function addDeliveries(
  { code: appCode }: Application,
  createdAt: DateTime,
  ...statuses: ('sent' | 'failed')[]
) {
  const { id: notificationId } = await aNotification(uniqueEmail(), { appCode, createdAt })
  await Delivery.createMany(
    statuses.map((status) => ({ notificationId, channel: 'email' as const, status, attempts: 1 }))
  )
}

async function activityOf(client: ApiClient, email: string, query = '') {
  const response = await signedIn(client, email).get(PATH + query)
  response.assertStatus(200)
  return response.body().data as Day[]
}

const sumOf = (days: Day[], figure: Exclude<keyof Day, 'date'>) =>
  days.reduce((sum, day) => sum + day[figure], 0)

test.group('Activity', () => {
  test('lists every UTC day, the last one today', async ({ client, assert }) => {
    const application = await anOldApplication()
    const { code } = application
    const days = await superAdmin(client).get(`${PATH}?appCode=${code}`)
    days.assertStatus(200)
    assert.deepEqual(
      days.body().data,
      Array.from({ length: 30 }, (_, index) => ({
        date: dateOf(29 - index),
        checks: 0,
        deliveries: 0,
        failures: 0,
        logins: 0,
      }))
    )
    const one = await superAdmin(client).get(`${PATH}?appCode=${code}&days=1`)
    assert.lengthOf(one.body().data, 1)
    const most = await superAdmin(client).get(`${PATH}?appCode=${code}&days=90`)
    assert.equal(most.body().data[0].date, dateOf(89))
  })

  test('counts checks, deliveries and logins on their day', async ({ client, assert }) => {
    const application = await anOldApplication()
    const admin = await anAdministratorOf(application)
    await addChecks(application, 0, 5_000_000_000)
    await addChecks(application, 2, 3)
    await addChecks(application, 3, 100)
    await addDeliveries(application, today(), 'sent', 'failed')
    await addDeliveries(application, today().minus({ milliseconds: 1 }), 'failed')
    await addDeliveries(application, today().minus({ days: 2, milliseconds: 1 }), 'sent')
    await addDeliveries(application, today())
    await addLogin(application, today().minus({ days: 2 }))
    await addLogin(application, today().minus({ days: 2 }).endOf('day'))
    await addLogin(application, today().minus({ days: 2, milliseconds: 1 }))
    await addLogin(application, today(), 'logout')
    const days = await activityOf(client, admin, `?appCode=${application.code}&days=3`)
    assert.deepEqual(days, [
      { date: dateOf(2), checks: 3, deliveries: 0, failures: 0, logins: 2 },
      { date: dateOf(1), checks: 0, deliveries: 1, failures: 1, logins: 0 },
      { date: dateOf(0), checks: 5_000_000_000, deliveries: 2, failures: 1, logins: 0 },
    ])
  })

  test('covers the applications that the caller can see, and no others', async ({
    client,
    assert,
  }) => {
    const [shown, viewed, hidden] = [
      await anOldApplication(),
      await anOldApplication(),
      await anOldApplication(),
    ]
    const email = await panelPerson(client, { [shown.code]: 'edit', [viewed.code]: 'view' })
    for (const [application, count] of [
      [shown, 1],
      [viewed, 10],
      [hidden, 100],
    ] as const) {
      await addChecks(application, 0, count)
      await addLogin(application, today())
      await addDeliveries(application, today(), 'sent')
    }
    const days = await activityOf(client, email)
    assert.equal(sumOf(days, 'checks'), 11)
    assert.equal(sumOf(days, 'logins'), 2)
    assert.equal(sumOf(days, 'deliveries'), 2)
    const one = await activityOf(client, email, `?appCode=${viewed.code}`)
    assert.equal(sumOf(one, 'checks'), 10)
    const all = await activityOf(client, await panelPerson(client, {}, { globally: 'view' }))
    assert.isAtLeast(sumOf(all, 'checks'), 111)
    for (const code of [hidden.code, uniqueCode(), 'auth', '']) {
      const refused = await signedIn(client, email).get(`${PATH}?appCode=${code}`)
      refused.assertProblem(403, 'FORBIDDEN')
    }
    const missing = await superAdmin(client).get(`${PATH}?appCode=${uniqueCode()}`)
    missing.assertProblem(404, 'APPLICATION_NOT_FOUND')
  })

  test('leaves out what an earlier application with the same code did', async ({
    client,
    assert,
  }) => {
    const application = await anApplication()
    await addLogin(application, today().minus({ days: 1 }))
    await addDeliveries(application, today().minus({ days: 1 }), 'failed')
    const days = await activityOf(client, await anAdministratorOf(application))
    for (const figure of ['logins', 'deliveries', 'failures'] as const) {
      assert.equal(sumOf(days, figure), 0)
    }
  })

  test('refuses days that are not between 1 and 90', async ({ client }) => {
    for (const days of ['0', '91', '-1', '1.5', 'all', '']) {
      const response = await superAdmin(client).get(`${PATH}?days=${days}`)
      response.assertProblem(400, 'VALIDATION_ERROR')
    }
  })
})
