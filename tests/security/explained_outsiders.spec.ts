import { test } from '@japa/runner'
import type { ApiClient, ApiResponse } from '@japa/api-client'
import type Application from '#app/applications/models/application'
import { addSuperAdmin } from '#app/permissions/actions/add_super_admin'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import Suppression from '#app/suppressions/models/suppression'
import { aKeyOf, aMessage, serverWith } from '#tests/helpers/application_keys'
import { insertPeople } from '#tests/helpers/broadcasts'
import { subscribe } from '#tests/helpers/deliveries'
import { manageApplication } from '#tests/helpers/management'
import { panelPerson } from '#tests/helpers/panel_people'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueEmail,
} from '#tests/helpers/people'
import { quietHoursNow } from '#tests/helpers/quiet_hours'
import { anotherService } from '#tests/helpers/internal'
import { Browser } from '#tests/world/push_service'

interface Explained {
  decision: string
  reason: string | null
  channels: string[]
  steps: { step: string; outcome: string; evidence: Record<string, unknown> }[]
}

/** What the explanation of a message to a stranger has. */
const ABOUT_MESSAGE = ['application', 'type', 'template', 'type', 'type', 'rendering']

interface ExplainedCheck {
  allowed: boolean
  decidedBy: number
  steps: { rule: number; evidence: { kind: string }[] }[]
  wouldAllow: { kind: string }[]
}

/** Someone of no application, suppressed, who reads Czech and has a browser and quiet hours. */
async function aStranger(fields: { active?: boolean } = {}) {
  const email = uniqueEmail('stranger')
  const user = await ensureUser({ email })
  await user.merge({ locale: 'cs', quietHours: quietHoursNow(), ...fields }).save()
  await Suppression.create({ email, reason: 'complaint' })
  await subscribe(email, new Browser('https://push.example'))
  return email
}

/** Someone who uses the application, suppressed as well. */
async function aUserOf(application: Application) {
  const email = uniqueEmail('user')
  await insertPeople(application, [email])
  await Suppression.create({ email, reason: 'complaint' })
  return email
}

const stepOf = ({ steps }: Explained, name: string) => steps.find(({ step }) => step === name)
const stepsOf = ({ steps }: Explained) => steps.map(({ step }) => step)

/** Without the address that was asked about. */
function neutral(response: ApiResponse, email: string) {
  response.assertStatus(200)
  return JSON.parse(response.text().replaceAll(email, 'someone')).data
}

test.group('An application key', () => {
  test('is explained sends to users of other applications as to new users', async ({
    assert,
    client,
  }) => {
    for (const membership of ['open', 'granted'] as const) {
      const application = await anApplication()
      await application.merge({ membership }).save()
      const server = serverWith(client, (await aKeyOf(application)).text)
      const explain = async (email: string) => {
        const body = aMessage(application.code, email)
        return neutral(await server.post('/notifications/explain', body), email) as Explained
      }
      const unknown = await explain(uniqueEmail('nobody'))
      assert.equal(unknown.decision, 'send')
      assert.deepEqual(await explain(await aStranger()), unknown)
      assert.deepEqual(await explain(await aStranger({ active: false })), unknown)
    }
  })

  test('is explained sends to users of its application as they are', async ({ assert, client }) => {
    const application = await anApplication()
    const server = serverWith(client, (await aKeyOf(application)).text)
    const email = await aUserOf(application)
    const body = aMessage(application.code, email)
    const explained = await server.post('/notifications/explain', body)
    assert.equal(explained.body().data.reason, 'RECIPIENT_SUPPRESSED')

    const stranger = aMessage(application.code, await aStranger())
    const ofPlatform = await anotherService(client).post(
      '/api/internal/notifications/explain',
      stranger
    )
    assert.equal(stepOf(ofPlatform.body().data, 'suppression')!.outcome, 'stopped')
  })

  test('learns of its message to others what became of it, not why', async ({ assert, client }) => {
    const application = await anApplication()
    const server = serverWith(client, (await aKeyOf(application)).text)
    const send = async (email: string) => {
      const sent = await server.post('/notifications', aMessage(application.code, email))
      sent.assertStatus(200)
      return `/notifications/${sent.body().data.id}/explain`
    }
    const path = await send(await aStranger())
    const explained = (await server.get(path)).body().data as Explained
    assert.deepInclude(explained, { decision: 'schedule', reason: 'QUIET_HOURS', channels: [] })
    assert.deepEqual(stepsOf(explained), ABOUT_MESSAGE)

    const whole = (await anotherService(client).get(`/api/internal${path}`)).body().data
    assert.equal(stepOf(whole, 'suppression')!.evidence.reason, 'complaint')
    const ofUser = await server.get(await send(await aUserOf(application)))
    assert.equal(stepOf(ofUser.body().data, 'suppression')!.evidence.reason, 'complaint')
  })
})

test.group('Someone who sees one application in the panel', () => {
  test('learns of its messages to others what became of them, not why', async ({
    assert,
    client,
  }) => {
    const application = await anApplication()
    const log = `/api/admin/notifications/log/${application.code}`
    const platform = anotherService(client)
    const send = async (email: string) => {
      const body = aMessage(application.code, email)
      return (await platform.post('/api/internal/notifications', body)).body().data.id as number
    }
    const callers = [
      await panelPerson(client, { [application.code]: 'view' }),
      await panelPerson(client, { [application.code]: 'edit' }),
      await anAdministratorOf(application),
    ]
    const id = await send(await aStranger())
    const gone = await send(await aStranger({ active: false }))
    const ofUser = await send(await aUserOf(application))
    for (const email of callers) {
      const explain = async (of: number) => {
        const response = await signedIn(client, email).get(`${log}/${of}/explain`)
        response.assertStatus(200)
        return response.body().data as Explained
      }
      const explained = await explain(id)
      assert.deepInclude(explained, { decision: 'schedule', reason: 'QUIET_HOURS', channels: [] })
      assert.deepEqual(stepsOf(explained), ABOUT_MESSAGE)
      assert.notInclude(stepsOf(await explain(gone)), 'user')
      assert.equal(stepOf(await explain(ofUser), 'suppression')!.evidence.reason, 'complaint')
    }
    const globalAdmin = await panelPerson(client, {}, { globally: 'edit' })
    const whole = await signedIn(client, globalAdmin).get(`${log}/${id}/explain`)
    assert.equal(stepOf(whole.body().data, 'suppression')!.evidence.reason, 'complaint')
  })

  test('is explained checks of others as those of new users', async ({ assert, client }) => {
    const [application, other] = [await anApplication(), await anApplication()]
    const { ask, viewer } = await aQuestionAbout(client, application)
    const [active, inactive] = [uniqueEmail('active'), uniqueEmail('inactive')]
    await insertPeople(other, [active, inactive])
    await (await ensureUser({ email: inactive })).merge({ active: false }).save()

    const unknown = await ask(viewer, uniqueEmail('nobody'))
    assert.deepInclude(unknown, { allowed: false, decidedBy: 6 })
    assert.include(
      unknown.wouldAllow.map(({ kind }) => kind),
      'role'
    )
    assert.deepEqual(await ask(viewer, active), unknown)
    assert.deepEqual(await ask(viewer, inactive), unknown)
  })

  test('is explained checks of a deactivated super admin as those of a new user', async ({
    assert,
    client,
  }) => {
    const { ask, viewer } = await aQuestionAbout(client, await anApplication())
    const email = uniqueEmail('root')
    await (await ensureUser({ email })).merge({ active: false }).save()
    await addSuperAdmin(email)
    assert.deepEqual(await ask(viewer, email), await ask(viewer, uniqueEmail('nobody')))
  })

  test('is told the true decision about everyone', async ({ assert, client }) => {
    const application = await anApplication()
    const { ask, viewer, roleId } = await aQuestionAbout(client, application)
    const root = await ask(viewer, superAdmin(client).email)
    assert.deepInclude(root, { allowed: true, decidedBy: 2 })

    const holder = uniqueEmail('holder')
    await manageApplication(client, application.code).userRoles(holder, [roleId])
    await (await ensureUser({ email: holder })).merge({ active: false }).save()
    const deactivated = await ask(viewer, holder)
    assert.deepInclude(deactivated, { allowed: false, decidedBy: 1 })
  })

  test('is explained checks of everyone if they can look up users', async ({ assert, client }) => {
    const application = await anApplication()
    const { ask } = await aQuestionAbout(client, application)
    const inactive = uniqueEmail('inactive')
    await (await ensureUser({ email: inactive })).merge({ active: false }).save()
    for (const email of [
      await anAdministratorOf(application),
      await panelPerson(client, {}, { globally: 'edit' }),
      superAdmin(client).email,
    ]) {
      const explained = await ask(signedIn(client, email), inactive)
      assert.deepInclude(explained, { allowed: false, decidedBy: 1 })
    }
  })
})

/** A permission that one role grants, and someone who sees the application. */
async function aQuestionAbout(client: ApiClient, { code }: Application) {
  const manage = manageApplication(client, code)
  const { id: permissionId } = await manage.permission({ code: 'read' })
  const { id: roleId } = await manage.role()
  await manage.rolePermissions(roleId, [{ permissionId, accessLevel: 'allowed' }])
  const viewer = signedIn(client, await panelPerson(client, { [code]: 'view' }))
  const ask = async (caller: typeof viewer, email: string) => {
    const body = { email, permission: 'read' }
    const response = await caller.post(`/api/applications/${code}/access/explain`, body)
    return neutral(response, email) as ExplainedCheck
  }
  return { ask, viewer, roleId }
}
