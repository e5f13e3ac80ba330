import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { projectPath } from '#core/process/root'
import { eventually } from '#tests/helpers/eventually'
import { ProjectCopy } from '#tests/helpers/project_copy'
import { freePort } from '#tests/world/free_port'

/** Runs what `npm start` or `npm run dev` runs once everything is installed, until it is ready. */
async function start(script: string, settings: Record<string, string> = {}, cwd = projectPath()) {
  const port = await freePort()
  const child = spawn(process.execPath, ['--import=@poppinss/ts-exec', script], {
    cwd,
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DEVELOPMENT_IDP_PORT: String(await freePort()),
      DEVELOPMENT_SMTP_PORT: String(await freePort()),
      DEVELOPMENT_MAILBOX_PORT: String(await freePort()),
      SQLITE_PATH: join(mkdtempSync(join(tmpdir(), 'concierge-start-')), 'start.sqlite3'),
      APP_KEY: 'a-key-that-only-the-tests-know-of',
      INTERNAL_API_KEY: 'internal',
      WEBHOOK_SECRET: 'webhook',
      ...settings,
    },
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.resume()
  const isReady = async () => {
    const health = await fetch(`http://127.0.0.1:${port}/api/health/ready`).catch(() => null)
    return health?.status === 200
  }
  await eventually('the service is ready', isReady, 30_000)
  return { child, output, isReady, stop: () => stop(child) }
}

async function stop(child: ChildProcess) {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const [code] = await exited
  return code
}

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

/** The printed curl line as the request it makes. */
function printedRequest(output: string) {
  const line = output.split('\n').find((text) => text.startsWith('curl '))!
  const [url] = /http\S+/.exec(line)!
  const headers = [...line.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name, value]) => [
    name,
    value,
  ])
  const [, body] = /-d '([^']+)'/.exec(line)!
  return new Request(url, { method: 'POST', headers: Object.fromEntries(headers), body })
}

function printedUrls(output: string) {
  const [, service] = /Concierge +(\S+)/.exec(output)!
  const [, mailbox] = /Mailbox +(\S+)/.exec(output)!
  const [, provider] = /Identity provider +(\S+)/.exec(output)!
  return { service, mailbox: mailbox.replace(/\/$/, ''), provider }
}

test.group('npm start', () => {
  for (const [title, settings] of [
    ['one process', {}],
    ['two workers', { WEB_CONCURRENCY: '2' }],
  ] as const) {
    test(`with ${title} is ready once everything is prepared, takes mail and ends on SIGTERM`, async ({
      assert,
    }) => {
      const { output, stop: end } = await start('bin/start.ts', settings)

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

// The database makes no difference here.
if (process.env.DB_CONNECTION !== 'pg') {
  test.group('npm run dev', () => {
    test('reloads what changes while the development world keeps running', async ({
      assert,
      cleanup,
    }) => {
      const copy = await ProjectCopy.make()
      cleanup(() => copy.remove())
      const { output, isReady, stop: end } = await start('bin/dev.ts', {}, copy.root)
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
      assert.isTrue(await isReady())
      assert.equal((await fetch(printedRequest(output))).status, 200)
      assert.include(await (await fetch(mailbox)).text(), 'Sent before the changes')
    }).timeout(90_000)
  })
}
