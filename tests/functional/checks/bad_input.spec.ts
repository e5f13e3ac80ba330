import { test } from '@japa/runner'
import { signedIn, uniqueEmail } from '#tests/helpers/people'

const LONG = 'x'.repeat(256)
const email = 'ada@tests.example'
const app = 'shop'
const permission = 'orders'
const permissions = ['orders']

interface BadBody {
  title: string
  /** Undefined fields are not sent. */
  body: Record<string, unknown>
  field: string
  rule: string
}

const notStrings = [5, true, {}, [], ['orders']]

const COMMON: BadBody[] = [
  { title: 'no app', body: { app: undefined }, field: 'app', rule: 'required' },
  { title: 'a null app', body: { app: null }, field: 'app', rule: 'required' },
  { title: 'an empty app', body: { app: '' }, field: 'app', rule: 'minLength' },
  { title: 'an overlong app', body: { app: LONG }, field: 'app', rule: 'maxLength' },
  ...notStrings.map((value) => ({
    title: `an app that is ${JSON.stringify(value)}`,
    body: { app: value },
    field: 'app',
    rule: 'string',
  })),
  ...['resourceType', 'resourceId'].flatMap((field) => [
    ...notStrings.map((value) => ({
      title: `a ${field} that is ${JSON.stringify(value)}`,
      body: { [field]: value },
      field,
      rule: 'string',
    })),
    { title: `an overlong ${field}`, body: { [field]: LONG }, field, rule: 'maxLength' },
    { title: `an empty ${field}`, body: { [field]: '' }, field, rule: 'minLength' },
  ]),
]

const LEVEL: BadBody[] = ['EDIT', 'admin', '', 5, ['edit'], {}].map((level) => ({
  title: `a level that is ${JSON.stringify(level)}`,
  body: { level },
  field: 'level',
  rule: 'enum',
}))

const SINGLE: BadBody[] = [
  ...COMMON,
  ...LEVEL,
  {
    title: 'no permission',
    body: { permission: undefined },
    field: 'permission',
    rule: 'required',
  },
  {
    title: 'an empty permission',
    body: { permission: '' },
    field: 'permission',
    rule: 'minLength',
  },
  {
    title: 'an overlong permission',
    body: { permission: LONG },
    field: 'permission',
    rule: 'maxLength',
  },
  ...notStrings.map((value) => ({
    title: `a permission that is ${JSON.stringify(value)}`,
    body: { permission: value },
    field: 'permission',
    rule: 'string',
  })),
]

const tooMany = Array.from({ length: 501 }, (_, index) => `p${index}`)

const BULK: BadBody[] = [
  ...COMMON,
  ...LEVEL,
  {
    title: 'no permissions',
    body: { permissions: undefined },
    field: 'permissions',
    rule: 'required',
  },
  ...['orders', 5, { 0: 'orders' }, true].map((value) => ({
    title: `permissions that are ${JSON.stringify(value)}`,
    body: { permissions: value },
    field: 'permissions',
    rule: 'array',
  })),
  {
    title: '501 permissions',
    body: { permissions: tooMany },
    field: 'permissions',
    rule: 'maxLength',
  },
  ...[
    [5, 'string'],
    [['a'], 'string'],
    [null, 'required'],
    ['', 'minLength'],
    [LONG, 'maxLength'],
  ].map(([value, rule]) => ({
    title: `a code among the permissions that is ${JSON.stringify(value).slice(0, 20)}`,
    body: { permissions: ['orders', value] },
    field: 'permissions.1',
    rule: String(rule),
  })),
]

const EMAIL: BadBody[] = [
  { title: 'no email', body: { email: undefined }, field: 'email', rule: 'required' },
  { title: 'a null email', body: { email: null }, field: 'email', rule: 'required' },
  ...['', 'ada', 'ada@', 'a b@x.example', `${'a'.repeat(250)}@x.example`, 5, [email]].map(
    (value) => ({
      title: `an email that is ${JSON.stringify(value).slice(0, 20)}`,
      body: { email: value },
      field: 'email',
      rule: 'email',
    })
  ),
]

const endpoints = [
  { path: '', valid: { app, permission }, bad: SINGLE },
  { path: '/bulk', valid: { app, permissions }, bad: BULK },
  { path: '/effective', valid: { app }, bad: COMMON },
  { path: '/explain', valid: { app, permission }, bad: SINGLE },
]

for (const { path, valid, bad } of endpoints) {
  test.group(`Bad input, POST /api/check${path}`, () => {
    test('{title} is refused')
      .with([...bad, ...EMAIL])
      .run(async ({ client }, { body, field, rule }) => {
        const response = await client.post(`/api/check${path}`).json({ email, ...valid, ...body })
        response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field, rule }] })
      })
  })

  test.group(`Bad input, POST /api/profile/me/check${path}`, () => {
    test('{title} is refused')
      .with(bad)
      .run(async ({ client }, { body, field, rule }) => {
        const me = signedIn(client, uniqueEmail())
        const response = await me.post(`/api/profile/me/check${path}`, { ...valid, ...body })
        response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field, rule }] })
      })
  })
}

test.group('Bad input, every check', () => {
  const paths = endpoints.map(({ path }) => `/api/check${path}`)

  test('reports all errors together', async ({ client, assert }) => {
    const response = await client.post('/api/check').json({ app: 5, level: 'x', resourceId: 7 })
    response.assertStatus(400)
    const { detail, details } = JSON.parse(response.text())
    assert.sameMembers(
      details.errors.map((error: { field: string }) => error.field),
      ['email', 'app', 'resourceId', 'permission', 'level']
    )
    for (const error of details.errors) {
      assert.sameMembers(Object.keys(error), ['field', 'rule', 'message', 'meta'])
      assert.include(error.message, error.field)
    }
    assert.equal(detail, details.errors[0].message)
  })

  test('a missing body or an array is a validation error', async ({ client }) => {
    for (const path of paths) {
      const missing = await client.post(path)
      missing.assertProblem(400, 'VALIDATION_ERROR')
      const array = await client.post(path).json([{ email, app, permission, permissions }])
      array.assertProblem(400, 'VALIDATION_ERROR')
    }
  })

  test('text that the database cannot store is refused without a query', async ({ client }) => {
    for (const path of paths) {
      for (const hostile of ['"a\\u0000b"', '"\\ud800"']) {
        for (const field of ['app', 'permission', 'resourceType', 'resourceId', 'email']) {
          const text = JSON.stringify({ email, app, permission, permissions, [field]: 'HOSTILE' })
          const response = await client
            .post(path)
            .header('content-type', 'application/json')
            .json(text.replace('"HOSTILE"', hostile))
          response.assertProblem(400, 'VALIDATION_ERROR', {
            errors: [{ field, rule: 'cleanText' }],
          })
        }
      }
    }
  })

  test('keys that would change a prototype are ignored', async ({ client, assert }) => {
    const text = `{"__proto__": {"app": "shop", "permission": "orders"}, "email": "${email}"}`
    const response = await client
      .post('/api/check')
      .header('content-type', 'application/json')
      .json(text)
    response.assertProblem(400, 'VALIDATION_ERROR', {
      errors: [{ field: 'app', rule: 'required' }],
    })
    assert.isUndefined(Reflect.get({}, 'app'))
  })
})
