import { test } from '@japa/runner'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import { credentials, problemOf, sendBody, sendRaw } from '#tests/helpers/send'
import { inPath, manageApplication } from '#tests/helpers/management'

const get = async (path: string) => sendBody('GET', path, undefined, await credentials('token'))

/** Sends the path verbatim, as a super admin. */
async function getRaw(path: string) {
  const { authorization } = await credentials('token')
  return sendRaw(
    `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\nconnection: close\r\n\r\n`
  )
}

const BROKEN_ESCAPES = ['%', '%2', '%zz', '%E0%A4%A', '%c3%28', '%ff', '%ed%a0%80', '%u0041']

test.group('Paths', () => {
  test('a malformed percent escape is a 400 problem: {$self}')
    .with(BROKEN_ESCAPES)
    .run(async ({ assert }, escape) => {
      for (const path of [
        `/api/applications/${escape}`,
        `/api/users/${escape}`,
        `/api/applications/shop/roles/${escape}`,
        `/${escape}`,
      ]) {
        const response = await getRaw(path)
        assert.match(response, /^HTTP\/1\.1 400 /, path)
        assert.include(response.toLowerCase(), 'content-type: application/problem+json', path)
        assert.include(response, 'VALIDATION_ERROR', path)
      }
    })

  test('the response to a malformed escape has the request id of the caller', async ({
    assert,
  }) => {
    const response = await sendRaw(
      'GET /api/users/% HTTP/1.1\r\nhost: x\r\nx-request-id: my-own-id\r\nconnection: close\r\n\r\n'
    )
    assert.include(response.toLowerCase(), 'x-request-id: my-own-id')
    assert.include(response, '"requestId":"my-own-id"')
  })

  test('a NUL in a path is 400 and never reaches the database', async ({ assert }) => {
    for (const path of [
      '/api/applications/a%00b',
      '/api/applications/%00/permissions',
      '/api/applications/%00/login-records',
      '/api/users/ada%00@acme.example',
      '/api/profile/ada%00@acme.example',
      '/api/profile/me/apps/%00',
      '/api/users/admins/apps/%00',
      `/api/users/${uniqueEmail()}/apps/%00/roles`,
      `/api/users/${uniqueEmail()}/apps/auth/resources/a%00/b/permissions`,
      `/api/users/${uniqueEmail()}/apps/auth/resources/a/%00/permissions`,
    ]) {
      const response = await get(path)
      assert.equal(response.status, 400, path)
      assert.equal((await problemOf(assert, response, path)).code, 'VALIDATION_ERROR', path)
    }
  })

  test('a NUL in a query string is 400 or ignored, and never reaches the database', async ({
    assert,
  }) => {
    for (const path of [
      '/api/applications?search=%00',
      '/api/users?search=%00',
      '/api/users?appCode=a%00',
      '/api/users?active=%00',
      '/api/users?cursor=%00',
      '/api/users?limit=%00',
    ]) {
      const response = await get(path)
      assert.equal(response.status, 400, path)
      assert.equal((await problemOf(assert, response, path)).code, 'VALIDATION_ERROR', path)
    }
    assert.equal((await get('/api/applications?other=%00')).status, 200)
  })

  test('a parameter is decoded exactly once', async ({ assert, client }) => {
    const { code } = await anApplication()
    const email = uniqueEmail()
    const manage = manageApplication(client, code)
    const permission = await manage.permission()
    const ids = ['a/b', 'a%2Fb', 'a%252Fb', 'a b', 'a+b', 'č', '?#&', '%00', '..', 'a%']
    for (const id of ids) {
      await manage.overrides(
        email,
        ['document', id],
        [{ permissionId: permission.id, granted: true }]
      )
    }
    const response = await get(`/api/users/${inPath(email)}/apps/${code}/resources`)
    const { data } = (await response.json()) as { data: { resourceId: string }[] }
    assert.sameMembers(
      data.map(({ resourceId }) => resourceId),
      ids
    )
    for (const id of ids) {
      const received = await getRaw(
        `/api/users/${inPath(email)}/apps/${code}/resources/document/${inPath(id)}/permissions`
      )
      assert.match(received, /^HTTP\/1\.1 200 /, id)
      assert.include(received, `"permissionId":${permission.id}`, id)
    }
  })

  test('an escaped slash does not start a new segment', async ({ assert }) => {
    const response = await get('/api/applications/auth%2Fpermissions')
    assert.equal(response.status, 404)
    assert.equal((await problemOf(assert, response)).code, 'APPLICATION_NOT_FOUND')
  })

  test('all spellings of an address in a path identify the same user', async ({ assert }) => {
    const { email, id } = await aPerson()
    for (const writing of [
      email,
      inPath(email),
      inPath(email.toUpperCase()),
      inPath(` ${email} `),
      inPath(email.replace('@', '＠')),
    ]) {
      const response = await get(`/api/users/${writing}`)
      assert.equal(response.status, 200, writing)
      assert.equal(((await response.json()) as { data: { id: number } }).data.id, id)
    }
    const twice = await get(`/api/users/${inPath(inPath(email))}`)
    assert.equal(twice.status, 400)
  })

  test('an id that is not a positive integer is 400, one that is too large is 404', async ({
    assert,
  }) => {
    const { code } = await anApplication()
    for (const tree of ['permissions', 'roles', 'entities', 'instances']) {
      const path = `/api/applications/${code}/${tree}`
      const method = tree === 'instances' ? 'DELETE' : 'GET'
      const ask = async (id: string) =>
        sendBody(method, `${path}/${id}`, undefined, await credentials('token'))
      for (const id of [
        '0',
        '-1',
        '1.5',
        '1e3',
        'x',
        '0x1',
        '%201',
        '9007199254740992',
        '1;',
        '٣',
      ]) {
        const response = await ask(id)
        assert.equal(response.status, 400, `${tree} ${id}`)
        assert.equal((await problemOf(assert, response, id)).code, 'VALIDATION_ERROR', id)
      }
      for (const id of ['2147483647', '2147483648', '9007199254740991']) {
        assert.equal((await ask(id)).status, 404, `${tree} ${id}`)
      }
    }
  })

  test('an overlong parameter is refused or not found', async ({ assert }) => {
    for (const length of [129, 256, 1_024, 1_025, 8_000]) {
      const long = 'x'.repeat(length)
      for (const path of [
        `/api/applications/${long}`,
        `/api/applications/${long}/roles`,
        `/api/applications/auth/roles/${long}`,
        `/api/profile/me/apps/${long}`,
        `/api/users/${long}@acme.example`,
        `/api/users/${uniqueEmail()}/apps/auth/resources/${long}/${long}/permissions`.slice(
          0,
          9_000
        ),
      ]) {
        const response = await get(path)
        assert.oneOf(response.status, [400, 404], `${length} ${path.slice(0, 60)}`)
        await problemOf(assert, response)
      }
    }
  })

  test('names of object properties are unknown like any other', async ({ assert }) => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'null']) {
      for (const path of [
        `/api/applications/${name}`,
        `/api/applications/${name}/permissions`,
        `/api/profile/me/apps/${name}`,
      ]) {
        const response = await get(path)
        assert.equal(response.status, 404, path)
        assert.equal((await problemOf(assert, response, path)).code, 'APPLICATION_NOT_FOUND', path)
      }
    }
  })

  test('a path with dots, spaces or another case does not match the route', async ({ assert }) => {
    for (const path of [
      '/api/../api/users',
      '/API/users',
      '/api//users',
      '/api/users%20',
      '/api',
    ]) {
      const response = await getRaw(path)
      assert.match(response, /^HTTP\/1\.1 404 /, path)
      assert.include(response, '"code":"NOT_FOUND"', path)
    }
  })
})

async function aPerson() {
  const email = uniqueEmail()
  const body = JSON.stringify({ email, firstName: 'Ada' })
  const headers = await credentials('internal')
  const response = await sendBody('PUT', '/api/internal/auth/profile-sync', body, headers)
  return ((await response.json()) as { data: { id: number; email: string } }).data
}
