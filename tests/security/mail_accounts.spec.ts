import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import Brand from '#app/platform/models/brand'
import { DKIM_PRIVATE_KEY, SMTP_PASSWORD } from '#app/platform/values/brand_mail'
import { secrets } from '#core/secrets'
import { signedIn, superAdmin, uniqueCode } from '#tests/helpers/people'
import { panelPerson } from '#tests/helpers/panel_people'
import { aBrand } from '#tests/helpers/platform'
import { rsaKeys } from '#tests/world/prepare'

const ACCOUNT = { host: 'smtp.acme.example', port: 465, secure: true, user: 'mailer' }
const PASSWORD = 'write-only-password'

const path = ({ id }: { id: number }) => `/api/admin/brands/${id}`

const withAccount = (client: ApiClient, fields: object = {}) =>
  aBrand(client, { smtp: { ...ACCOUNT, password: PASSWORD, ...fields } })

async function storedPassword(id: number) {
  const { smtp } = await Brand.findOrFail(id)
  return smtp?.password ? secrets.decrypt(smtp.password, SMTP_PASSWORD) : null
}

async function globalAdmin(client: ApiClient) {
  return signedIn(client, await panelPerson(client, {}, { globally: 'edit' }))
}

test.group('A stored SMTP password', () => {
  test('cannot be sent elsewhere: changing {field} needs the password')
    .with([
      { field: 'host', value: 'smtp.evil.example' },
      { field: 'port', value: 2_525 },
      { field: 'secure', value: false },
      { field: 'user', value: 'someone-else' },
      { field: 'user', value: null },
      { field: 'tls', value: 'none' },
    ])
    .run(async ({ assert, client }, { field, value }) => {
      const admin = superAdmin(client)
      const brand = await withAccount(client, { tls: 'required' })
      const smtp = { ...ACCOUNT, tls: 'required', [field]: value }

      const refused = await admin.put(path(brand), { smtp })
      refused.assertProblem(400, 'PASSWORD_REQUIRED')
      const stored = await Brand.findOrFail(brand.id)
      assert.containSubset(stored.smtp, { ...ACCOUNT, tls: 'required' })

      const emptied = await admin.put(path(brand), { smtp: { ...smtp, password: null } })
      emptied.assertStatus(200)
      assert.deepEqual(emptied.body().data.smtp, { ...smtp, hasPassword: false })
      assert.isNull(await storedPassword(brand.id))
    })

  test('is required for a change of the host alone', async ({ assert, client }) => {
    const brand = await withAccount(client)
    const refused = await superAdmin(client).put(path(brand), {
      smtp: { host: 'smtp.evil.example' },
    })
    refused.assertProblem(400, 'PASSWORD_REQUIRED')
    assert.equal(await storedPassword(brand.id), PASSWORD)
  })

  test('is kept if the account does not change or its TLS gets stricter', async ({
    assert,
    client,
  }) => {
    const admin = superAdmin(client)
    const brand = await withAccount(client, { tls: 'none' })
    for (const smtp of [
      { host: ACCOUNT.host },
      { ...ACCOUNT, tls: 'none' },
      { ...ACCOUNT, tls: 'opportunistic' },
      { ...ACCOUNT, tls: 'required' },
    ]) {
      const response = await admin.put(path(brand), { name: 'Renamed', smtp })
      response.assertStatus(200)
      assert.equal(await storedPassword(brand.id), PASSWORD)
    }
  })

  test('is deleted with the account, so that a new account starts without it', async ({
    assert,
    client,
  }) => {
    const admin = superAdmin(client)
    const brand = await withAccount(client)
    const removed = await admin.put(path(brand), { smtp: null })
    removed.assertStatus(200)
    const moved = await admin.put(path(brand), { smtp: { host: 'smtp.evil.example' } })
    moved.assertStatus(200)
    assert.isFalse(moved.body().data.smtp.hasPassword)
  })

  test('is safe from concurrent changes of host and password', async ({ assert, client }) => {
    const admin = superAdmin(client)
    const brand = await withAccount(client)
    const responses = await Promise.all([
      ...[1, 2, 3].map(() => admin.put(path(brand), { smtp: { host: 'smtp.evil.example' } })),
      admin.put(path(brand), { smtp: { ...ACCOUNT, password: 'newer' } }),
      ...[1, 2, 3].map(() => admin.put(path(brand), { smtp: { host: 'smtp.evil.example' } })),
    ])
    assert.equal(responses.filter((response) => response.status() === 400).length, 6)
    const { smtp } = await Brand.findOrFail(brand.id)
    assert.equal(smtp!.host, ACCOUNT.host)
    assert.equal(await storedPassword(brand.id), 'newer')
  })
})

test.group('Mail settings of a brand', () => {
  test('{field} cannot be set by a global panel admin')
    .with([
      { field: 'smtp', value: { host: 'smtp.evil.example' } },
      { field: 'smtp', value: { ...ACCOUNT, password: 'new' } },
      { field: 'smtp', value: { ...ACCOUNT, tls: 'none', password: null } },
      { field: 'smtp', value: null },
      { field: 'dkim', value: { domain: 'evil.example', selector: 's1' } },
      { field: 'dkim', value: { domain: 'evil.example', selector: 's1', privateKey: 'no key' } },
      { field: 'dkim', value: null },
      { field: 'emailFrom', value: 'ceo@acme.example' },
      { field: 'emailFrom', value: null },
      { field: 'replyTo', value: 'attacker@evil.example' },
    ])
    .run(async ({ assert, client }, { field, value }) => {
      const admin = await globalAdmin(client)
      const privateKey = rsaKeys().privateKey
      const brand = await aBrand(client, {
        emailFrom: 'mail@acme.example',
        replyTo: 'help@acme.example',
        smtp: { ...ACCOUNT, password: PASSWORD },
        dkim: { domain: 'acme.example', selector: 's1', privateKey },
      })
      const refused = await admin.put(path(brand), { name: 'Taken over', [field]: value })
      refused.assertProblem(403, 'FORBIDDEN', { fields: [field], needs: { superAdmin: true } })

      const stored = await Brand.findOrFail(brand.id)
      assert.equal(stored.name, brand.name)
      assert.equal(stored.emailFrom, 'mail@acme.example')
      assert.equal(stored.replyTo, 'help@acme.example')
      assert.equal(await storedPassword(brand.id), PASSWORD)
      assert.equal(secrets.decrypt(stored.dkim!.privateKey!, DKIM_PRIVATE_KEY), privateKey)
      if (value === null) return
      const created = await admin.post('/api/admin/brands', {
        slug: uniqueCode('brand'),
        name: 'A brand',
        [field]: value,
      })
      created.assertProblem(403, 'FORBIDDEN', { fields: [field] })
    })

  test('cannot be deleted with their brand by a global panel admin', async ({ assert, client }) => {
    const admin = await globalAdmin(client)
    const brand = await aBrand(client, { smtp: { ...ACCOUNT, password: PASSWORD } })
    const refused = await admin.delete(path(brand))
    refused.assertProblem(403, 'FORBIDDEN', { fields: ['smtp'], needs: { superAdmin: true } })
    assert.equal(await storedPassword(brand.id), PASSWORD)
    const plain = await aBrand(client)
    ;(await admin.delete(path(plain))).assertStatus(204)
    ;(await superAdmin(client).delete(path(brand))).assertStatus(204)
  })

  test('can be sent unchanged by a global panel admin', async ({ assert, client }) => {
    const admin = await globalAdmin(client)
    const brand = await aBrand(client, {
      emailFrom: 'mail@acme.example',
      replyTo: 'help@acme.example',
      smtp: { ...ACCOUNT, password: PASSWORD },
      dkim: { domain: 'acme.example', selector: 's1', privateKey: rsaKeys().privateKey },
    })
    const shown = (await admin.get(path(brand))).body().data
    const saved = await admin.put(path(brand), { ...shown, name: 'Renamed' })
    saved.assertStatus(200)
    assert.deepEqual(
      { ...saved.body().data, updatedAt: null },
      { ...shown, name: 'Renamed', updatedAt: null }
    )
    assert.equal(await storedPassword(brand.id), PASSWORD)
  })

  test('cannot name a metadata service or another link-local address', async ({ client }) => {
    const admin = superAdmin(client)
    for (const host of [
      '169.254.169.254',
      'fe80::1',
      '::ffff:169.254.169.254',
      'fd00:ec2::254',
      'fd00:ec2::254%1',
    ]) {
      const created = await admin.post('/api/admin/brands', {
        slug: uniqueCode('brand'),
        name: 'A brand',
        smtp: { host, password: 'x' },
      })
      created.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'smtp.host' }] })
    }
  })
})
