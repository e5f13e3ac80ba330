import { test } from '@japa/runner'
import User from '#app/profiles/models/user'
import { decisions } from '#app/checks/decisions'
import { aDecisionPoint, ask, bound, saveResources } from '#tests/helpers/authzen'
import { recordStatements } from '#tests/helpers/count_statements'
import { lifecycleEvent } from '#tests/helpers/management'
import { signedIn, superAdmin, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { SUPER_ADMIN } from '#tests/world/prepare'

test.group('Access evaluation', () => {
  test('a subject is named by any spelling of the address', async ({ assert, client }) => {
    const { code, email, request } = await aDecisionPoint(client)
    for (const id of [email, email.toUpperCase(), ` ${email} `]) {
      const answer = await ask(code, 'evaluation', { ...request, subject: { type: 'user', id } })
      assert.isTrue(answer.json.decision, id)
    }
  })

  test('a subject is named by the account to which the record is bound', async ({
    assert,
    client,
  }) => {
    const { code, email, request } = await aDecisionPoint(client)
    const sub = uniqueCode('sub')
    const decided = async (id: string) => {
      const subject = { type: 'user', id }
      return (await ask(code, 'evaluation', { ...request, subject })).json.decision
    }
    assert.isFalse(await decided(sub))
    await bound(client, email, sub)
    assert.isTrue(await decided(sub))
    assert.isFalse(await decided(sub.toUpperCase()))

    const path = `/api/users/${email}/identity`
    const next = uniqueCode('sub')
    await superAdmin(client).put(path, { idpUserId: next })
    assert.isFalse(await decided(sub))
    assert.isTrue(await decided(next))
    await superAdmin(client).put(path, { idpUserId: null })
    assert.isFalse(await decided(next))
  })

  test('an account that changed its address is the user of its active record', async ({
    assert,
    client,
  }) => {
    const { code, email, request } = await aDecisionPoint(client)
    const sub = await bound(client, email)
    const subject = { type: 'user', id: sub }
    const decided = async () =>
      (await ask(code, 'evaluation', { ...request, subject })).json.decision
    assert.isTrue(await decided())
    const renamed = uniqueEmail()
    await bound(client, renamed, sub)
    assert.isFalse(await decided(), 'the new record has no role')
    await lifecycleEvent(client, 'user.deactivated', renamed)
    assert.isTrue(await decided(), 'the record that is active')
  })

  test('an account whose `sub` is an address never stands for that user', async ({
    assert,
    client,
  }) => {
    const { code, email, request } = await aDecisionPoint(client)
    const decided = async () =>
      (await ask(code, 'evaluation', { ...request, subject: { type: 'user', id: email } })).json
        .decision
    assert.isTrue(await decided())
    await bound(client, uniqueEmail(), email)
    assert.isFalse(await decided(), 'the address of one user and the account of another')
    const found = await ask(code, 'search/resource', {
      subject: { type: 'user', id: email },
      action: request.action,
      resource: { type: request.resource.type },
    })
    assert.deepEqual(found.json.results, [])
  })

  test('an account whose `sub` is its own address is that user', async ({ assert, client }) => {
    const { code, email, request } = await aDecisionPoint(client)
    await bound(client, email, email)
    const subject = { type: 'user', id: email }
    assert.isTrue((await ask(code, 'evaluation', { ...request, subject })).json.decision)
  })

  test('an account that has not proved the address is unknown', async ({ assert, client }) => {
    const { code, email, request } = await aDecisionPoint(client)
    const sub = uniqueCode('sub')
    await User.create({ email, idpUserId: sub, identityVerified: false })
    const subject = { type: 'user', id: sub }
    const { json } = await ask(code, 'evaluation', { ...request, subject })
    assert.deepEqual(json, {
      decision: false,
      context: { reason_admin: { en: 'The subject is unknown' } },
    })
  })

  test('what is unknown is denied: {name}')
    .with([
      { name: 'a subject type', part: { subject: { type: 'spaceship', id: SUPER_ADMIN } } },
      { name: 'an address', part: { subject: { type: 'user', id: 'nobody@tests.example' } } },
      { name: 'no address', part: { subject: { type: 'user', id: '@' } } },
      { name: 'an account', part: { subject: { type: 'user', id: 'nobody' } } },
      { name: 'a resource type', part: { resource: { type: 'spaceship', id: 'record-1' } } },
      { name: 'an action', part: { action: { name: 'fly' } } },
    ])
    .run(async ({ assert, client }, { part }) => {
      const { code, request } = await aDecisionPoint(client)
      const { status, json } = await ask(code, 'evaluation', { ...request, ...part })
      assert.equal(status, 200)
      assert.isFalse(json.decision)
    })

  test('a resource type is known from when its entity exists until it is deleted', async ({
    assert,
    client,
  }) => {
    const { code, manage, request } = await aDecisionPoint(client)
    const resource = { type: 'letter', id: '1' }
    const decided = async () =>
      (await ask(code, 'evaluation', { ...request, resource })).json.decision
    assert.isFalse(await decided())
    const { id } = await manage.entity({ code: 'letter' })
    assert.isTrue(await decided())
    await superAdmin(client).delete(`/api/applications/${code}/entities/${id}`)
    assert.isFalse(await decided())
  })

  test('an unknown application is 404', async ({ assert, client }) => {
    const { code, request } = await aDecisionPoint(client)
    for (const app of [uniqueCode(), code.toUpperCase(), `${code}%2F..`, '%2e%2e']) {
      for (const [endpoint, body] of [
        ['evaluation', request],
        ['evaluations', { ...request, evaluations: [{}] }],
      ] as const) {
        const answer = await ask(app, endpoint, body)
        assert.equal(answer.status, 404, app)
      }
    }
    assert.isTrue((await ask(code, 'evaluation', request)).json.decision)
    await superAdmin(client).delete(`/api/applications/${code}`)
    const gone = await ask(code, 'evaluation', request)
    assert.equal(gone.status, 404)
    assert.equal(gone.text, 'APPLICATION_NOT_FOUND: Application not found')
  })

  test('a decision is that of a check, with its rule and source', async ({ assert, client }) => {
    const { code, email, request, manage } = await aDecisionPoint(client)
    const reason = async (id: string) => {
      const subject = { type: 'user', id }
      const { json } = await ask(code, 'evaluation', { ...request, subject })
      return [json.decision, json.context.reason_admin.rule, json.context.reason_admin.source]
    }
    const admin = uniqueEmail()
    await manage.administrator(admin)
    assert.deepEqual(await reason(email), [true, '5', 'role'])
    assert.deepEqual(await reason(admin), [true, '3', 'app_admin'])
    assert.deepEqual(await reason(SUPER_ADMIN), [true, '2', 'superadmin'])
    assert.deepEqual(await reason(uniqueEmail()), [false, '6', 'none'])
    await signedIn(client, email).get('/api/profile/me')
    await lifecycleEvent(client, 'user.deactivated', email)
    assert.deepEqual(await reason(email), [false, '1', 'none'])
  })

  test('properties of the request lie over those of the catalog', async ({ assert, client }) => {
    const { code, request, manage, read, role, entity } = await aDecisionPoint(client)
    const condition = 'resource.properties.status == "open" && context.ip == "10.0.0.1"'
    await manage.rolePermissions(role.id, [
      { permissionId: read.id, accessLevel: 'allowed', condition },
    ])
    await saveResources(client, code, entity.id, [
      { resourceId: 'record-1', properties: { status: 'open', owner: 'x' } },
    ])
    const decided = async (properties: object | undefined, context: object) => {
      const resource = { ...request.resource, properties }
      return (await ask(code, 'evaluation', { ...request, resource, context })).json.decision
    }
    assert.isTrue(await decided(undefined, { ip: '10.0.0.1' }))
    assert.isTrue(await decided({ owner: 'y' }, { ip: '10.0.0.1' }))
    assert.isFalse(await decided({ status: 'closed' }, { ip: '10.0.0.1' }))
    assert.isFalse(await decided(undefined, { ip: '10.0.0.2' }))
    assert.isFalse(await decided(undefined, {}))
  })

  test('properties and context have at most 16 KiB together', async ({ assert, client }) => {
    const { code, request } = await aDecisionPoint(client)
    const half = { text: 'x'.repeat(8_100) }
    const subject = { ...request.subject, properties: half }
    const fits = await ask(code, 'evaluation', { ...request, subject, context: half })
    assert.isTrue(fits.json.decision)
    const context = { ...half, more: 'x'.repeat(200) }
    const tooLarge = await ask(code, 'evaluation', { ...request, subject, context })
    assert.equal(tooLarge.status, 400)
    assert.include(tooLarge.text, '16384 bytes')
  })

  test('a repeated evaluation needs no query', async ({ assert, client }) => {
    const { code, email, request } = await aDecisionPoint(client)
    const subject = { type: 'user', id: await bound(client, email) }
    for (const body of [request, { ...request, subject }]) {
      await ask(code, 'evaluation', body)
      const statements = await recordStatements(async () => {
        assert.isTrue((await ask(code, 'evaluation', body)).json.decision)
      })
      assert.lengthOf(statements, 0)
    }
    decisions.clear()
    assert.isTrue((await ask(code, 'evaluation', request)).json.decision)
  })
})
