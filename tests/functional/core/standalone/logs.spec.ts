import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@japa/runner'
import Database from 'better-sqlite3'
import { eventually } from '#tests/helpers/eventually'
import { uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { credentials } from '#tests/helpers/send'
import { issuer } from '#tests/world/prepare'
import { type RunningService, startService } from '#tests/world/service'

type Line = Record<string, unknown>

test.group('The log in production', (group) => {
  const folder = mkdtempSync(join(tmpdir(), 'concierge-logs-'))
  let service: RunningService

  group.setup(async () => {
    const SQLITE_PATH = join(folder, 'logs.sqlite3')
    const settings = { DATABASE_URL: undefined, SQLITE_PATH, LOG_LEVEL: 'info' }
    service = await startService({ NODE_ENV: 'production', ENV_PATH: folder, ...settings })
    return async () => {
      await service.stop()
      rmSync(folder, { recursive: true })
    }
  })

  const lines = () =>
    service
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line)
  const linesOf = (requestId: string, count = 1) =>
    eventually(`${count} lines of ${requestId}`, () => {
      const found = lines().filter((line) => line.requestId === requestId)
      return found.length >= count ? found : undefined
    })

  async function request(path: string, init: { method?: string; headers?: object } = {}) {
    const requestId = uniqueCode()
    const headers = { ...init.headers, 'x-request-id': requestId }
    const response = await fetch(`${service.url}${path}`, { ...init, headers })
    await response.arrayBuffer()
    return requestId
  }

  async function send(method: string, path: string, body: object, headers: object) {
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await response.json()) as { data: { id: number; status: string } }
  }

  /** An application whose only template was damaged in the database. */
  async function aBrokenTemplate() {
    const admin = await credentials('token')
    const code = uniqueCode()
    await send('POST', '/api/applications', { code, name: 'Shop' }, admin)
    const templates = `/api/admin/notifications/types/${code}/generic/templates`
    const { id } = (await send('POST', templates, { key: code, name: 'Broken' }, admin)).data
    const version = `/api/admin/notifications/templates/${id}/locales/en`
    const texts = { subjectTemplate: 'Hello', bodyTemplate: '<p>Hello</p>' }
    await send('PUT', version, texts, admin)
    const file = new Database(join(folder, 'logs.sqlite3'))
    file.prepare('update template_versions set subject_template = ?').run('{{#broken}}')
    file.close()
    return code
  }

  test('has one line for each request, in JSON', async ({ assert }) => {
    const requestId = await request('/api/health/ready')
    const [line, ...others] = await linesOf(requestId)
    assert.isEmpty(others)
    assert.containSubset(line, {
      level: 30,
      name: 'concierge',
      method: 'GET',
      route: '/api/health/ready',
      status: 200,
      client: '127.0.0.1',
      msg: 'request',
    })
    assert.isAbove(line.ms as number, 0)
    assert.approximately(line.time as number, Date.now(), 60_000)
    assert.sameMembers(Object.keys(line), [
      'level',
      'time',
      'pid',
      'hostname',
      'name',
      'requestId',
      'method',
      'route',
      'status',
      'ms',
      'client',
      'msg',
    ])
  })

  test('names the route, but neither users nor content', async ({ assert }) => {
    const email = uniqueEmail()
    const caller = uniqueEmail()
    const token = await issuer.token(caller)
    const headers = { authorization: `Bearer ${token}` }
    const marker = uniqueCode()
    const ids = [
      await request(`/api/profile/${email}?token=${marker}`, { headers }),
      await request(`/api/users/${encodeURIComponent(email)}?search=${marker}`, { headers }),
      await request(`/api/unsubscribe/${marker}`),
      await request(`/${marker}?token=${marker}`),
      await request(`/api/profile/%E0%A4%A`),
    ]
    const routes = await Promise.all(
      ids.slice(0, 4).map(async (id) => (await linesOf(id))[0].route)
    )
    assert.deepEqual(routes, [
      '/api/profile/:email',
      '/api/users/:email',
      '/api/unsubscribe/:token',
      'none',
    ])
    for (const secret of [email, token, marker]) assert.notInclude(service.output(), secret)
  })

  test('contains the request id in all lines of a request', async ({ assert }) => {
    const appCode = await aBrokenTemplate()
    const requestId = uniqueCode()
    const internal = { ...(await credentials('internal')), 'x-request-id': requestId }
    const message = { recipientEmail: uniqueEmail(), appCode, type: 'generic', data: {} }
    const response = await send('POST', '/api/internal/notifications', message, internal)
    assert.equal(response.data.status, 'failed')
    const found = await linesOf(requestId, 2)
    assert.deepEqual(found.map(({ msg }) => msg).sort(), [
      'A notification could not be rendered',
      'request',
    ])
  })

  test('replaces an invalid request id', async ({ assert }) => {
    const forged = 'x","level":60,"msg":"forged'
    const response = await fetch(`${service.url}/api/health/live`, {
      headers: { 'x-request-id': forged },
    })
    const requestId = response.headers.get('x-request-id')!
    await linesOf(requestId)
    assert.isFalse(lines().some(({ msg }) => msg === 'forged'))
  })

  test('has the last request before the service stops', async ({ assert, cleanup }) => {
    const last = await startService({ NODE_ENV: 'production', ENV_PATH: folder, LOG_LEVEL: 'info' })
    cleanup(async () => void (await last.stop()))
    const requestId = uniqueCode()
    await fetch(`${last.url}/api/health/live`, { headers: { 'x-request-id': requestId } })
    await last.stop()
    assert.include(last.output(), requestId)
  })

  test('contains no requests if the operator turns them off', async ({ assert, cleanup }) => {
    const quiet = await startService({
      NODE_ENV: 'production',
      ENV_PATH: folder,
      LOG_LEVEL: 'info',
      ACCESS_LOG: 'false',
    })
    cleanup(async () => void (await quiet.stop()))
    await fetch(`${quiet.url}/api/health/live`)
    await quiet.stop()
    assert.include(quiet.output(), 'started HTTP server')
    assert.notInclude(quiet.output(), '"msg":"request"')
  })
})
