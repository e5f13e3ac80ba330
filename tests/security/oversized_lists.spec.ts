import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from '@japa/runner'
import vine, { VineValidator } from '@vinejs/vine'
import { fileURLToPath } from 'node:url'
import app from '@adonisjs/core/services/app'
import { MAX_VALIDATION_ERRORS } from '#core/validation/limited_error_reporter'
import { uniqueEmail, anApplication, signedIn } from '#tests/helpers/people'
import { credentials, problemOf, sendBody } from '#tests/helpers/send'

const MANY = 300_000
const ones = (count: number) => Array.from({ length: count }, () => 1)

/** All validators of the service, by file and export. */
async function everyValidator() {
  const folder = join(fileURLToPath(app.appRoot), 'app')
  const found: [name: string, validator: VineValidator<any, any>][] = []
  for await (const file of glob('*/validators/*.ts', { cwd: folder })) {
    const module = await import(pathToFileURL(join(folder, file)).href)
    for (const [name, value] of Object.entries(module)) {
      if (value instanceof VineValidator) found.push([`${file} ${name}`, value])
    }
  }
  return found
}

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  maxLength?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  anyOf?: Schema[]
}

/** The parts of a schema that accept text or lists of any length. */
function unbounded(schema: Schema, path: string): string[] {
  const types = [schema.type].flat()
  const isFixed = schema.enum !== undefined || schema.const !== undefined
  return [
    ...(types.includes('string') && !isFixed && schema.maxLength === undefined ? [path] : []),
    ...(types.includes('array') && schema.maxItems === undefined ? [path] : []),
    ...(schema.items ? unbounded(schema.items, `${path}.*`) : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, each]) =>
      unbounded(each, `${path}.${name}`)
    ),
    ...(schema.anyOf ?? []).flatMap((each) => unbounded(each, path)),
  ]
}

test.group('Lists of errors', () => {
  test('a broadcast to 300,000 numbers is refused with ten errors', async ({ assert }) => {
    const { code } = await anApplication()
    const body = JSON.stringify({
      type: 'generic',
      data: { subject: 'News', body: 'News' },
      audience: { kind: 'emails', emails: ones(MANY) },
    })
    const path = `/api/admin/notifications/broadcast/${code}`
    const response = await sendBody('POST', path, body, await credentials('token'))
    assert.equal(response.status, 400)
    const { details } = await problemOf(assert, response)
    assert.isAtMost(details.errors!.length, MAX_VALIDATION_ERRORS)
    assert.isAtLeast(details.errors!.length, 1)
  })

  test('errors within the length limit are reported up to the tenth', async ({ assert }) => {
    const { code } = await anApplication()
    const body = JSON.stringify({
      type: 'generic',
      data: { subject: 'News', body: 'News' },
      audience: { kind: 'emails', emails: ones(50_000) },
    })
    const path = `/api/admin/notifications/broadcast/${code}`
    const response = await sendBody('POST', path, body, await credentials('token'))
    const { details } = await problemOf(assert, response)
    assert.lengthOf(details.errors!, MAX_VALIDATION_ERRORS)
    assert.equal(details.errors![9].field, 'audience.emails.9')
  })

  test('nothing after the tenth error is validated', async ({ assert }) => {
    let looks = 0
    const list = new Proxy(ones(100_000), {
      get(target, key, receiver) {
        if (typeof key === 'string' && /^\d+$/.test(key)) looks++
        return Reflect.get(target, key, receiver)
      },
    })
    const validator = vine.create({ list: vine.array(vine.string()) })
    const [error] = await validator.tryValidate({ list })
    assert.lengthOf(error!.messages, MAX_VALIDATION_ERRORS)
    assert.isBelow(looks, 100)
  })

  test('a bulk check of 500 numbers is refused with ten errors')
    .with(['/api/check/bulk', '/api/profile/me/check/bulk'])
    .run(async ({ assert }, path) => {
      const body = { email: uniqueEmail(), app: 'shop', permissions: ones(500) }
      const sender = path.startsWith('/api/check') ? 'network' : 'token'
      const sent = JSON.stringify(body)
      const response = await sendBody('POST', path, sent, await credentials(sender))
      assert.equal(response.status, 400)
      const { details } = await problemOf(assert, response)
      assert.lengthOf(details.errors!, MAX_VALIDATION_ERRORS)
      assert.equal(details.errors![9].field, 'permissions.9')
    })

  test('a set of unknown role ids is refused with ten of them', async ({ client, assert }) => {
    const { code } = await anApplication()
    const admin = signedIn(client, 'root@tests.example')
    const roleIds = Array.from({ length: 5_000 }, (_, index) => 2_000_000_000 + index)
    const path = `/api/users/${uniqueEmail()}/apps/${code}/roles`
    const response = await admin.put(path, { roleIds })
    response.assertStatus(400)
    assert.lengthOf(response.body().details.errors, MAX_VALIDATION_ERRORS)
  })

  test('each item of a bulk send still has its own problem', async ({ assert }) => {
    const notifications = ones(100)
    const response = await sendBody(
      'POST',
      '/api/internal/notifications/bulk',
      JSON.stringify({ notifications }),
      await credentials('internal')
    )
    assert.equal(response.status, 200)
    const { data } = (await response.json()) as { data: unknown[] }
    assert.lengthOf(data, 100)
  })
})

test.group('Validators', () => {
  test('all stop at the tenth error', async ({ assert }) => {
    const validators = await everyValidator()
    assert.isAbove(validators.length, 30)
    for (const [name, { errorReporter }] of validators) {
      assert.equal(errorReporter().constructor.name, 'LimitedErrorReporter', name)
    }
  })

  test('all limit the length of every list and every text', async ({ assert }) => {
    for (const [name, validator] of await everyValidator()) {
      assert.deepEqual(unbounded(validator.toJSONSchema() as Schema, ''), [], name)
    }
  })
})
