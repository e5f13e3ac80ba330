import { test } from '@japa/runner'
import { stringify } from 'yaml'
import AuditEntry from '#app/audit/models/audit_entry'
import { allowed, manageApplication } from '#tests/helpers/management'
import { anAdministratorOf, anApplication, uniqueEmail } from '#tests/helpers/people'
import {
  ADA,
  ALAN,
  type Document,
  anApplicationWithPolicy,
  exportedAssignments,
  exportedPolicy,
  policyOf,
} from '#tests/helpers/policies'
import { sendBody } from '#tests/helpers/send'

const ALL = '?assignments=true&prune=true'

const shop = (application: string): Document => ({
  application,
  permissions: [
    { code: 'orders', type: 'tiered' },
    { code: 'refunds', type: 'binary' },
  ],
  roles: [
    {
      code: 'clerk',
      permissions: [{ permission: 'orders', accessLevel: 'view' }],
    },
  ],
})

const entries = ({ id }: { id: number }) =>
  AuditEntry.query().where('applicationId', id).orderBy('id')

test.group('Applying a policy', () => {
  test('recreates all of it in another application, and is idempotent', async ({
    client,
    assert,
  }) => {
    const source = await anApplicationWithPolicy()
    const target = await anApplication()
    const exported = await (await policyOf(client, source.code)).read('?assignments=true')
    const document = { ...exported, application: target.code }
    const { apply, read } = await policyOf(client, target.code)
    const applied = await apply(document, ALL)
    applied.assertStatus(200)
    assert.deepEqual(await read('?assignments=true'), {
      ...exportedPolicy(target.code),
      assignments: exportedAssignments,
    })
    const before = (await entries(target)).length
    const again = await apply(document, ALL)
    again.assertBodyContains({ data: { changes: [], revision: applied.body().data.revision } })
    assert.lengthOf(await entries(target), before)
    const question = { email: ALAN, app: target.code, permission: 'refunds' }
    assert.isTrue(await allowed(client, question))
  })

  test('leaves the entries and the revision of one change', async ({ client, assert }) => {
    const application = await anApplication()
    const { apply } = await policyOf(client, application.code)
    const applied = await apply(shop(application.code))
    const actions = (await entries(application)).map(({ action }) => action)
    assert.sameMembers(actions.slice(-4), [
      'permission.created',
      'permission.created',
      'role.created',
      'role.permissions_replaced',
    ])
    assert.match(applied.header('concierge-revision') ?? '', /^\d+$/)
  })

  test('takes effect with the next check', async ({ client, assert }) => {
    const { code } = await anApplication()
    const email = uniqueEmail()
    const { apply } = await policyOf(client, code)
    const document: Document = shop(code)
    document.assignments = { roles: [{ email, role: 'clerk' }] }
    const question = { email, app: code, permission: 'orders' }
    assert.isFalse(await allowed(client, question))
    await apply(document, '?assignments=true')
    assert.isTrue(await allowed(client, question))
    document.roles[0].permissions = []
    await apply(document, '?assignments=true')
    assert.isFalse(await allowed(client, question))
  })

  test('removes what is not in the document only with prune=true', async ({ client, assert }) => {
    const { code } = await anApplicationWithPolicy()
    const { apply, read } = await policyOf(client, code)
    const empty = {
      application: code,
      permissions: [],
      roles: [],
      entities: [],
      notificationTypes: [],
      assignments: { roles: [], overrides: [], administrators: [] },
    }
    await apply(empty, '?assignments=true')
    assert.deepEqual(await read('?assignments=true'), {
      ...exportedPolicy(code),
      assignments: exportedAssignments,
    })
    const pruned = await apply(empty, ALL)
    assert.includeMembers(
      pruned.body().data.changes.map(({ action, id }: Document) => `${action} ${id}`),
      ['remove orders', 'remove clerk', 'remove order', 'remove shipped', `remove ${ADA} clerk`]
    )
    assert.deepEqual(await read('?assignments=true'), {
      ...empty,
      notificationTypes: [{ code: 'generic', name: 'Generic' }],
    })
  })

  test('keeps sections that the document does not have', async ({ client, assert }) => {
    const { code } = await anApplicationWithPolicy()
    const { apply, read } = await policyOf(client, code)
    const { roles } = exportedPolicy(code)
    const applied = await apply({ application: code, roles }, ALL)
    applied.assertBodyContains({ data: { changes: [] } })
    assert.deepEqual(await read(), exportedPolicy(code))
  })

  test('changes every field', async ({ client, assert }) => {
    const { code } = await anApplicationWithPolicy()
    const { apply, read } = await policyOf(client, code)
    const document: Document = await read('?assignments=true')
    Object.assign(document.permissions[0], { name: 'All', description: 'New', groupName: 'G' })
    Object.assign(document.permissions[0], { parent: 'refunds' })
    delete document.permissions[1].parent
    Object.assign(document.roles[0], { name: 'Seller', description: 'Other' })
    document.roles[0].permissions[0] = { permission: 'orders', accessLevel: 'view' }
    document.roles.push({ code: 'empty', permissions: [] })
    Object.assign(document.entities[0], { name: 'Orders', idLabel: 'No.' })
    const [, shipped] = document.notificationTypes
    Object.assign(shipped, { name: 'Sent', emailFromName: 'Us' })
    const templateKey = shipped.templates[0].key
    shipped.digest = { allowed: ['daily', 'weekly'], default: 'daily', templateKey }
    delete shipped.emailEnabled
    shipped.templates[0].name = 'New'
    shipped.templates[0].variables.pop()
    shipped.templates[0].versions[0].subjectTemplate = 'Ahoj'
    document.assignments.roles[0].validUntil = '2098-01-01T00:00:00.000Z'
    document.assignments.overrides[0].granted = false
    document.assignments.administrators[0].validUntil = '2098-01-01T00:00:00.000Z'
    const applied = await apply(document, ALL)
    applied.assertStatus(200)
    assert.deepEqual(await read('?assignments=true'), document)
  })

  test('has digests whose templates are in the document or stored', async ({ client, assert }) => {
    const { code } = await anApplication()
    const { apply, plan, read } = await policyOf(client, code)
    const template = (key: string) => ({ key, name: key })
    const digest = { allowed: ['daily'], default: 'daily', templateKey: 'digest' }
    const type = { code: 'orders', name: 'Orders', digest }
    const withTemplates = (fields: object, ...keys: string[]) => ({
      application: code,
      notificationTypes: [{ ...type, ...fields, templates: keys.map(template) }],
    })
    const refused = await plan(withTemplates({}))
    refused.assertProblem(400, 'UNKNOWN_TEMPLATE')
    assert.equal(refused.body().details.field, 'notificationTypes.0')
    const created = await apply(withTemplates({}, 'digest', 'main'))
    created.assertStatus(200)
    const digestNow = async () => {
      const { notificationTypes } = await read()
      const stored: Document = notificationTypes.find((each: Document) => each.code === 'orders')
      return stored.digest
    }
    assert.deepEqual(await digestNow(), digest)
    const changed = await apply(
      withTemplates({ digest: { ...digest, default: 'off' } }, 'main'),
      ''
    )
    changed.assertStatus(200)
    assert.deepEqual(await digestNow(), { ...digest, default: 'off' })
    const kept = await plan(withTemplates({}, 'main'), ALL)
    kept.assertProblem(409, 'TEMPLATE_IN_USE')
    const moved = await apply(
      withTemplates({ digest: { ...digest, templateKey: 'main' } }, 'main'),
      ALL
    )
    moved.assertStatus(200)
    assert.deepEqual(await digestNow(), { ...digest, templateKey: 'main' })
  })

  test('is refused if something has changed since the plan', async ({ client, assert }) => {
    const { code } = await anApplication()
    const { plan, put, read } = await policyOf(client, code)
    const planned = await plan(shop(code))
    const role = await manageApplication(client, code).role({ code: 'other' })
    const stale = await put(shop(code), planned.body().data.revision)
    stale.assertProblem(412, 'STALE')
    assert.notEqual(stale.body().details.current.revision, planned.body().data.revision)
    assert.deepEqual(
      (await read()).roles.map(({ code: each }: Document) => each),
      [role.code]
    )
  })

  test('needs If-Match', async ({ client }) => {
    const { code } = await anApplication()
    const { path, authorization } = await policyOf(client, code)
    const response = await client.put(path).header('authorization', authorization).json(shop(code))
    response.assertProblem(412, 'PRECONDITION_REQUIRED')
  })

  test('makes one of two simultaneous requests fail', async ({ client, assert }) => {
    const application = await anApplication()
    const { code } = application
    const { plan, put, read } = await policyOf(client, code)
    const [first, second] = [shop(code), { ...shop(code), roles: [{ code: 'other' }] }]
    const { revision } = (await plan(first)).body().data
    const other = await policyOf(client, code, await anAdministratorOf(application))
    const responses = await Promise.all([put(first, revision), other.put(second, revision)])
    assert.sameMembers(
      responses.map((response) => response.status()),
      [200, 412]
    )
    assert.lengthOf((await read()).roles, 1)
  })

  test('takes YAML', async ({ client, assert }) => {
    const { code } = await anApplication()
    const { path, authorization, plan, read } = await policyOf(client, code)
    const { revision } = (await plan(shop(code))).body().data
    const type = 'application/yaml; charset=utf-8'
    const headers = { authorization, 'if-match': `"${revision}"`, 'content-type': type }
    const bad = await sendBody('PUT', path, 'application: [', headers)
    assert.equal(bad.status, 400)
    assert.containSubset(await bad.json(), { code: 'MALFORMED_YAML', details: { line: 1 } })
    const deep = await sendBody('PUT', path, `roles: ${'['.repeat(5_000)}`, headers)
    assert.containSubset(await deep.json(), { details: { errors: [{ rule: 'depth' }] } })
    for (const old of ['yes: 1', '<<: 3']) {
      const refused = await sendBody('PUT', path, `%YAML 1.1\n---\n${old}\n`, headers)
      assert.equal(refused.status, 400)
      assert.containSubset(await refused.json(), {
        details: { reason: 'Only YAML 1.2 is allowed' },
      })
    }
    const scalar = await sendBody('PUT', path, 'text', headers)
    assert.containSubset(await scalar.json(), { code: 'VALIDATION_ERROR' })
    const response = await sendBody('PUT', path, stringify(shop(code)), headers)
    assert.equal(response.status, 200)
    assert.lengthOf((await read()).permissions, 2)
  })

  test('is refused as a whole: {title}')
    .with<
      { title: string; change: (document: Document) => void; expected: [number, string, object] }[]
    >([
      {
        title: 'an unknown field',
        change: (document) => (document.rols = []),
        expected: [400, 'VALIDATION_ERROR', { errors: [{ field: 'rols', rule: 'unknown' }] }],
      },
      {
        title: 'another application',
        change: (document) => (document.application = 'other'),
        expected: [400, 'VALIDATION_ERROR', { errors: [{ field: 'application' }] }],
      },
      {
        title: 'a permission that does not exist',
        change: ({ roles }) => (roles[0].permissions[0].permission = 'oders'),
        expected: [
          ...([400, 'VALIDATION_ERROR'] as const),
          { errors: [{ field: 'roles.0.permissions.0.permission', rule: 'exists' }] },
        ],
      },
      {
        title: 'a level that does not fit',
        change: ({ roles }) => (roles[0].permissions[0].accessLevel = 'allowed'),
        expected: [400, 'INVALID_ACCESS_LEVEL', { field: 'roles.0.permissions.0.accessLevel' }],
      },
      {
        title: 'a condition that does not compile',
        change: ({ roles }) => (roles[0].permissions[0].condition = 'resource.'),
        expected: [400, 'CONDITION_INVALID', { field: 'roles.0.permissions.0.condition' }],
      },
      {
        title: 'a permission above itself',
        change: ({ permissions }) => (permissions[0].parent = 'orders'),
        expected: [400, 'INVALID_PARENT', { field: 'permissions.0.parent' }],
      },
      {
        title: 'an origin that is not allowed for an entity',
        change: (document) =>
          (document.entities = [
            { code: 'a', name: 'A', listEndpoint: 'https://user:x@a.example' },
          ]),
        expected: [400, 'VALIDATION_ERROR', { errors: [{ field: 'entities.0.listEndpoint' }] }],
      },
      {
        title: 'a template that does not parse',
        change: (document) => {
          const versions = [{ locale: 'en', subjectTemplate: 'x', bodyTemplate: '{{#if' }]
          const templates = [{ key: 'main', name: 'Main', versions }]
          document.notificationTypes = [{ code: 'new', name: 'New', templates }]
        },
        expected: [
          ...([400, 'TEMPLATE_SYNTAX'] as const),
          { field: 'notificationTypes.0.templates.0.versions.0.bodyTemplate' },
        ],
      },
      {
        title: 'a language that does not exist',
        change: (document) => {
          const versions = [{ locale: 'xx', subjectTemplate: 'x', bodyTemplate: 'x' }]
          const templates = [{ key: 'main', name: 'Main', versions }]
          document.notificationTypes = [{ code: 'new', name: 'New', templates }]
        },
        expected: [
          ...([404, 'LANGUAGE_NOT_FOUND'] as const),
          { field: 'notificationTypes.0.templates.0.versions.0' },
        ],
      },
      {
        title: 'an override of a global permission',
        change: (document) => {
          document.permissions[1].global = true
          const on = { resourceType: 'order', resourceId: '1', granted: true }
          document.assignments = { overrides: [{ email: ADA, permission: 'refunds', ...on }] }
        },
        expected: [400, 'PERMISSION_IS_GLOBAL', { field: 'assignments.overrides.0' }],
      },
      {
        title: 'a window that ends before it begins',
        change: (document) => {
          const window = { validFrom: '2030-01-01T00:00:00Z', validUntil: '2029-01-01T00:00:00Z' }
          document.assignments = { roles: [{ email: ADA, role: 'clerk', ...window }] }
        },
        expected: [400, 'INVALID_WINDOW', { field: 'assignments.roles.0' }],
      },
      {
        title: 'the same assignment twice',
        change: (document) => {
          const [one, other] = [ADA, ADA.toUpperCase()]
          document.assignments = { administrators: [{ email: one }, { email: other }] }
        },
        expected: [
          ...([400, 'VALIDATION_ERROR'] as const),
          { errors: [{ field: 'assignments.administrators.1', rule: 'distinct' }] },
        ],
      },
    ])
    .run(async ({ client, assert }, { change, expected: [status, code, details] }) => {
      const application = await anApplication()
      const { plan, put, read } = await policyOf(client, application.code)
      const before = await read('?assignments=true')
      const { revision } = (await plan(shop(application.code), ALL)).body().data
      const document = shop(application.code)
      change(document)
      const planned = await plan(document, ALL)
      planned.assertProblem(status, code)
      assert.containSubset(planned.body().details, details)
      const response = await put(document, revision, ALL)
      response.assertProblem(status, code)
      assert.containSubset(response.body().details, details)
      assert.deepEqual(await read('?assignments=true'), before)
    })

  test('is refused as a whole if a permission in use would change its type', async ({
    client,
    assert,
  }) => {
    const { code } = await anApplication()
    const { apply, put, read } = await policyOf(client, code)
    const { revision } = (await apply(shop(code))).body().data
    const document = shop(code)
    document.roles.push({ code: 'new' })
    document.permissions[0].type = 'binary'
    document.roles[0].permissions[0].accessLevel = 'allowed'
    const response = await put(document, revision)
    response.assertProblem(409, 'PERMISSION_IN_USE')
    assert.equal(response.body().details.field, 'permissions.0')
    assert.lengthOf((await read()).roles, 1)
  })

  test('cannot weaken the permission model of the panel', async ({ client }) => {
    const { plan } = await policyOf(client, 'auth')
    const response = await plan({ application: 'auth', roles: [] }, '?prune=true')
    response.assertProblem(409, 'PANEL_PROTECTED')
  })
})
