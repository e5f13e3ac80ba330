import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { projectPath } from '#core/process/root'
import { addApplicationAdmin } from '#app/permissions/actions/add_application_admin'
import { createPermission } from '#app/permissions/actions/create_permission'
import { eventually } from '#tests/helpers/eventually'
import { anApplication, uniqueEmail } from '#tests/helpers/people'

async function cacheClear(...args: string[]) {
  const child = spawn(process.execPath, ['ace.js', 'cache:clear', ...args], {
    cwd: projectPath(),
    env: process.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { output, code }
}

test.group('cache:clear', () => {
  test('clears the cache of the running service', async ({ assert, client }) => {
    const application = await anApplication()
    const email = uniqueEmail()
    await createPermission(application.code, { code: 'anything', type: 'binary' })
    await addApplicationAdmin(email, application.code)
    const check = async () => {
      const body = { email, app: application.code, permission: 'anything' }
      const response = await client.post('/api/check').json(body)
      return response.body().data.allowed
    }
    assert.isTrue(await check())
    await db.from('application_admins').where('email', email).delete()
    assert.isTrue(await check(), 'the decision is remembered')

    const dryRun = await cacheClear('--json', '--dry-run')
    assert.equal(dryRun.code, 0)
    assert.isFalse(JSON.parse(dryRun.output).cleared)
    assert.isTrue(await check())

    const { output, code } = await cacheClear('--json')
    assert.equal(code, 0)
    assert.isTrue(JSON.parse(output).cleared)
    await eventually('the check is denied', async () => !(await check()))
  })

  test('exits with 1 when the service cannot be reached', async ({ assert }) => {
    const { output, code } = await cacheClear('--json', '--url=http://127.0.0.1:1')
    assert.equal(code, 1)
    assert.include(JSON.parse(output), { cleared: false, target: 'http://127.0.0.1:1' })
  })
})
