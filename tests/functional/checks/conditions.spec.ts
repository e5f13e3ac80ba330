import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import User from '#app/profiles/models/user'
import { manageApplication } from '#tests/helpers/management'
import { anApplication, signedIn, superAdmin, uniqueEmail } from '#tests/helpers/people'

/** Someone whose role grants one permission under a condition. */
async function aMember(client: ApiClient, condition: string) {
  const { code } = await anApplication()
  const manage = manageApplication(client, code)
  const permission = await manage.permission({ type: 'tiered' })
  const role = await manage.role()
  await manage.rolePermissions(role.id, [
    { permissionId: permission.id, accessLevel: 'edit', condition } as never,
  ])
  const email = uniqueEmail()
  await manage.userRoles(email, [role.id])
  const asked = { email, app: code, permission: permission.code }
  const onDoc = { ...asked, resourceType: 'doc', resourceId: '1' }
  const check = async (body: object) =>
    (await client.post('/api/check').json(body)).body().data.allowed
  return { code, manage, email, permission, role, asked, onDoc, check }
}

const ATTRIBUTES = { resource: { status: 'open' } }

test.group('Conditions in checks', () => {
  test('the attributes of each check decide, also when the rule is cached', async ({
    assert,
    client,
  }) => {
    const { asked, check } = await aMember(client, 'resource.properties.status == "open"')
    assert.isTrue(await check({ ...asked, attributes: ATTRIBUTES }))
    assert.isFalse(await check({ ...asked, attributes: { resource: { status: 'closed' } } }))
    assert.isTrue(await check({ ...asked, attributes: ATTRIBUTES }))
    assert.isFalse(await check(asked))
    const bulk = await client
      .post('/api/check/bulk')
      .json({ ...asked, permissions: [asked.permission], attributes: ATTRIBUTES })
    assert.isTrue(bulk.body().data[asked.permission])
  })

  test('a denying override holds unless its condition is false', async ({ assert, client }) => {
    const { onDoc, check, permission, email, code } = await aMember(client, 'true')
    const path = `/api/users/${email}/apps/${code}/resources/doc/1/permissions`
    const condition = 'context.risk > 3'
    await superAdmin(client).put(path, {
      permissions: [{ permissionId: permission.id, granted: false, condition }],
    })
    assert.isFalse(await check(onDoc))
    const withRisk = (risk: unknown) => check({ ...onDoc, attributes: { context: { risk } } })
    assert.isFalse(await withRisk('high'))
    assert.isFalse(await withRisk(9))
    assert.isTrue(await withRisk(1))
  })

  test('explain says why a condition cannot be evaluated', async ({ assert, client }) => {
    const { asked } = await aMember(client, 'resource.properties.count + 1 == 2')
    const response = await client
      .post('/api/check/explain')
      .json({ ...asked, attributes: { resource: { count: 'many' } } })
    const { allowed, steps } = response.body().data
    assert.isFalse(allowed)
    const [{ condition, description }] = steps[4].evidence
    assert.containSubset(condition, { value: null, missing: null })
    assert.isNotEmpty(condition.error)
    assert.include(description, condition.error)
  })

  test('properties of the catalog lie under those of the request', async ({ assert, client }) => {
    const { onDoc, check, code } = await aMember(client, 'resource.properties.status == "open"')
    const admin = superAdmin(client)
    const entity = await admin.post(`/api/applications/${code}/entities`, {
      code: 'doc',
      name: 'Document',
    })
    const path = `/api/applications/${code}/entities/${entity.body().data.id}/resources`
    const save = (status: string) =>
      admin.put(path, { resources: [{ resourceId: '1', properties: { status } }] })
    assert.isFalse(await check(onDoc))
    await save('open')
    assert.isTrue(await check(onDoc))
    assert.isFalse(await check({ ...onDoc, attributes: { resource: { status: 'closed' } } }))
    await save('closed')
    assert.isFalse(await check(onDoc))
    assert.isTrue(await check({ ...onDoc, attributes: ATTRIBUTES }))
    await admin.post(`${path}/delete`, { resourceIds: ['1'] })
    assert.isFalse(await check(onDoc))
  })

  test('subject.id is the bound account, otherwise the address', async ({ assert, client }) => {
    const { asked, check, email } = await aMember(client, 'subject.id == context.expected')
    const expects = (expected: string) => check({ ...asked, attributes: { context: { expected } } })
    assert.isTrue(await expects(email))
    await signedIn(client, email).get('/api/profile/me')
    const { provenAccount } = await User.findByOrFail({ email })
    assert.isTrue(await expects(provenAccount!))
    assert.isFalse(await expects(email))
  })

  test('nobody describes themselves', async ({ client, assert }) => {
    const { asked, email } = await aMember(client, 'subject.properties.vip == true')
    const user = signedIn(client, email)
    const attributes = { subject: { vip: true } }
    for (const path of ['', '/bulk', '/effective', '/explain']) {
      const body = { ...asked, permissions: [asked.permission], attributes }
      const response = await user.post(`/api/profile/me/check${path}`, body)
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'attributes.subject' }] })
    }
    const internal = await client.post('/api/check').json({ ...asked, attributes })
    assert.isTrue(internal.body().data.allowed)
  })

  test('attributes are refused: {what}')
    .with([
      { what: 'a list', attributes: [], field: 'attributes' },
      { what: 'a list of properties', attributes: { resource: [] }, field: 'attributes.resource' },
      { what: 'a text', attributes: { context: 'x' }, field: 'attributes.context' },
      {
        what: 'too large',
        attributes: { context: { x: 'y'.repeat(16_385) } },
        field: 'attributes',
      },
    ])
    .run(async ({ client }, { attributes, field }) => {
      const body = { email: uniqueEmail(), app: 'shop', permission: 'p', attributes }
      const response = await client.post('/api/check').json(body)
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field }] })
    })

  test('explain shows the value of a condition, and what it needs', async ({ assert, client }) => {
    const { asked } = await aMember(client, 'resource.properties.status == "open"')
    const evidence = async (attributes?: object) => {
      const response = await client.post('/api/check/explain').json({ ...asked, attributes })
      const { allowed, steps } = response.body().data
      return { allowed, ...steps[4].evidence[0].condition }
    }
    const expression = 'resource.properties.status == "open"'
    assert.deepEqual(await evidence(ATTRIBUTES), {
      allowed: true,
      expression,
      value: true,
      missing: null,
      error: null,
    })
    assert.containSubset(await evidence({ resource: { status: 'closed' } }), {
      allowed: false,
      value: false,
    })
    assert.containSubset(await evidence(), {
      allowed: false,
      value: null,
      missing: 'resource.properties.status',
    })
    const failed = await evidence({ resource: { status: 3 } })
    assert.isFalse(failed.allowed)
  })
})
