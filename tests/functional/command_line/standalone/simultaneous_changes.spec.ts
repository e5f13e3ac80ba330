import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { aMachine, operator } from '#tests/helpers/command_line'
import { inPath, manageApplication, overridesPath } from '#tests/helpers/management'
import { anAdministratorOf, anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { serviceUrl } from '#tests/helpers/send'
import { TestHttpServer } from '#tests/world/http_server'

const machine = aMachine()

/** A way to the service on which `interfere` runs before each `PUT`. */
async function aBusyService(interfere: (attempt: number) => Promise<unknown>) {
  let attempts = 0
  return new TestHttpServer(async (request, response) => {
    const { method = 'GET', url = '', headers } = request
    if (method === 'PUT') await interfere(++attempts)
    const passedOn = ['authorization', 'content-type', 'if-match'].flatMap((name) =>
      typeof headers[name] === 'string' ? [[name, headers[name]] as [string, string]] : []
    )
    const body = TestHttpServer.bodyOf(request)
    const upstream = await fetch(`${serviceUrl()}${url}`, {
      method,
      headers: passedOn,
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    })
    const etag = upstream.headers.get('etag')
    response
      .writeHead(upstream.status, { 'content-type': 'application/json', ...(etag && { etag }) })
      .end(await upstream.text())
  }).start()
}

async function aScene(client: ApiClient) {
  const application = await anApplication()
  const manage = manageApplication(client, application.code)
  const env = await operator(await anAdministratorOf(application))
  const run = (world: TestHttpServer, args: string[]) =>
    machine.run([...args, '--url', world.url, '--token', env.CONCIERGE_TOKEN, '--yes'])
  return { code: application.code, manage, run, email: uniqueEmail() }
}

test.group('concierge, simultaneous changes', () => {
  test('adding and removing roles keeps concurrent changes', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { code, manage, run, email } = await aScene(client)
    const [clerk, other, third] = [
      await manage.role({ code: 'clerk' }),
      await manage.role({ code: 'other' }),
      await manage.role({ code: 'third' }),
    ]
    const held = async () => {
      const path = `/api/users/${inPath(email)}/apps/${code}/roles`
      const { data } = (await superAdmin(client).get(path)).body()
      return data.map(({ role }: { role: string }) => role).sort()
    }
    const world = await aBusyService(async (attempt) => {
      if (attempt === 1) await manage.userRoles(email, [other.id])
    })
    cleanup(() => world.stop())
    const added = await run(world, ['grants', 'add', email, code, 'clerk'])
    assert.equal(added.code, 0, added.stderr)
    assert.deepEqual(await held(), ['clerk', 'other'])

    const second = await aBusyService(async (attempt) => {
      if (attempt === 1) await manage.userRoles(email, [clerk.id, other.id, third.id])
    })
    cleanup(() => second.stop())
    const removed = await run(second, ['grants', 'remove', email, code, 'clerk'])
    assert.equal(removed.code, 0, removed.stderr)
    assert.deepEqual(await held(), ['other', 'third'])
  }).timeout(120_000)

  test('adding an override keeps those that were added concurrently', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { code, manage, run, email } = await aScene(client)
    await manage.permission({ code: 'orders' })
    const exported = await manage.permission({ code: 'export' })
    const world = await aBusyService(async (attempt) => {
      const denied = [{ permissionId: exported.id, granted: false }]
      if (attempt === 1) await manage.overrides(email, ['order', '42'], denied)
    })
    cleanup(() => world.stop())
    const allow = ['grants', 'allow', email, code, 'orders', '--resource', 'order:42']
    const { code: exit, stderr } = await run(world, allow)
    assert.equal(exit, 0, stderr)
    const stored = await superAdmin(client).get(overridesPath(email, code, 'order', '42'))
    assert.sameDeepMembers(
      stored
        .body()
        .data.map((each: { permission: string; granted: boolean }) => [
          each.permission,
          each.granted,
        ]),
      [
        ['orders', true],
        ['export', false],
      ]
    )
  }).timeout(120_000)

  test('gives up with one sentence if concurrent changes continue', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { code, manage, run, email } = await aScene(client)
    await manage.role({ code: 'clerk' })
    const roles = [await manage.role(), await manage.role()]
    const world = await aBusyService((attempt) => manage.userRoles(email, [roles[attempt % 2]!.id]))
    cleanup(() => world.stop())
    const refused = await run(world, ['grants', 'add', email, code, 'clerk'])
    assert.equal(refused.code, 1)
    assert.match(
      refused.stderr,
      /^error: STALE: Someone else changed it meanwhile, so nothing was changed \(412, request [\w-]+\)\nRun the command again\n$/
    )
    assert.lengthOf(
      world.requests.filter(({ method }) => method === 'PUT'),
      2,
      'it tries once more'
    )
  }).timeout(120_000)

  test('a role is updated only if nobody else has changed it since', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { code, manage, run } = await aScene(client)
    const { id } = await manage.role({ code: 'clerk' })
    const path = `/api/applications/${code}/roles/${id}`
    const admin = superAdmin(client)
    const world = await aBusyService(() => admin.put(path, { description: 'Theirs' }))
    cleanup(() => world.stop())
    const refused = await run(world, ['roles', 'update', code, 'clerk', '--description', 'Mine'])
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /^error: STALE: /)
    assert.include((await admin.get(path)).body().data, { description: 'Theirs' })

    const idle = await aBusyService(async () => {})
    cleanup(() => idle.stop())
    const updated = await run(idle, ['roles', 'update', code, 'clerk', '--description', 'Mine'])
    assert.equal(updated.code, 0, updated.stderr)
    assert.include((await admin.get(path)).body().data, { code: 'clerk', description: 'Mine' })
  }).timeout(120_000)
})
