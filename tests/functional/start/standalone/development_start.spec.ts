import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from '@japa/runner'
import { decodeJwt } from 'jose'
import { eventually } from '#tests/helpers/eventually'
import { printedRequest, printedUrls, startScript } from '#tests/helpers/start_script'
import { ProjectCopy } from '#tests/helpers/project_copy'
import { freePort } from '#tests/world/free_port'

function sendMail(service: string, subject: string) {
  return fetch(`${service}/internal/notifications`, {
    method: 'POST',
    headers: { 'x-internal-api-key': 'internal', 'content-type': 'application/json' },
    body: JSON.stringify({
      recipientEmail: 'alan@acme.example',
      appCode: 'demo',
      type: 'generic',
      data: { subject, body: 'It has 12 pages.' },
    }),
  })
}

test.group('npm start', () => {
  test('says what to do if an index names a file that does not exist', async ({
    assert,
    cleanup,
  }) => {
    const copy = await ProjectCopy.make()
    cleanup(() => copy.remove())
    const index = join(copy.root, '.adonisjs/server/controllers.ts')
    const text = await readFile(index, 'utf8')
    await writeFile(index, text.replace('/brands_controller', '/labels_controller'))
    const { code, output } = await copy.node(['--import=@poppinss/ts-exec', 'bin/start.ts'])
    assert.equal(code, 1)
    assert.equal(
      output,
      '.adonisjs/server/controllers.ts names app/platform/controllers/labels_controller.ts, ' +
        'which does not exist. Run: npm run ace -- codegen\n'
    )
  }).timeout(60_000)

  for (const [title, settings] of [
    ['one process', {}],
    ['two workers', { WEB_CONCURRENCY: '2' }],
  ] as const) {
    test(`with ${title} is ready once everything is prepared, accepts mail and ends on SIGTERM`, async ({
      assert,
    }) => {
      const { output, stop: end } = await startScript('bin/start.ts', settings)

      const response = await fetch(printedRequest(output))
      assert.equal(response.status, 200)
      assert.deepEqual(await response.json(), { allowed: true })

      const { service, mailbox } = printedUrls(output)
      const types = await fetch(`${service}/internal/notifications/types?appCode=auth`, {
        headers: { 'x-internal-api-key': 'internal' },
      })
      const { data } = (await types.json()) as { data: { code: string }[] }
      assert.sameMembers(
        data.map(({ code }) => code),
        ['generic', 'auth_idp']
      )

      const sending = await sendMail(service, 'Your report is ready')
      assert.containSubset(await sending.json(), { data: { status: 'sent' } })
      assert.include(await (await fetch(mailbox)).text(), 'Your report is ready')

      const { provider } = printedUrls(output)
      const authorization = printedRequest(output).headers.get('authorization')!
      await fetch(`${service}/profile/me`, {
        method: 'PUT',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ locale: 'cs' }),
      })
      await fetch(`${provider}/ui/login/password/forgotten`, {
        method: 'POST',
        body: new URLSearchParams({ email: 'alan@acme.example' }),
      })
      const mails = await (await fetch(mailbox)).text()
      const [, path] = /href="(\/mails\/\d+)">Obnovení hesla</.exec(mails)!
      const mail = await (await fetch(`${mailbox}${path}/html`)).text()
      assert.include(mail, '#0b7285')
      assert.include(mail, 'Acme')

      assert.equal(await end(), 0)
    }).timeout(60_000)
  }
})

test.group('The settings of npm start', () => {
  test('come from .env too, and commands beside it have its port', async ({ assert, cleanup }) => {
    const copy = await ProjectCopy.make()
    cleanup(() => copy.remove())
    const folder = join(copy.root, 'tmp', 'world')
    const idpPort = await freePort()
    const inFile = {
      DEVELOPMENT_FOLDER: folder,
      DEVELOPMENT_IDP_PORT: String(idpPort),
      SUPER_ADMINS: 'Katherine@acme.example, alan@acme.example',
      IDP_AUDIENCE: 'project-1, project-2',
      IDP_SERVICE_ACCOUNT_TOKEN: 'a-service-account-token-of-the-developer',
      APP_KEY: 'a-key-that-only-the-tests-know-of',
      INTERNAL_API_KEY: 'internal',
      WEBHOOK_SECRET: 'webhook',
      PORT: '1',
    }
    const lines = Object.entries(inFile).map(([name, value]) => `${name}=${value}\n`)
    await writeFile(join(copy.root, '.env'), lines.join(''))
    const { PORT, ...unset } = Object.fromEntries(Object.keys(inFile).map((name) => [name, '']))
    const { output, stop } = await startScript('bin/start.ts', unset, copy.root)
    cleanup(() => stop())
    const { service, provider } = printedUrls(output)
    assert.equal(provider, `http://127.0.0.1:${idpPort}`)
    assert.include(output, 'katherine@acme.example  Super admin')
    assert.include(output, 'alan@acme.example  Super admin')
    assert.notInclude(output, 'ada@acme.example')
    assert.deepEqual(await (await fetch(printedRequest(output))).json(), { allowed: true })

    const token = async (email: string) => {
      const { stdout } = await promisify(execFile)(process.execPath, ['ace.js', 'token', email], {
        cwd: copy.root,
        env: { PATH: process.env.PATH },
      })
      return stdout.trim()
    }
    const katherine = await token('katherine@acme.example')
    assert.containsSubset(decodeJwt(katherine).aud, ['project-1', 'project-2'])
    const listSuperAdmins = async (authorization: string) =>
      (await fetch(`${service}/users/admins`, { headers: { authorization } })).status
    assert.equal(await listSuperAdmins(`Bearer ${katherine}`), 200)
    assert.equal(await listSuperAdmins(`Bearer ${await token('ada@acme.example')}`), 403)

    const { IDP_SERVICE_ACCOUNT_TOKEN: serviceAccount } = inFile
    const users = await fetch(`${provider}/v2/users`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${serviceAccount}`, 'content-type': 'application/json' },
      body: '{}',
    })
    assert.equal(users.status, 200)
  }).timeout(60_000)
})

// The database makes no difference here.
if (process.env.DB_CONNECTION !== 'pg') {
  test.group('npm run dev', () => {
    test('reloads what changes while the development world keeps running', async ({
      assert,
      cleanup,
    }) => {
      const copy = await ProjectCopy.make()
      cleanup(() => copy.remove())
      const { output, isReady, stop: end } = await startScript('bin/dev.ts', {}, copy.root)
      cleanup(() => end())
      const { service, mailbox } = printedUrls(output)
      await sendMail(service, 'Sent before the changes')
      const live = async () => (await fetch(`${service}/health/live`).catch(() => null))?.text()
      const replace = async (file: string, text: string, replacement: string) => {
        const path = join(copy.root, file)
        await writeFile(path, (await readFile(path, 'utf8')).replace(text, replacement))
      }

      await replace(
        'app/core/controllers/health_controller.ts',
        `return { status: 'ok' as const }`,
        `return { status: 'changed' as const }`
      )
      await eventually(
        'the controller is replaced',
        async () => (await live())?.includes('changed'),
        20_000
      )

      await replace('app/core/routes.ts', '/live', '/alive')
      await eventually(
        'the service is restarted',
        async () => (await fetch(`${service}/health/alive`).catch(() => null))?.status === 200,
        20_000
      )
      await eventually('the service is ready again', isReady)
      assert.equal((await fetch(printedRequest(output))).status, 200)
      assert.include(await (await fetch(mailbox)).text(), 'Sent before the changes')
    }).timeout(90_000)
  })
}
