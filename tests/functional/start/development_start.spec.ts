import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { projectPath } from '#core/process/root'
import { freePort } from '#tests/world/free_port'

/** Runs what `npm start` runs once everything is installed, and reads its output up to the printed request. */
async function start(settings: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['--import=@poppinss/ts-exec', 'bin/start.ts'], {
    cwd: projectPath(),
    env: {
      PATH: process.env.PATH,
      PORT: String(await freePort()),
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
  child.stderr.resume()
  for await (const chunk of child.stdout) {
    output += chunk
    if (output.includes('Another token')) break
  }
  return { child, output }
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
    test(`with ${title} prints a request that works, takes mail and ends on SIGTERM`, async ({
      assert,
    }) => {
      const { child, output } = await start(settings)

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

      const sending = await fetch(`${service}/internal/notifications`, {
        method: 'POST',
        headers: { 'x-internal-api-key': 'internal', 'content-type': 'application/json' },
        body: JSON.stringify({
          recipientEmail: 'alan@acme.example',
          appCode: 'demo',
          type: 'generic',
          data: { subject: 'Your report is ready', body: 'It has 12 pages.' },
        }),
      })
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

      child.kill('SIGTERM')
      const [code] = await once(child, 'exit')
      assert.equal(code, 0)
    }).timeout(30_000)
  }
})
