import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { DateTime } from 'luxon'
import { isoTimestamp } from '#core/values/iso_timestamp'
import Application from '#app/applications/models/application'
import Instance from '#app/applications/models/instance'
import Delivery from '#app/delivery/models/delivery'
import Permission from '#app/permissions/models/permission'
import NotificationProvider from '#app/identity_provider/models/notification_provider'
import { aKeyOf } from '#tests/helpers/application_keys'
import { withOwnServer } from '#tests/helpers/deliveries'
import { aNotification } from '#tests/helpers/inbox'
import { manageApplication } from '#tests/helpers/management'
import { panelPerson } from '#tests/helpers/panel_people'
import { findPendingSend, sendDurably } from '#tests/helpers/pending_sends'
import {
  anAdministratorOf,
  anApplication,
  anOldApplication,
  signedIn,
  superAdmin,
  uniqueCode,
  uniqueEmail,
} from '#tests/helpers/people'
import { sameDatabase } from '#tests/helpers/same_database'
import { startService } from '#tests/world/service'
import { TestSmtpServer } from '#tests/world/smtp_server'

const PATH = '/api/admin/attention'

interface Item {
  kind: string
  appCode: string | null
  count: number | null
}

async function attentionOf(client: ApiClient, email: string, query = '') {
  const response = await signedIn(client, email).get(PATH + query)
  response.assertStatus(200)
  return response.body().data as Item[]
}

async function aFailedDelivery(appCode: string, createdAt: DateTime) {
  const { id: notificationId } = await aNotification(uniqueEmail(), { appCode, createdAt })
  const delivery = { notificationId, channel: 'email', status: 'failed', attempts: 1 } as const
  await Delivery.create(delivery)
}

/** An application in which everything needs attention. */
async function aNeglectedApplication(client: ApiClient) {
  const application = await anOldApplication()
  const { code } = application
  const now = DateTime.utc()
  const manage = manageApplication(client, code)
  await manage.permission()
  const denied = await manage.permission()
  await manage.overrides(
    uniqueEmail(),
    ['order', '1'],
    [{ permissionId: denied.id, granted: false }]
  )
  const instance = await manage.instance()
  await Instance.query().where('id', instance.id).update({ approved: false })
  await aKeyOf(application, now.minus({ minutes: 1 }))
  await aKeyOf(application, now.plus({ days: 7 }).minus({ minutes: 1 }))
  await aKeyOf(application, now.plus({ days: 7, minutes: 1 }))
  await aKeyOf(application)
  await aFailedDelivery(code, now.minus({ hours: 23 }))
  await aFailedDelivery(code, now)
  await aFailedDelivery(code, now.minus({ hours: 25 }))
  const role = await manage.role()
  for (const days of [-1, 6, 8]) {
    await manage.temporaryRole(uniqueEmail(), role.id, isoTimestamp(now.plus({ days })))
  }
  const seen = [
    { kind: 'grants_ending', appCode: code, count: 1 },
    { kind: 'instances_unapproved', appCode: code, count: 1 },
    { kind: 'permissions_unassigned', appCode: code, count: 2 },
  ]
  const all = [
    { kind: 'deliveries_failed', appCode: code, count: 2 },
    { kind: 'keys_expired', appCode: code, count: 1 },
    { kind: 'keys_expiring', appCode: code, count: 1 },
    ...seen,
  ]
  return { application, code, all, toViewers: [all[0], ...seen] }
}

test.group('Attention', () => {
  test('lists what an application is missing, the most urgent first', async ({
    client,
    assert,
  }) => {
    const { application, code, all, toViewers } = await aNeglectedApplication(client)
    const admin = await anAdministratorOf(application)
    assert.deepEqual(await attentionOf(client, admin), all)
    assert.deepEqual(await attentionOf(client, admin, `?appCode=${code}`), all)
    const viewer = await panelPerson(client, { [code]: 'view' })
    assert.deepEqual(await attentionOf(client, viewer), toViewers, 'without keys')
  })

  test('is empty if nothing is missing', async ({ client, assert }) => {
    const application = await anApplication()
    const { code } = application
    const manage = manageApplication(client, code)
    const [byRole, byOverride] = [await manage.permission(), await manage.permission()]
    const role = await manage.role()
    await manage.rolePermissions(role.id, [{ permissionId: byRole.id, accessLevel: 'allowed' }])
    const granted = { permissionId: byOverride.id, granted: true }
    await manage.overrides(uniqueEmail(), ['order', '1'], [granted])
    await manage.instance()
    await aKeyOf(application)
    await aFailedDelivery(code, DateTime.utc().minus({ hours: 1 }))
    assert.deepEqual(
      await attentionOf(client, await anAdministratorOf(application)),
      [],
      'deliveries of an earlier application with the same code are not its own'
    )
  })

  test('covers the applications that the caller can see, and no others', async ({
    client,
    assert,
  }) => {
    const [one, other, hidden] = [
      await aNeglectedApplication(client),
      await aNeglectedApplication(client),
      await aNeglectedApplication(client),
    ]
    const email = await panelPerson(client, { [one.code]: 'view', [other.code]: 'edit' })
    const items = await attentionOf(client, email)
    assert.sameDeepMembers(items, [...one.toViewers, ...other.all])
    assert.deepEqual(await attentionOf(client, email, `?appCode=${one.code}`), one.toViewers)
    for (const code of [hidden.code, uniqueCode(), 'auth', '']) {
      const refused = await signedIn(client, email).get(`${PATH}?appCode=${code}`)
      refused.assertProblem(403, 'FORBIDDEN')
    }
    const missing = await superAdmin(client).get(`${PATH}?appCode=${uniqueCode()}`)
    missing.assertProblem(404, 'APPLICATION_NOT_FOUND')
  })

  test('has at most 100 entries', async ({ client, assert }) => {
    const codes = Array.from({ length: 101 }, () => uniqueCode())
    const applications = await Application.createMany(
      codes.map((code) => ({ code, name: code, supportedLanguages: [] }))
    )
    await Permission.createMany(
      applications.map(({ id }) => ({ applicationId: id, code: 'orders', type: 'binary' as const }))
    )
    const items = await attentionOf(client, superAdmin(client).email)
    assert.lengthOf(items, 100)
  })

  test('shows global panel admins what the platform is missing', async ({
    client,
    assert,
    cleanup,
  }) => {
    const email = uniqueEmail()
    const server = await new TestSmtpServer().start()
    cleanup(() => server.stop())
    await withOwnServer(email, server)
    server.react = () => 451
    const { id } = await sendDurably(client, email)
    const pending = (await findPendingSend(id))!
    await pending.merge({ dueAt: DateTime.utc().minus({ minutes: 11 }) }).save()
    cleanup(() => pending.delete())
    const service = await startService({
      ...sameDatabase(),
      SMTP_PORT: '1',
      QUEUE_IN_SERVICE: 'false',
    })
    cleanup(async () => void (await service.stop()))
    await NotificationProvider.query().delete()

    const kindsFor = async (person: string, query = '') => {
      const response = await signedIn(client, person).get(service.url + PATH + query)
      response.assertStatus(200)
      const items: Item[] = response.body().data
      return items.filter(({ appCode }) => appCode === null).map(({ kind }) => kind)
    }
    const { email: everything } = superAdmin(client)
    const platform = ['smtp_unreachable', 'provider_mails_not_set_up', 'sends_waiting']
    assert.deepEqual(await kindsFor(everything), platform)
    const global = await panelPerson(client, {}, { globally: 'edit' })
    assert.deepEqual(await kindsFor(global), ['smtp_unreachable', 'sends_waiting'])
    assert.deepEqual(await kindsFor(everything, '?appCode=auth'), [])
    const viewer = await panelPerson(client, {}, { globally: 'view' })
    assert.deepEqual(await kindsFor(viewer), [])
  }).timeout(60_000)
})
