import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { sealEntries } from '#app/audit/actions/seal_entries'
import { verifyChain } from '#app/audit/actions/verify_chain'
import { recordChange } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import AuditEntry from '#app/audit/models/audit_entry'
import { removeOtherSuperAdmins } from '#tests/access/callers'
import { START, emptyChain, hashAfter } from '#tests/helpers/audit_chain'
import { recordStatements } from '#tests/helpers/count_statements'
import { inPath, manageApplication } from '#tests/helpers/management'
import { anApplication, signedIn, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { credentials, sendBody } from '#tests/helpers/send'

async function aScene(client: ApiClient) {
  const { code } = await anApplication()
  const manage = manageApplication(client, code)
  return { admin: superAdmin(client), code, manage, email: uniqueEmail() }
}

const allEntries = async () => JSON.stringify(await AuditEntry.query().orderBy('id'))

test.group('The audit trail of an erased user', (group) => {
  group.each.setup(emptyChain)
  group.teardown(removeOtherSuperAdmins)

  test('verifies if entries had no place in the chain yet', async ({ assert, client }) => {
    const admin = superAdmin(client)
    const { code } = await anApplication()
    const email = uniqueEmail()
    await manageApplication(client, code).administrator(email)
    const erased = await admin.delete(`/api/users/${inPath(email)}`)
    erased.assertStatus(204)
    await sealEntries()
    assert.isNull((await verifyChain()).fault)
    assert.notInclude(await allEntries(), email)
  })

  test('does not confirm a guess of their address', async ({ assert, client }) => {
    const admin = superAdmin(client)
    const { code } = await anApplication()
    const email = uniqueEmail()
    const manage = manageApplication(client, code)
    await manage.administrator(email)
    const role = await manage.role()
    await manage.userRoles(email, [role.id])
    const path = `/api/applications/${code}/roles/${role.id}`
    // Its state names the address, but it is not about the user.
    ;(await admin.delete(path)).assertStatus(204)
    await sealEntries()
    const confirmed = async () => {
      const list = (await admin.get('/api/admin/audit?limit=100')).body().data.toReversed()
      return list.flatMap(({ sequence, hash, redacted, ...entry }: any, index: number) => {
        const guess = JSON.parse(JSON.stringify(entry).replaceAll(/erased-[\da-f-]{36}/g, email))
        const { salt, ...unsalted } = guess
        const previous = index === 0 ? START : list[index - 1].hash
        const isConfirmed = [guess, unsalted].some((each) => hashAfter(previous, each) === hash)
        return isConfirmed && JSON.stringify(guess).includes(email) ? [entry.action] : []
      })
    }
    const named = ['application_admin.added', 'user.roles_replaced', 'role.deleted']
    assert.includeMembers(await confirmed(), named)
    ;(await admin.delete(`/api/users/${inPath(email)}`)).assertStatus(204)
    assert.isEmpty(await confirmed())
    await sealEntries()
    assert.isNull((await verifyChain()).fault)
    const redacted = await AuditEntry.query().where('redacted', true)
    assert.includeMembers(
      redacted.map(({ action }) => action),
      named
    )
    for (const { salt, hash } of redacted) {
      assert.isNull(salt)
      assert.isNotNull(hash)
    }
  })

  test('verifies after the user who erased them was erased, too', async ({ assert, client }) => {
    const admin = superAdmin(client)
    const { code } = await anApplication()
    const [email, eraser] = [uniqueEmail(), uniqueEmail()]
    await manageApplication(client, code).administrator(email)
    await admin.post('/api/users/admins', { email: eraser })
    await sealEntries()
    const first = await signedIn(client, eraser).delete(`/api/users/${inPath(email)}`)
    first.assertStatus(204)
    await sealEntries()
    const second = await admin.delete(`/api/users/${inPath(eraser)}`)
    second.assertStatus(204)
    await sealEntries()
    assert.isNull((await verifyChain()).fault)
    assert.notInclude(await allEntries(), eraser)
  })

  test('does not name them among what deletions deleted', async ({ assert, client }) => {
    const admin = superAdmin(client)
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    const [role, permission] = [await manage.role(), await manage.permission()]
    const [email, other] = [uniqueEmail(), uniqueEmail()]
    for (const one of [email, other]) {
      await manage.userRoles(one, [role.id])
      await manage.overrides(one, ['doc', '1'], [{ permissionId: permission.id, granted: true }])
      await manage.administrator(one)
    }
    await admin.delete(`/api/applications/${code}/roles/${role.id}`)
    await admin.delete(`/api/applications/${code}/permissions/${permission.id}`)
    await admin.delete(`/api/applications/${code}`)
    await sealEntries()
    const erased = await admin.delete(`/api/users/${inPath(email)}`)
    erased.assertStatus(204)
    await sealEntries()
    assert.isNull((await verifyChain()).fault)
    const text = await allEntries()
    assert.notInclude(text, email)
    assert.include(text, other)
  })

  test('does not name them in reasons, labels or ids, whatever the case', async ({
    assert,
    client,
  }) => {
    const { admin, code, manage, email } = await aScene(client)
    const longer = `x.${email}`
    await manage.role({ code: 'seller', name: `Of ${longer}` })
    const { id } = await manage.entity()
    const reason = `Asked for by <${email.toUpperCase()}>.`
    const headers = { ...(await credentials('token')), 'x-audit-reason': reason }
    const path = `/api/applications/${code}/entities/${id}/resources`
    const url = `https://shop.example/?owner=${encodeURIComponent(email)}&x=1`
    const resources = [{ resourceId: email, label: 'x', properties: { owner: email, url } }]
    await sendBody('PUT', path, JSON.stringify({ resources }), headers)
    await manage.administrator(email)
    await sealEntries()
    const erased = await admin.delete(`/api/users/${inPath(email)}`)
    erased.assertStatus(204)
    await sealEntries()
    assert.isNull((await verifyChain()).fault)
    const text = await allEntries()
    assert.include(text, longer)
    assert.notInclude(text.replaceAll(longer, '').toLowerCase(), email)
    assert.notInclude(text, encodeURIComponent(email))
  })

  test('keeps what it says about others whose addresses end with theirs', async ({
    assert,
    client,
  }) => {
    const { admin, manage, email } = await aScene(client)
    const longer = `o'${email}`
    for (const one of [email, longer]) await manage.administrator(one)
    await manage.role({ name: `Of ${longer}, '${email}' and users/${email}` })
    await manage.role({ name: `Of ${encodeURIComponent(longer)}` })
    await sealEntries()
    const about = async () => {
      const entries = await AuditEntry.query().where({ email: longer }).orderBy('id')
      return entries.map(({ targetId, redacted }) => ({ targetId, redacted }))
    }
    const before = await about()
    ;(await admin.delete(`/api/users/${inPath(email)}`)).assertStatus(204)
    assert.deepEqual(await about(), before)
    const text = await allEntries()
    assert.match(text, new RegExp(`Of ${longer}, 'erased-[^']*' and users/erased-`))
    assert.include(text, `Of ${encodeURIComponent(longer)}`)
    assert.notInclude(text.replaceAll(longer, ''), email)
  })

  test('does not name them as people write their domains', async ({ assert, client }) => {
    const { code } = await anApplication()
    const name = `žofie${uniqueEmail().split('@')[0]}`
    const email = `${name}@xn--strae-oqa.example`
    const written = `${name}@straße.example`
    const manage = manageApplication(client, code)
    await manage.administrator(email)
    for (const form of [written, written.normalize('NFD'), encodeURIComponent(written)]) {
      await manage.role({ name: `Of ${form}` })
    }
    await sealEntries()
    assert.include(await allEntries(), written)
    const erased = await superAdmin(client).delete(`/api/users/${inPath(email)}`)
    erased.assertStatus(204)
    const text = await allEntries()
    for (const form of [written, written.normalize('NFD'), encodeURIComponent(written)]) {
      assert.notInclude(text, form)
    }
  })

  test('is searched in parts if its entries are large', async ({ assert, client }) => {
    const email = uniqueEmail()
    const target = { kind: 'role' as const, id: 1, label: 'large' }
    const fields = Array.from({ length: 8 }, (_, field) => [field, 'x'.repeat(16_000)])
    await transaction(async (trx) => {
      for (let index = 0; index < 100; index++) {
        const after = Object.fromEntries([...fields, ['name', `${index} of ${email}`]])
        const change = { action: 'role.created' as const, application: null, target }
        await recordChange(trx, { ...change, before: null, after })
      }
    })
    await signedIn(client, email).get('/api/profile/me')
    const statements = await recordStatements(async () => {
      const erased = await superAdmin(client).delete(`/api/users/${inPath(email)}`)
      erased.assertStatus(204)
    })
    const searches = statements.filter((sql) => /audit_entries/.test(sql) && / like /.test(sql))
    // 13 MB in parts of 4, and what the erasure adds.
    assert.isAbove(searches.length, 4)
    assert.notInclude(await allEntries(), email)
  })

  test('does not name them in the reason of the erasure', async ({ assert, client }) => {
    const { code } = await anApplication()
    const email = uniqueEmail()
    await manageApplication(client, code).administrator(email)
    const reason = { 'x-audit-reason': `Ticket 7, asked for by ${email}` }
    const headers = { ...(await credentials('token')), ...reason }
    const erased = await sendBody('DELETE', `/api/users/${inPath(email)}`, undefined, headers)
    assert.equal(erased.status, 204)
    await sealEntries()
    assert.isNull((await verifyChain()).fault)
    const text = await allEntries()
    assert.notInclude(text, email)
    assert.include(text, 'Ticket 7, asked for by erased-')
  })

  test('does not keep the addresses from which they signed in', async ({ assert, client }) => {
    const email = uniqueEmail()
    await signedIn(client, email).get('/api/profile/me')
    const bound = await AuditEntry.findByOrFail({ email })
    assert.equal(bound.address, '127.0.0.1')
    await superAdmin(client).delete(`/api/users/${inPath(email)}`)
    await bound.refresh()
    assert.isNull(bound.address)
  })
})
