import { test } from '@japa/runner'
import AuditEntry from '#app/audit/models/audit_entry'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import { type Document, anApplicationWithPolicy, policyOf } from '#tests/helpers/policies'

const shop = (application: string): Document => ({
  application,
  permissions: [{ code: 'orders', type: 'tiered' }],
  roles: [{ code: 'clerk', permissions: [{ permission: 'orders', accessLevel: 'view' }] }],
})

test.group('Planning a policy', () => {
  test('lists what would change and which decisions would flip, and changes nothing', async ({
    client,
    assert,
  }) => {
    const application = await anApplication()
    const email = uniqueEmail()
    const { apply, plan, read } = await policyOf(client, application.code)
    const document = shop(application.code)
    document.assignments = { roles: [{ email, role: 'clerk' }] }
    await apply(document, '?assignments=true')
    const stored = await read('?assignments=true')
    const entries = () => AuditEntry.query().where('applicationId', application.id)
    const before = (await entries()).length

    document.permissions.push({ code: 'refunds', type: 'binary' })
    document.roles[0].permissions[0].accessLevel = 'edit'
    document.roles[0].permissions.push({ permission: 'refunds', accessLevel: 'allowed' })
    document.assignments.roles = []
    const kept = await plan(document, '?assignments=true')
    kept.assertStatus(200)
    kept.assertBodyContains({
      data: {
        total: 2,
        gained: 2,
        lost: 0,
        conditional: 0,
        nextCursor: null,
        changes: [
          { kind: 'permission', id: 'refunds', action: 'add', before: null },
          {
            kind: 'role',
            id: 'clerk',
            action: 'change',
            before: { permissions: { orders: { accessLevel: 'view' } } },
            after: {
              permissions: {
                orders: { accessLevel: 'edit' },
                refunds: { accessLevel: 'allowed', condition: null },
              },
            },
          },
        ],
        flips: [
          {
            email,
            permission: 'orders',
            resourceType: null,
            resourceId: null,
            before: { level: 'view', source: 'role' },
            after: { level: 'edit', source: 'role' },
          },
          {
            email,
            permission: 'refunds',
            resourceType: null,
            resourceId: null,
            before: { level: null, source: null },
            after: { level: 'allowed', source: 'role' },
          },
        ],
      },
    })
    const pruned = await plan(document, '?assignments=true&prune=true')
    pruned.assertBodyContains({ data: { total: 1, gained: 0, lost: 1 } })
    assert.containSubset(pruned.body().data.changes[0], {
      kind: 'roleAssignment',
      id: `${email} clerk`,
      action: 'remove',
      after: null,
    })
    assert.deepEqual(await read('?assignments=true'), stored)
    assert.lengthOf(await entries(), before)
  })

  test('of what is exported has no changes', async ({ client }) => {
    const { code } = await anApplicationWithPolicy()
    const { plan, read } = await policyOf(client, code)
    const document = await read('?assignments=true')
    const planned = await plan(document, '?assignments=true&prune=true')
    planned.assertBodyContains({ data: { changes: [], total: 0, flips: [], nextCursor: null } })
  })

  test('has pages of flips', async ({ client, assert }) => {
    const { code } = await anApplication()
    const { plan } = await policyOf(client, code)
    const document = shop(code)
    const emails = Array.from({ length: 3 }, () => uniqueEmail()).sort()
    document.assignments = { roles: emails.map((email) => ({ email, role: 'clerk' })) }
    const seen: string[] = []
    for (let cursor = ''; ;) {
      const page = await plan(document, `?assignments=true&limit=2${cursor}`)
      page.assertStatus(200)
      const { flips, nextCursor, total } = page.body().data
      assert.equal(total, 3)
      seen.push(...flips.map(({ email }: Document) => email))
      if (nextCursor === null) break
      cursor = `&cursor=${encodeURIComponent(nextCursor)}`
      const other = await plan(shop(code), `?assignments=true${cursor}`)
      other.assertProblem(400, 'VALIDATION_ERROR')
    }
    assert.deepEqual(seen, emails)
  })

  test('is refused if it changes the overrides of many users, but not if it adds them', async ({
    client,
    assert,
  }) => {
    const { code } = await anApplication()
    const { apply, plan, read } = await policyOf(client, code)
    const document = shop(code)
    const overrides = Array.from({ length: 1_001 }, (_, index) => ({
      email: uniqueEmail(),
      resourceType: 'order',
      resourceId: String(index),
      permission: 'orders',
      granted: true,
    }))
    document.assignments = { overrides }
    const planned = await plan(document, '?assignments=true')
    planned.assertStatus(200)
    assert.equal(planned.body().data.gained, overrides.length)
    const applied = await apply(document, '?assignments=true')
    applied.assertStatus(200)
    const stored = await read('?assignments=true')
    assert.lengthOf(stored.assignments.overrides, overrides.length)
    const [eighth] = overrides.slice(7)
    const entries = await AuditEntry.query().where({
      application: code,
      action: 'user.overrides_replaced',
    })
    assert.lengthOf(entries, overrides.length)
    const entry = entries.find(({ email }) => email === eighth.email)!
    assert.deepEqual(JSON.parse(entry.stateBefore!), { 'order/7': {} })
    assert.containSubset(JSON.parse(entry.stateAfter!), {
      'order/7': { orders: { granted: true } },
    })
    for (const override of overrides) override.granted = false
    const refused = await plan(document, '?assignments=true')
    refused.assertProblem(409, 'POLICY_TOO_LARGE')
    const of = 'users and resources with changed overrides'
    assert.deepEqual(refused.body().details, { limit: 1_000, of })
  })

  test('is refused if many users lose roles', async ({ client, assert }) => {
    const { code } = await anApplication()
    const { apply, plan } = await policyOf(client, code)
    const document = shop(code)
    const roles = Array.from({ length: 1_001 }, () => ({ email: uniqueEmail(), role: 'clerk' }))
    document.assignments = { roles }
    const applied = await apply(document, '?assignments=true')
    applied.assertStatus(200)
    document.assignments = { roles: [] }
    const refused = await plan(document, '?assignments=true&prune=true')
    refused.assertProblem(409, 'POLICY_TOO_LARGE')
    const of = 'users with changed or removed roles'
    assert.deepEqual(refused.body().details, { limit: 1_000, of })
  })
})
