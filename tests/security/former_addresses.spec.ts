import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import AuditEntry from '#app/audit/models/audit_entry'
import SuperAdmin from '#app/permissions/models/super_admin'
import User from '#app/profiles/models/user'
import { recordStatements } from '#tests/helpers/count_statements'
import { allowed, inPath, manageApplication } from '#tests/helpers/management'
import { aSession } from '#tests/helpers/panel_world'
import {
  aSuperAdmin,
  anApplication,
  signedIn,
  superAdmin,
  uniqueEmail,
} from '#tests/helpers/people'
import { minutesFromNow, webhook } from '#tests/helpers/profiles'
import { createProviderUser, postProviderEvent, uniqueId } from '#tests/helpers/provider_events'

const ORGANISATION = 'urn:zitadel:iam:user:resourceowner:id'

/** Someone who changed their address, which no event has reported. */
async function aPersonWithTwoAddresses(client: ApiClient, organisations: string[] = []) {
  const sub = uniqueId()
  const [former, current] = [uniqueEmail('former'), uniqueEmail('current')]
  const [before, now] = [former, current].map((email, index) => {
    const organisation = organisations[index] && { [ORGANISATION]: organisations[index] }
    return signedIn(client, email, { claims: { sub, ...organisation } })
  })
  for (const person of [before, now]) {
    const response = await person.get('/api/profile/me/apps')
    response.assertStatus(200)
  }
  return { sub, former, current, before, now }
}

async function handled(client: ApiClient, event: Parameters<typeof webhook>[1]) {
  const response = await webhook(client, event)
  response.assertStatus(200)
  return response.body().data.handled as boolean
}

/** A question that is allowed for all of them. */
async function aPermissionOf(client: ApiClient, emails: string[]) {
  const { code: app } = await anApplication()
  const manage = manageApplication(client, app)
  const [permission, role] = [await manage.permission(), await manage.role()]
  await manage.rolePermissions(role.id, [{ permissionId: permission.id, accessLevel: 'allowed' }])
  for (const email of emails) await manage.userRoles(email, [role.id])
  return { app, permission: permission.code }
}

const recordOf = async (email: string) => (await User.withEmail(email)).$attributes
const isActive = async (email: string) => (await User.withEmail(email)).active
const pathOf = (email: string) => `/api/users/${inPath(email)}/active`
const setActive = (client: ApiClient, email: string, active: boolean) =>
  superAdmin(client).put(pathOf(email), { active })

const actionsOn = async (email: string) => {
  const entries = await AuditEntry.query().where({ email }).orderBy('id')
  return entries.map(({ action }) => action)
}

const DEACTIVATIONS = {
  'a generic deactivation': (client: ApiClient, email: string, id: string) =>
    webhook(client, { eventType: 'user.deactivated', user: { email, id } }),
  'a generic removal': (client: ApiClient, email: string, id: string) =>
    webhook(client, { eventType: 'user.removed', user: { email, id } }),
  'a super admin': (client: ApiClient, email: string) => setActive(client, email, false),
}

test.group('The other address of an account', () => {
  for (const [title, deactivate] of Object.entries(DEACTIVATIONS)) {
    for (const named of ['current', 'former'] as const) {
      test(`is closed by ${title} that names the ${named} one`, async ({ assert, client }) => {
        const person = await aPersonWithTwoAddresses(client)
        const emails = [person.former, person.current]
        const question = await aPermissionOf(client, emails)
        for (const email of emails) assert.isTrue(await allowed(client, { email, ...question }))

        const response = await deactivate(client, person[named], person.sub)
        response.assertStatus(200)
        for (const own of [person.before, person.now]) {
          const refused = await own.get('/api/profile/me/apps')
          refused.assertProblem(403, 'USER_INACTIVE')
        }
        for (const email of emails) {
          assert.isFalse(await allowed(client, { email, ...question }))
          const deactivations = (await actionsOn(email)).filter((one) => one === 'user.deactivated')
          assert.lengthOf(deactivations, 1)
          assert.equal((await recordOf(email)).idpUserId === null, title.endsWith('removal'))
        }
      })
    }
  }

  test('does not return to a removed account', async ({ assert, client }) => {
    const { sub, former, current, before } = await aPersonWithTwoAddresses(client)
    await handled(client, { eventType: 'user.removed', user: { id: sub, email: current } })
    const removed = await recordOf(former)
    for (const eventType of ['user.created', 'user.reactivated']) {
      assert.isFalse(await handled(client, { eventType, user: { id: sub, email: former } }))
    }
    const late = await before.get('/api/profile/me/apps')
    late.assertProblem(403, 'USER_INACTIVE')
    assert.deepEqual(await recordOf(former), removed)
    // The super admin gives the account one of its records back.
    const identity = `/api/users/${inPath(current)}/identity`
    const bound = await superAdmin(client).put(identity, { idpUserId: sub })
    bound.assertStatus(200)
    const reactivation = { eventType: 'user.reactivated', user: { id: sub, email: former } }
    assert.isFalse(await handled(client, reactivation))
    assert.deepEqual(await recordOf(former), removed)
  })

  test('stays closed when the other one is reactivated', async ({ assert, client }) => {
    const { sub, former, current } = await aPersonWithTwoAddresses(client)
    const reactivation = (email: string) => ({
      eventType: 'user.reactivated',
      user: { id: sub, email },
    })
    await handled(client, { eventType: 'user.deactivated', user: { id: sub, email: current } })
    await handled(client, reactivation(current))
    assert.deepEqual([await isActive(former), await isActive(current)], [false, true])
    await handled(client, reactivation(former))
    assert.isTrue(await isActive(former))
    await setActive(client, current, false)
    await setActive(client, current, true)
    assert.deepEqual([await isActive(former), await isActive(current)], [false, true])
    await setActive(client, former, true)
    assert.isTrue(await isActive(former))
  })

  test('opens again when the provider reactivates the account', async ({ assert, client }) => {
    const { sub, former, current } = await aPersonWithTwoAddresses(client)
    await setActive(client, current, false)
    const account = createProviderUser(sub)
    await account.report('user.reactivated')
    await account.report('user.human.profile.changed', { firstName: 'Ada' })
    assert.deepEqual([await isActive(former), await isActive(current)], [false, false])
    const later = { created_at: new Date(Date.now() + 1_000).toISOString() }
    await postProviderEvent({ ...account.next('user.reactivated'), ...later })
    assert.deepEqual([await isActive(former), await isActive(current)], [true, true])
  })

  test('keeps its own later reactivation', async ({ assert, client }) => {
    const { sub, former, current } = await aPersonWithTwoAddresses(client)
    const report = (eventType: string, email: string, minutes: number) =>
      handled(client, {
        eventType,
        occurredAt: minutesFromNow(minutes).iso,
        user: { id: sub, email },
      })
    await report('user.reactivated', former, -5)
    await report('user.deactivated', current, -10)
    assert.deepEqual([await isActive(former), await isActive(current)], [true, false])
    await report('user.deactivated', current, -4)
    assert.isFalse(await isActive(former))
  })

  test('is not closed by a super admin who names an address that the account has left', async ({
    assert,
    client,
  }) => {
    const [account, former, current] = [createProviderUser(), uniqueEmail(), uniqueEmail()]
    const visit = (email: string) =>
      signedIn(client, email, { claims: { sub: account.id } }).get('/api/profile/me')
    await account.report('user.human.added', { email: former })
    await visit(former)
    await account.report('user.human.email.changed', { email: current })
    await visit(current)
    const response = await setActive(client, former, false)
    assert.equal(response.body().data.identityProvider, 'not_bound')
    assert.deepEqual([await isActive(former), await isActive(current)], [false, true])
  })

  test('is closed by a repetition, if it was reactivated', async ({ assert, client }) => {
    const { sub, current, former } = await aPersonWithTwoAddresses(client)
    await setActive(client, current, false)
    await setActive(client, former, true)
    const session = await aSession(former, { subject: sub })
    await setActive(client, current, false)
    assert.isFalse(await isActive(former))
    assert.isNull(await db.from('panel_sessions').where('id', session.id).first())
  })
})

test.group('An event does not reach the other address', () => {
  test('without the id of the account', async ({ assert, client }) => {
    for (const eventType of ['user.deactivated', 'user.removed']) {
      const { former, current } = await aPersonWithTwoAddresses(client)
      assert.isTrue(await handled(client, { eventType, user: { email: current } }))
      assert.deepEqual([await isActive(former), await isActive(current)], [true, false])
    }
  })

  test('with the id of another account', async ({ assert, client }) => {
    const victim = await aPersonWithTwoAddresses(client)
    const other = await aPersonWithTwoAddresses(client)
    const emails = [victim.former, victim.current, other.former, other.current]
    const before = await Promise.all(emails.map(recordOf))
    for (const eventType of ['user.deactivated', 'user.removed']) {
      const user = { id: victim.sub, email: other.current }
      assert.isFalse(await handled(client, { eventType, user }))
    }
    assert.deepEqual(await Promise.all(emails.map(recordOf)), before)
  })

  test('if its record is of another organisation', async ({ assert, client }) => {
    for (const eventType of ['user.deactivated', 'user.removed']) {
      const { sub, former, current } = await aPersonWithTwoAddresses(client, ['org-1', 'org-2'])
      const before = await recordOf(former)
      const user = { id: sub, email: current }
      assert.isTrue(await handled(client, { eventType, orgId: 'org-2', user }))
      assert.isFalse(await isActive(current))
      assert.deepEqual(await recordOf(former), before)
    }
  })

  test('if the account has only reserved it', async ({ assert, client }) => {
    const [account, current, reserved] = [createProviderUser(), uniqueEmail(), uniqueEmail()]
    await account.report('user.human.added', { email: reserved })
    await signedIn(client, current, { claims: { sub: account.id } }).get('/api/profile/me')
    await setActive(client, current, false)
    await handled(client, { eventType: 'user.removed', user: { id: account.id, email: current } })
    assert.deepEqual([await isActive(reserved), await isActive(current)], [true, false])
  })

  test('if it belongs to an account of another issuer', async ({ assert, client }) => {
    const { sub, former, current } = await aPersonWithTwoAddresses(client)
    await User.query().where({ email: former }).update({ idp_issuer: 'https://former.example' })
    await handled(client, { eventType: 'user.removed', user: { id: sub, email: current } })
    await setActive(client, current, false)
    assert.isTrue(await isActive(former))
  })
})

test.group('A super admin with two addresses', () => {
  test('cannot deactivate themselves under the other one', async ({ assert, client, cleanup }) => {
    const { sub, former, current } = await aPersonWithTwoAddresses(client)
    await SuperAdmin.create({ email: current })
    cleanup(async () => void (await SuperAdmin.query().where({ email: current }).delete()))
    const own = signedIn(client, current, { claims: { sub } })
    const response = await own.put(pathOf(former), { active: false })
    response.assertProblem(409, 'OWN_SUPER_ADMIN')
    assert.deepEqual([await isActive(former), await isActive(current)], [true, true])
  })

  test('who is the last one is not deactivated under the other one', async ({
    assert,
    client,
    cleanup,
  }) => {
    const usual = (await SuperAdmin.query().orderBy('id')).map(({ email }) => email)
    const temporary = await aSuperAdmin(cleanup)
    const { former, current } = await aPersonWithTwoAddresses(client)
    cleanup(async () => {
      await SuperAdmin.query().delete()
      await SuperAdmin.createMany(usual.map((email) => ({ email })))
    })
    await SuperAdmin.query().whereNot({ email: temporary }).delete()
    await SuperAdmin.create({ email: current })
    const validUntil = minutesFromNow(60).iso
    await db.from('super_admins').where('email', temporary).update({ valid_until: validUntil })
    const response = await signedIn(client, temporary).put(pathOf(former), { active: false })
    response.assertProblem(409, 'LAST_SUPER_ADMIN')
    assert.deepEqual([await isActive(former), await isActive(current)], [true, true])
  })
})

test.group('An account with very many addresses', () => {
  const MANY = 1_500

  for (const [title, deactivate] of Object.entries(DEACTIVATIONS)) {
    test(`is deactivated in few statements by ${title}`, async ({ assert, client }) => {
      const { sub, former, current } = await aPersonWithTwoAddresses(client)
      const { idpIssuer } = await User.withEmail(former)
      const rows = Array.from({ length: MANY }, (_, index) => ({
        email: uniqueEmail(`former${index}`),
        theme: 'system' as const,
        idpUserId: sub,
        idpIssuer,
      }))
      for (let start = 0; start < MANY; start += 500) {
        await User.createMany(rows.slice(start, start + 500))
      }
      const statements = await recordStatements(() => deactivate(client, current, sub))
      assert.isBelow(statements.length, 60)
      for (const { email } of [rows[0], rows.at(-1)!]) assert.isFalse(await isActive(email))
    }).timeout(60_000)
  }
})

test.group('Concurrent deactivations of accounts with two addresses', () => {
  test('cause no deadlock', async ({ assert, client }) => {
    for (let round = 0; round < 4; round++) {
      const { sub, former, current } = await aPersonWithTwoAddresses(client)
      const account = createProviderUser(sub)
      const other = createProviderUser()
      const statuses: number[] = []
      const statements = await recordStatements(async () => {
        const generic = [former, current].flatMap((email) =>
          ['user.deactivated', 'user.reactivated'].map((eventType) =>
            webhook(client, { eventType, user: { id: sub, email } })
          )
        )
        const signed = [
          account.report('user.deactivated'),
          account.report('user.reactivated'),
          other.report('user.human.added', { email: former }),
          other.report('user.human.email.changed', { email: current }),
        ]
        const decided = [former, current].map((email) => setActive(client, email, false))
        await Promise.all(signed)
        for (const response of await Promise.all([...generic, ...decided])) {
          statuses.push(response.status())
        }
      })
      assert.deepEqual(new Set(statuses), new Set([200]))
      assert.lengthOf(
        statements.filter((statement) => /^rollback/i.test(statement)),
        0
      )
      await setActive(client, current, false)
      assert.deepEqual([await isActive(former), await isActive(current)], [false, false])
    }
  }).timeout(60_000)
})
