import { type KeyObject, createPublicKey, generateKeyPairSync } from 'node:crypto'
import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import mailConfig from '#config/mail'
import Brand from '#app/platform/models/brand'
import { DKIM_PRIVATE_KEY, SMTP_PASSWORD } from '#app/platform/values/brand_mail'
import { secrets } from '#core/secrets'
import db from '@adonisjs/lucid/services/db'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueCode,
  uniqueEmail,
} from '#tests/helpers/people'
import { aBrand } from '#tests/helpers/platform'

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const NO_APPEARANCE = {
  primaryColor: null,
  backgroundColor: null,
  fontColor: null,
  logoUrl: null,
  iconUrl: null,
}

/** As base64 of its DER, as in a DNS record. */
const publicKeyOf = (key: string) =>
  createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64')
const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
const rsaKey = (modulusLength = 2_048) =>
  pem(generateKeyPairSync('rsa', { modulusLength }).privateKey)

const SMTP = { host: 'smtp.acme.example', port: 465, secure: true, user: 'mailer' }

interface ShownRecord {
  kind: string
  name: string
  value: string | null
}

test.group('DNS records of a brand', (group) => {
  group.each.teardown(() => {
    mailConfig.spf = null
    mailConfig.bounceAddress = null
  })

  const recordsOf = async (client: ApiClient, fields: object): Promise<ShownRecord[]> => {
    const body = { slug: uniqueCode('brand'), name: 'Acme', ...fields }
    const response = await superAdmin(client).post('/api/admin/brands', body)
    response.assertStatus(201)
    return response.body().data.dnsRecords
  }

  test('are none without a sender and a key', async ({ assert, client }) => {
    assert.deepEqual(await recordsOf(client, { smtp: { ...SMTP, password: null } }), [])
  })

  test('name the servers of the platform, if the operator does', async ({ assert, client }) => {
    const spf = async () => {
      const records = await recordsOf(client, { emailFrom: 'shop@acme.example' })
      assert.deepEqual(records.map(({ kind }) => kind).sort(), ['dmarc', 'spf'])
      return records.find(({ kind }) => kind === 'spf')
    }
    assert.deepEqual(await spf(), { kind: 'spf', name: 'acme.example', value: null })
    mailConfig.spf = 'include:spf.mail.example ip4:192.0.2.7'
    const value = 'v=spf1 include:spf.mail.example ip4:192.0.2.7 ~all'
    assert.deepEqual(await spf(), { kind: 'spf', name: 'acme.example', value })
    mailConfig.bounceAddress = { local: 'bounces', domain: 'platform.example' }
    assert.deepEqual(await spf(), { kind: 'spf', name: 'platform.example', value })
  })

  test('name the server of the brand: {$self}')
    .with([
      ['smtp.acme.example', 'a:smtp.acme.example'],
      ['192.0.2.7', 'ip4:192.0.2.7'],
      ['2001:db8::7', 'ip6:2001:db8::7'],
    ])
    .run(async ({ assert, client }, [host, mechanism]) => {
      mailConfig.bounceAddress = { local: 'bounces', domain: 'platform.example' }
      const smtp = { ...SMTP, host, password: null }
      const records = await recordsOf(client, { emailFrom: 'shop@acme.example', smtp })
      const value = `v=spf1 ${mechanism} ~all`
      assert.deepInclude(records, { kind: 'spf', name: 'acme.example', value })
    })
})

test.group('Brands', () => {
  test('a slug and a name are enough for a brand', async ({ client, assert }) => {
    const slug = uniqueCode('brand')
    const response = await superAdmin(client).post('/api/admin/brands', { slug, name: 'Acme' })

    response.assertStatus(201)
    const { success, data } = response.body()
    assert.isTrue(success)
    assert.match(data.createdAt, TIMESTAMP)
    assert.match(data.updatedAt, TIMESTAMP)
    assert.deepEqual(data, {
      id: data.id,
      slug,
      name: 'Acme',
      idpOrgId: null,
      isDefault: false,
      emailFrom: null,
      emailFromName: null,
      replyTo: null,
      smtp: null,
      dkim: null,
      dnsRecords: [],
      appearance: NO_APPEARANCE,
      createdAt: data.createdAt,
      updatedAt: data.updatedAt,
    })
  })

  test('every field is stored, and secrets are shown only as set or not set', async ({
    client,
    assert,
  }) => {
    const admin = superAdmin(client)
    const key = rsaKey()
    const fields = {
      slug: uniqueCode('brand'),
      name: 'Acme',
      idpOrgId: uniqueCode('org'),
      emailFrom: 'Mail@Acme.example',
      emailFromName: 'Acme, s.r.o. "Příliš"',
      replyTo: 'help@acme.example',
      appearance: {
        primaryColor: '#0af',
        backgroundColor: '#FFFFFF',
        fontColor: '#11223344',
        logoUrl: 'https://acme.example/logo.png',
        iconUrl: 'http://acme.example/icon.png',
      },
    }
    const response = await admin.post('/api/admin/brands', {
      ...fields,
      smtp: { ...SMTP, password: 'S3cret-of-smtp' },
      dkim: { domain: 'acme.example', selector: 'c1._x', privateKey: key },
    })

    response.assertStatus(201)
    const { data } = response.body()
    const { id, createdAt, updatedAt } = data
    const expected = {
      id,
      ...fields,
      emailFrom: 'mail@acme.example',
      isDefault: false,
      smtp: { ...SMTP, hasPassword: true, tls: 'opportunistic' },
      dkim: {
        domain: 'acme.example',
        selector: 'c1._x',
        hasPrivateKey: true,
        dnsRecord: {
          name: 'c1._x._domainkey.acme.example',
          value: `v=DKIM1; k=rsa; p=${publicKeyOf(key)}`,
        },
      },
      dnsRecords: [
        {
          kind: 'dkim',
          name: 'c1._x._domainkey.acme.example',
          value: `v=DKIM1; k=rsa; p=${publicKeyOf(key)}`,
        },
        { kind: 'spf', name: 'acme.example', value: `v=spf1 a:${SMTP.host} ~all` },
        {
          kind: 'dmarc',
          name: '_dmarc.acme.example',
          value: 'v=DMARC1; p=none; rua=mailto:postmaster@acme.example',
        },
      ],
      createdAt,
      updatedAt,
    }
    assert.deepEqual(data, expected)
    const shown = await admin.get(`/api/admin/brands/${id}`)
    shown.assertStatus(200)
    assert.deepEqual(shown.body(), { success: true, data: expected })
    const list = await admin.get('/api/admin/brands')
    assert.isTrue(list.body().success)
    assert.deepEqual(
      list.body().data.find((brand: { id: number }) => brand.id === id),
      expected
    )
    const ids = list.body().data.map((brand: { id: number }) => brand.id)
    assert.deepEqual(
      ids,
      [...ids].sort((a, b) => a - b)
    )
    for (const each of [response, shown, list]) {
      assert.notInclude(each.text(), 'S3cret-of-smtp')
      assert.notInclude(each.text(), 'PRIVATE KEY')
    }
  })

  test('secrets are encrypted at rest, each for its own purpose', async ({ client, assert }) => {
    const key = rsaKey()
    const { id } = await aBrand(client, {
      smtp: { ...SMTP, password: ' padded secret ' },
      dkim: { domain: 'acme.example', selector: 's', privateKey: key },
    })

    const [row] = await db.from('brands').where('id', id)
    assert.notInclude(JSON.stringify(row), 'padded secret')
    assert.notInclude(JSON.stringify(row), 'PRIVATE KEY')
    const { smtp, dkim } = await Brand.findOrFail(id)
    assert.equal(secrets.decrypt(smtp!.password!, SMTP_PASSWORD), ' padded secret ')
    assert.equal(secrets.decrypt(dkim!.privateKey!, DKIM_PRIVATE_KEY), key)
    assert.isNull(secrets.decrypt(smtp!.password!, DKIM_PRIVATE_KEY))
  })

  test('an update without a secret keeps the stored one, null removes it', async ({
    client,
    assert,
  }) => {
    const admin = superAdmin(client)
    const key = rsaKey()
    const { id } = await aBrand(client, {
      smtp: { ...SMTP, password: 'first' },
      dkim: { domain: 'acme.example', selector: 's1', privateKey: key },
    })
    const update = async (fields: object) => {
      const response = await admin.put(`/api/admin/brands/${id}`, fields)
      response.assertStatus(200)
      const { smtp, dkim } = await Brand.findOrFail(id)
      return {
        data: response.body().data,
        password: smtp?.password && secrets.decrypt(smtp.password, SMTP_PASSWORD),
        privateKey: dkim?.privateKey && secrets.decrypt(dkim.privateKey, DKIM_PRIVATE_KEY),
      }
    }

    const renamed = await update({ name: 'New name' })
    assert.equal(renamed.data.name, 'New name')
    assert.deepEqual(renamed.data.smtp, { ...SMTP, hasPassword: true, tls: 'opportunistic' })
    assert.equal(renamed.password, 'first')
    assert.equal(renamed.privateKey, key)

    const moved = await update({
      smtp: { host: '192.0.2.1', user: null, password: 'first' },
      dkim: { domain: 'acme.example', selector: 's2' },
    })
    assert.deepEqual(moved.data.smtp, {
      host: '192.0.2.1',
      port: 465,
      secure: true,
      user: null,
      hasPassword: true,
      tls: 'opportunistic',
    })
    assert.equal(moved.password, 'first')
    assert.equal(moved.data.dkim.selector, 's2')
    assert.equal(moved.privateKey, key)

    const changed = await update({ smtp: { ...SMTP, password: 'second' } })
    assert.equal(changed.password, 'second')

    const emptied = await update({
      smtp: { ...SMTP, password: null },
      dkim: { domain: 'acme.example', selector: 's2', privateKey: null },
    })
    assert.deepEqual(emptied.data.smtp, { ...SMTP, hasPassword: false, tls: 'opportunistic' })
    assert.deepEqual(emptied.data.dkim, {
      domain: 'acme.example',
      selector: 's2',
      hasPrivateKey: false,
      dnsRecord: null,
    })

    const removed = await update({ smtp: null, dkim: null, appearance: null })
    assert.isNull(removed.data.smtp)
    assert.isNull(removed.data.dkim)
    assert.deepEqual(removed.data.appearance, NO_APPEARANCE)

    const again = await update({ smtp: { host: 'smtp.acme.example' } })
    assert.deepEqual(again.data.smtp, {
      host: 'smtp.acme.example',
      port: 587,
      secure: false,
      user: null,
      hasPassword: false,
      tls: 'opportunistic',
    })
  })

  test('setting one colour keeps the others', async ({ client, assert }) => {
    const { id } = await aBrand(client, { appearance: { primaryColor: '#112233' } })
    const response = await superAdmin(client).put(`/api/admin/brands/${id}`, {
      appearance: { fontColor: '#000' },
    })
    assert.deepEqual(response.body().data.appearance, {
      ...NO_APPEARANCE,
      primaryColor: '#112233',
      fontColor: '#000',
    })
  })

  test('an unusable DKIM key is refused on save', async ({ client }) => {
    const admin = superAdmin(client)
    const { id } = await aBrand(client)
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    const passphrase = { cipher: 'aes-256-cbc', passphrase: 'pass' }
    const unusable = {
      'no key': 'not a key',
      'a cut key': rsaKey().slice(0, 400),
      'a public key': rsa.publicKey.export({ type: 'spki', format: 'pem' }),
      'an encrypted key': rsa.privateKey.export({ type: 'pkcs8', format: 'pem', ...passphrase }),
      'Ed25519': pem(generateKeyPairSync('ed25519').privateKey),
      'an elliptic curve': pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
      'RSA-PSS': pem(generateKeyPairSync('rsa-pss', { modulusLength: 2_048 }).privateKey),
      'too short': rsaKey(512),
    }
    for (const privateKey of Object.values(unusable)) {
      const dkim = { domain: 'acme.example', selector: 's', privateKey }
      const updated = await admin.put(`/api/admin/brands/${id}`, { name: 'Changed', dkim })
      updated.assertProblem(400, 'INVALID_DKIM_KEY')
      const created = await admin.post('/api/admin/brands', {
        slug: uniqueCode('brand'),
        name: 'Broken',
        dkim,
      })
      created.assertProblem(400, 'INVALID_DKIM_KEY')
    }
    const brand = await admin.get(`/api/admin/brands/${id}`)
    brand.assertBodyContains({ data: { dkim: null } })
  })

  test('a traditional RSA key is accepted like PKCS #8', async ({ client, assert }) => {
    const key = generateKeyPairSync('rsa', { modulusLength: 1_024 }).privateKey
    const privateKey = key.export({ type: 'pkcs1', format: 'pem' })
    const { dkim } = await aBrand(client, {
      dkim: { domain: 'acme.example', selector: 's', privateKey },
    })
    assert.isTrue(dkim.hasPrivateKey)
  })

  test('an invalid {field} is refused')
    .with([
      { field: 'slug', value: 'Upper Case' },
      { field: 'slug', value: '__proto__' },
      { field: 'name', value: '' },
      { field: 'name', value: 'Acme\r\nBcc: x@evil.example' },
      { field: 'idpOrgId', value: 'org\n1' },
      { field: 'idpOrgId', value: 5 },
      { field: 'isDefault', value: 'true' },
      { field: 'emailFrom', value: 'Acme <mail@acme.example>' },
      { field: 'emailFrom', value: 'a@acme.example, b@acme.example' },
      { field: 'emailFrom', value: 'a@acme.example\r\nBcc: b@evil.example' },
      { field: 'emailFromName', value: 'Acme\nX: y' },
      { field: 'emailFromName', value: 'Acme\u2028X' },
      { field: 'replyTo', value: 'not an address' },
      { field: 'smtp.host', value: 'smtp.acme.example\r\nX' },
      { field: 'smtp.host', value: 'http://smtp.acme.example' },
      { field: 'smtp.port', value: 0 },
      { field: 'smtp.port', value: 65_536 },
      { field: 'smtp.port', value: '25' },
      { field: 'smtp.secure', value: 1 },
      { field: 'smtp.user', value: 'user\r\nQUIT' },
      { field: 'smtp.tls', value: 'maybe' },
      { field: 'smtp.password', value: 'pass\r\nQUIT' },
      { field: 'dkim.domain', value: 'acme.example; d=evil.example' },
      { field: 'dkim.selector', value: 's\r\n' },
      { field: 'appearance.primaryColor', value: 'red' },
      { field: 'appearance.primaryColor', value: '#12345' },
      { field: 'appearance.backgroundColor', value: '#fff;background:url(//evil.example)' },
      { field: 'appearance.fontColor', value: '#fff\n' },
      { field: 'appearance.logoUrl', value: 'javascript:alert(1)' },
      { field: 'appearance.iconUrl', value: '/icon.png' },
    ])
    .run(async ({ client }, { field, value }) => {
      const admin = superAdmin(client)
      const [name, inner] = field.split('.')
      const nested: Record<string, object> = {
        smtp: SMTP,
        dkim: { domain: 'acme.example', selector: 's' },
        appearance: {},
      }
      const given = inner ? { [name]: { ...nested[name], [inner]: value } } : { [name]: value }
      const { id } = await aBrand(client)
      const problem = { errors: [{ field }] }
      const updated = await admin.put(`/api/admin/brands/${id}`, given)
      updated.assertProblem(400, 'VALIDATION_ERROR', problem)
      const created = await admin.post('/api/admin/brands', {
        slug: uniqueCode('brand'),
        name: 'A brand',
        ...given,
      })
      created.assertProblem(400, 'VALIDATION_ERROR', problem)
    })

  test('a slug and an organisation belong to at most one brand', async ({ client }) => {
    const admin = superAdmin(client)
    const first = await aBrand(client, { idpOrgId: uniqueCode('org') })
    const second = await aBrand(client)

    const again = await admin.post('/api/admin/brands', { slug: first.slug, name: 'Again' })
    again.assertProblem(409, 'BRAND_EXISTS')
    const renamed = await admin.put(`/api/admin/brands/${second.id}`, { slug: first.slug })
    renamed.assertProblem(409, 'BRAND_EXISTS')
    const taken = await admin.put(`/api/admin/brands/${second.id}`, { idpOrgId: first.idpOrgId })
    taken.assertProblem(409, 'ORGANISATION_HAS_BRAND', { idpOrgId: first.idpOrgId })
    const own = await admin.put(`/api/admin/brands/${first.id}`, { idpOrgId: first.idpOrgId })
    own.assertStatus(200)
  })

  test('of many concurrent requests for one slug or organisation, exactly one succeeds', async ({
    client,
    assert,
  }) => {
    const admin = superAdmin(client)
    const slug = uniqueCode('brand')
    const idpOrgId = uniqueCode('org')
    const statuses = async (bodies: object[]) => {
      const responses = await Promise.all(
        bodies.map((body) => admin.post('/api/admin/brands', body))
      )
      return responses.map((response) => response.status()).sort()
    }
    const five = Array.from({ length: 5 })

    assert.deepEqual(
      await statuses(five.map(() => ({ slug, name: 'One' }))),
      [201, 409, 409, 409, 409]
    )
    const sharing = five.map(() => ({ slug: uniqueCode('brand'), name: 'One', idpOrgId }))
    assert.deepEqual(await statuses(sharing), [201, 409, 409, 409, 409])
  })

  test('an unknown brand is not found', async ({ client }) => {
    const admin = superAdmin(client)
    for (const id of ['999999999', '2147483647']) {
      const path = `/api/admin/brands/${id}`
      const responses = [await admin.get(path), await admin.put(path, {}), await admin.delete(path)]
      for (const response of responses) response.assertProblem(404, 'BRAND_NOT_FOUND')
    }
    const malformed = await admin.get('/api/admin/brands/one')
    malformed.assertProblem(400, 'VALIDATION_ERROR')
  })

  test('global panel admins can manage brands, and everyone in the panel can read them', async ({
    client,
  }) => {
    const { id } = await aBrand(client)
    const stranger = signedIn(client, uniqueEmail())
    const administrator = signedIn(client, await anAdministratorOf(await anApplication()))
    const one = `/api/admin/brands/${id}`

    for (const path of ['/api/admin/brands', one]) {
      const refused = await stranger.get(path)
      refused.assertProblem(403, 'FORBIDDEN')
      const shown = await administrator.get(path)
      shown.assertStatus(200)
      const anonymous = await client.get(path)
      anonymous.assertProblem(401, 'UNAUTHENTICATED')
    }
    for (const person of [stranger, administrator]) {
      const created = await person.post('/api/admin/brands', { slug: 'x', name: 'X' })
      created.assertProblem(403, 'FORBIDDEN')
      const updated = await person.put(one, { name: 'X' })
      updated.assertProblem(403, 'FORBIDDEN')
      const deleted = await person.delete(one)
      deleted.assertProblem(403, 'FORBIDDEN')
    }
  })
})

test.group('The default brand', (group) => {
  /** All tests share the default brand, so each restores it. */
  group.each.setup(async () => {
    const before = await Brand.default()
    return async () => {
      await Brand.query().update({ isDefault: false })
      await Brand.query().where('id', before.id).update({ isDefault: true })
    }
  })

  const defaults = async () => {
    const brands = await Brand.query().where('isDefault', true)
    return brands.map(({ id }) => id)
  }

  test('changes when another brand is created or updated as the default', async ({
    client,
    assert,
  }) => {
    const created = await aBrand(client, { isDefault: true })
    assert.isTrue(created.isDefault)
    assert.deepEqual(await defaults(), [created.id])

    const { id } = await aBrand(client)
    const response = await superAdmin(client).put(`/api/admin/brands/${id}`, { isDefault: true })
    response.assertStatus(200)
    assert.isTrue(response.body().data.isDefault)
    assert.deepEqual(await defaults(), [id])
  })

  test('is kept if the new default brand is refused', async ({ client, assert }) => {
    const before = await defaults()
    const response = await superAdmin(client).post('/api/admin/brands', {
      slug: (await aBrand(client)).slug,
      name: 'Taken',
      isDefault: true,
    })
    response.assertProblem(409, 'BRAND_EXISTS')
    assert.deepEqual(await defaults(), before)
  })

  test('cannot be deleted or unset', async ({ client, assert }) => {
    const admin = superAdmin(client)
    const { id } = await aBrand(client, { isDefault: true })
    const deleted = await admin.delete(`/api/admin/brands/${id}`)
    deleted.assertProblem(409, 'BRAND_IS_DEFAULT')
    const unset = await admin.put(`/api/admin/brands/${id}`, { isDefault: false, name: 'Changed' })
    unset.assertProblem(409, 'BRAND_IS_DEFAULT')
    const same = await admin.put(`/api/admin/brands/${id}`, { isDefault: true })
    same.assertStatus(200)
    assert.deepEqual(await defaults(), [id])
  })

  test('is exactly one after concurrent changes', async ({ client, assert }) => {
    const admin = superAdmin(client)
    const brands = [await aBrand(client), await aBrand(client), await aBrand(client)]
    const responses = await Promise.all([
      ...brands.map(({ id }) => admin.put(`/api/admin/brands/${id}`, { isDefault: true })),
      ...brands.map(({ slug }) =>
        admin.post('/api/admin/brands', { slug: `${slug}-b`, name: 'B', isDefault: true })
      ),
    ])
    assert.deepEqual(
      responses.map((response) => response.status()),
      [200, 200, 200, 201, 201, 201]
    )
    assert.lengthOf(await defaults(), 1)
  })

  test('replaces a deleted brand for its users', async ({ client, assert }) => {
    const admin = superAdmin(client)
    const person = signedIn(client, uniqueEmail())
    const brand = await aBrand(client)
    const chosen = await person.put('/api/profile/me', { brand: brand.slug })
    assert.equal(chosen.body().data.brand, brand.slug)

    const deleted = await admin.delete(`/api/admin/brands/${brand.id}`)
    deleted.assertStatus(204)
    assert.equal(deleted.text(), '')
    const profile = await person.get('/api/profile/me')
    const { slug } = await Brand.default()
    assert.equal(profile.body().data.brand, slug)
    const gone = await admin.get(`/api/admin/brands/${brand.id}`)
    gone.assertProblem(404, 'BRAND_NOT_FOUND')
  })
})
