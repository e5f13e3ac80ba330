import { test } from '@japa/runner'
import router from '@adonisjs/core/services/router'
import Application from '#app/applications/models/application'
import { RESERVED_CODES } from '#app/applications/values/reserved_codes'
import NotificationType from '#app/notifications/models/notification_type'
import { TIMESTAMP } from '#tests/helpers/management'
import { superAdmin, uniqueCode } from '#tests/helpers/people'

test.group('Create an application', () => {
  test('every given field is stored and returned', async ({ client, assert }) => {
    const admin = superAdmin(client)
    const code = uniqueCode('shop')
    const fields = {
      name: 'Shop',
      description: 'Sells things',
      supportedLanguages: ['cs', 'en'],
      membership: 'granted',
      outsideRecipients: true,
    }

    const response = await admin.post('/api/applications', { code, ...fields })
    response.assertStatus(201)
    const { success, data } = response.body()
    assert.isTrue(success)
    assert.isAbove(data.id, 0)
    assert.match(data.createdAt, TIMESTAMP)
    const { id, createdAt } = data
    assert.deepEqual(data, { id, code, ...fields, createdAt, level: 'edit' })

    const read = await admin.get(`/api/applications/${code}`)
    assert.deepEqual(read.body(), { success: true, data })
  })

  test('a code and a name are enough', async ({ client, assert }) => {
    const code = uniqueCode('plain')
    const response = await superAdmin(client).post('/api/applications', { code, name: 'Plain' })
    response.assertStatus(201)
    const { data } = response.body()
    assert.deepEqual(data, {
      id: data.id,
      code,
      name: 'Plain',
      description: null,
      createdAt: data.createdAt,
      supportedLanguages: [],
      membership: 'open',
      outsideRecipients: false,
      level: 'edit',
    })
  })

  test('a new application has the notification type generic', async ({ client, assert }) => {
    const code = uniqueCode()
    const response = await superAdmin(client).post('/api/applications', { code, name: 'New' })
    const types = await NotificationType.query().where('applicationId', response.body().data.id)
    assert.lengthOf(types, 1)
    const [generic] = types
    assert.equal(generic.code, 'generic')
    assert.isTrue(generic.emailEnabled)
    assert.isTrue(generic.pushEnabled)
    assert.isTrue(generic.userCanDisable)
    assert.isFalse(generic.system)
  })

  test('a code that is taken is a conflict and does not change the existing application', async ({
    client,
    assert,
  }) => {
    const admin = superAdmin(client)
    const code = uniqueCode('taken')
    const first = await admin.post('/api/applications', { code, name: 'First' })

    const second = await admin.post('/api/applications', { code, name: 'Second' })
    second.assertProblem(409, 'APPLICATION_EXISTS')
    const read = await admin.get(`/api/applications/${code}`)
    assert.deepEqual(read.body(), first.body())
  })

  test('a code that is part of paths is refused', async ({ client, assert }) => {
    for (const code of RESERVED_CODES) {
      const response = await superAdmin(client).post('/api/applications', { code, name: 'Shop' })
      response.assertProblem(400, 'RESERVED_CODE', { reserved: RESERVED_CODES })
      assert.isNull(await Application.findBy({ code }))
    }
    assert.includeMembers(RESERVED_CODES, segmentsBesideCodes())
  })

  test('of many concurrent requests to create the same code, exactly one succeeds', async ({
    client,
    assert,
  }) => {
    const admin = superAdmin(client)
    const code = uniqueCode('race')
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => admin.post('/api/applications', { code, name: 'Race' }))
    )
    const statuses = responses.map((response) => response.status()).sort()
    assert.deepEqual(statuses, [201, ...Array.from({ length: 7 }, () => 409)])
    const types = await NotificationType.query().whereIn('applicationId', (applications) =>
      applications.from('applications').where('code', code).select('id')
    )
    assert.lengthOf(types, 1)
  })

  test('an unknown language is reported once, and nothing is created', async ({
    client,
    assert,
  }) => {
    const admin = superAdmin(client)
    const code = uniqueCode()
    const response = await admin.post('/api/applications', {
      code,
      name: 'Polyglot',
      supportedLanguages: ['en', 'tlh', 'CS', 'tlh'],
    })
    response.assertProblem(400, 'UNKNOWN_LANGUAGES')
    assert.deepEqual(response.body().details, {
      code: 'UNKNOWN_LANGUAGES',
      unknown: ['tlh', 'CS'],
    })
    const read = await admin.get(`/api/applications/${code}`)
    read.assertProblem(404, 'APPLICATION_NOT_FOUND')
  })

  test('a repeated language is stored once', async ({ client, assert }) => {
    const response = await superAdmin(client).post('/api/applications', {
      code: uniqueCode(),
      name: 'Twice',
      supportedLanguages: ['en', 'cs', 'en'],
    })
    assert.deepEqual(response.body().data.supportedLanguages, ['en', 'cs'])
  })

  test('a code is a slug: {what} is refused')
    .with([
      { what: 'empty text', code: '' },
      { what: 'a blank', code: ' ' },
      { what: 'upper case', code: 'Shop' },
      { what: 'a blank inside', code: 'my shop' },
      { what: 'a slash', code: 'shop/a' },
      { what: 'a letter beyond ASCII', code: 'šop' },
      { what: '__proto__', code: '__proto__' },
      { what: 'constructor', code: 'constructor' },
      { what: 'a NUL character', code: 'shop\u0000' },
      { what: 'a lone surrogate', code: 'shop\ud800' },
      { what: 'a line break at the end', code: 'shop\n' },
      { what: 'more than 128 characters', code: 'a'.repeat(129) },
    ])
    .run(async ({ client }, { code }) => {
      const response = await superAdmin(client).post('/api/applications', { code, name: 'Odd' })
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'code' }] })
    })

  test('a field must have its own type: {field} is refused as {what}')
    .with([
      { field: 'code', what: 'a number', value: 7 },
      { field: 'code', what: 'null', value: null },
      { field: 'name', what: 'an object', value: { first: 'Shop' } },
      { field: 'name', what: 'blanks', value: '   ' },
      { field: 'name', what: 'more than 255 characters', value: 'n'.repeat(256) },
      { field: 'description', what: 'a boolean', value: true },
      { field: 'supportedLanguages', what: 'a string', value: 'en' },
      { field: 'supportedLanguages', what: 'an object', value: { 0: 'en' } },
    ])
    .run(async ({ client }, { field, value }) => {
      const body = { code: uniqueCode(), name: 'Typed', [field]: value }
      const response = await superAdmin(client).post('/api/applications', body)
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field }] })
    })

  test('a missing body reports every required field', async ({ client }) => {
    const errors = [
      { field: 'code', rule: 'required' },
      { field: 'name', rule: 'required' },
    ]
    const admin = superAdmin(client)
    const without = await admin.post('/api/applications')
    without.assertProblem(400, 'VALIDATION_ERROR', { errors })
    const empty = await admin.post('/api/applications', {})
    empty.assertProblem(400, 'VALIDATION_ERROR', { errors })
    const array = await admin.post('/api/applications', [])
    array.assertProblem(400, 'VALIDATION_ERROR')
  })

  test('unknown fields are ignored', async ({ client, assert }) => {
    const code = uniqueCode()
    const response = await superAdmin(client).post('/api/applications', {
      code,
      name: 'Extra',
      id: 1,
      createdAt: '2001-01-01T00:00:00.000Z',
      isAdmin: true,
    })
    response.assertStatus(201)
    const { data } = response.body()
    assert.sameMembers(Object.keys(data), [
      'id',
      'code',
      'name',
      'description',
      'createdAt',
      'supportedLanguages',
      'membership',
      'outsideRecipients',
      'level',
    ])
    assert.notEqual(data.id, 1)
    assert.notEqual(data.createdAt, '2001-01-01T00:00:00.000Z')
  })
})

/** Fixed segments of paths where another path has the code of an application. */
function segmentsBesideCodes() {
  const patterns = Object.values(router.toJSON())
    .flat()
    .map(({ pattern }) => pattern)
  const before = patterns.flatMap((pattern) => pattern.match(/^.*?(?=:appCode)/) ?? [])
  return patterns.flatMap((pattern) =>
    before
      .filter((start) => pattern.startsWith(start))
      .map((start) => pattern.slice(start.length).split('/')[0])
      .filter((segment) => !segment.startsWith(':'))
  )
}
