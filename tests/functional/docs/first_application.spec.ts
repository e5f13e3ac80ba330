import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Application from '#app/applications/models/application'
import { createApplication } from '#app/applications/actions/create_application'
import { projectPath } from '#start/root'
import { test } from '@japa/runner'
import { serviceUrl } from '#tests/helpers/clients'
import { eventually } from '#tests/helpers/eventually'
import { manageApplication } from '#tests/helpers/management'
import { uniqueEmail } from '#tests/helpers/people'
import { freePort } from '#tests/world/free_port'
import { issuer } from '#tests/world/prepare'

type Body = Record<string, unknown>

/** The application as the tutorial prints it, running. */
async function startShop() {
  const tutorial = await readFile(
    join(projectPath(), 'docs/tutorials/first-application.md'),
    'utf8'
  )
  const [, code] = /```js\n([\s\S]*?)```/.exec(tutorial)!
  // Inside the project, where it finds the client as a newcomer's file would.
  const scratch = join(projectPath(), 'tmp')
  await mkdir(scratch, { recursive: true })
  const folder = await mkdtemp(join(scratch, 'shop-'))
  await writeFile(join(folder, 'shop.mjs'), code)
  const port = await freePort()
  const shop = spawn(process.execPath, [join(folder, 'shop.mjs')], {
    env: { ...process.env, CONCIERGE_URL: serviceUrl(), PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  shop.stdout.on('data', (chunk) => (output += chunk))
  await eventually('the shop listens', () => output.includes('The shop is at'))
  const stop = async () => {
    shop.kill()
    await rm(folder, { recursive: true })
  }
  return { code, url: `http://127.0.0.1:${port}`, stop }
}

test.group('The tutorial of the first application', () => {
  test('guards its routes as it says, in about thirty lines', async ({
    client,
    assert,
    cleanup,
  }) => {
    const email = uniqueEmail('alan')
    const app =
      (await Application.findBy('code', 'shop')) ??
      (await createApplication({ code: 'shop', name: 'Shop' }))
    const manage = manageApplication(client, app.code)
    const permission = await manage.permission({ code: 'orders', type: 'tiered' })
    const role = await manage.role()
    const grant = (accessLevel: string) =>
      manage.rolePermissions(role.id, [{ permissionId: permission.id, accessLevel }])
    await grant('view')
    await manage.userRoles(email, [role.id])
    const shop = await startShop()
    cleanup(() => shop.stop())
    assert.isAtMost(shop.code.split('\n').filter((line) => line.trim() !== '').length, 32)

    const token = await issuer.token(email)
    const ask = async (method: string, path: string, headers: Record<string, string> = {}) => {
      const response = await fetch(shop.url + path, { method, headers })
      return { status: response.status, body: (await response.json()) as Body }
    }
    const authorization = `Bearer ${token}`
    const session = await ask('POST', '/session', { authorization })
    assert.equal(session.body.applicationCode, 'shop')
    assert.equal(session.body.loginCount, 1)
    const seen = await ask('GET', '/orders', { authorization })
    assert.equal(seen.status, 200)
    assert.deepEqual(seen.body as unknown, [{ id: 1, total: 12.5 }])
    const refused = await ask('POST', '/orders', { authorization })
    assert.equal(refused.status, 403)
    assert.equal(refused.body.code, 'FORBIDDEN')
    assert.equal((await ask('GET', '/orders')).status, 401)
    assert.equal((await ask('POST', '/session')).status, 401)

    await grant('edit')
    await eventually('the raised level counts', async () => {
      return (await ask('POST', '/orders', { authorization })).status === 201
    })
  })
})
