import { test } from '@japa/runner'
import { eventually } from '#tests/helpers/eventually'
import { inFlight } from '#tests/helpers/metrics'
import { uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { rawRequest, statusesIn } from '#tests/helpers/raw_requests'
import { credentials } from '#tests/helpers/send'
import { freePort } from '#tests/world/free_port'
import { RawConnection } from '#tests/world/raw_connection'
import { startService } from '#tests/world/service'
import { TestSmtpServer } from '#tests/world/smtp_server'

const IN_FLIGHT = 20
const END_WITHIN_MS = 10_000
/** On a busy machine, metrics of a starting worker are slow. */
const UNDER_WAY_WITHIN_MS = 30_000

const refusesConnections = (url: string) =>
  eventually('no new connection is taken', () =>
    fetch(`${url}/api/health/live`).then(
      () => false,
      () => true
    )
  )

for (const [name, workers, entry, environment] of [
  ['one process', '1', 'bin/server.ts', 'test'],
  ['one worker', '1', 'bin/main.ts', 'production'],
  ['two workers', '2', 'bin/main.ts', 'test'],
]) {
  test.group(`SIGTERM, ${name}`, (group) => {
    let smtp: TestSmtpServer

    group.each.timeout(120_000)
    group.each.setup(async () => {
      smtp = await new TestSmtpServer().start()
      return () => smtp.stop()
    })

    async function aBusyService() {
      const port = await freePort()
      const service = await startService(
        {
          NODE_ENV: environment,
          WEB_CONCURRENCY: workers,
          INTERNAL_PORT: String(port),
          SMTP_PORT: String(smtp.port),
          SMTP_TLS: 'none',
        },
        entry
      )
      const internalUrl = `http://127.0.0.1:${port}`
      const post = async (path: string, body: object, headers: object) => {
        const isInternal = path.startsWith('/api/internal')
        const response = await fetch(`${isInternal ? internalUrl : service.url}${path}`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
        const result = (await response.json()) as { data?: { status?: string } }
        return { status: response.status, outcome: result.data?.status }
      }
      const appCode = uniqueCode('shop')
      const shop = { code: appCode, name: 'Shop' }
      await post('/api/applications', shop, await credentials('token'))

      smtp.react = (stage) => (stage === 'RCPT' ? 'stall' : undefined)
      const internal = await credentials('internal')
      const data = { subject: 'Hello', body: 'You' }
      const responses: unknown[] = []
      const sending = Array.from({ length: IN_FLIGHT }, async () => {
        const message = { recipientEmail: uniqueEmail(), appCode, type: 'generic', data }
        const sent = post('/api/internal/notifications', message, internal).catch(() => null)
        responses.push(await sent)
        return sent
      })
      await eventually(
        'all are being processed and mails are under way',
        async () => {
          if (responses.length > 0)
            throw new Error(`Responded already: ${JSON.stringify(responses)}`)
          return smtp.open > 0 && (await inFlight(internalUrl, 'sends')) === IN_FLIGHT
        },
        UNDER_WAY_WITHIN_MS
      )
      return { service, sending, internalUrl, appCode }
    }

    test('while mails are being sent: delivers all, responds to all and exits with 0', async ({
      assert,
    }) => {
      const { service, sending } = await aBusyService()
      const started = performance.now()
      const stopped = service.stop()
      await refusesConnections(service.url)
      smtp.react = () => undefined
      smtp.cut()
      const responses = await Promise.all(sending)
      for (const response of responses) assert.deepEqual(response, { status: 200, outcome: 'sent' })
      assert.lengthOf(smtp.mails, IN_FLIGHT)
      assert.equal(await stopped, 0)
      assert.isBelow(performance.now() - started, END_WITHIN_MS)
    })

    test('while the mail server and clients hang: exits in time', async ({ assert }) => {
      const { service } = await aBusyService()
      const { authorization } = await credentials('token')
      const half = { authorization, 'content-length': '1000' }
      for (let count = 0; count < 5; count++) {
        const unread = await RawConnection.unreadTo(service.url)
        unread.write(rawRequest('GET', '/docs/scalar.js').repeat(4))
        const slow = await RawConnection.to(service.url)
        slow.write(rawRequest('PUT', '/api/profile/me', half))
      }
      const started = performance.now()
      await service.stop()
      assert.isBelow(performance.now() - started, END_WITHIN_MS)
      assert.isNull(service.process.signalCode, 'nobody had to kill it')
    })

    test('while requests wait on one connection: responds to each before closing it', async ({
      assert,
    }) => {
      const { service, sending, internalUrl, appCode } = await aBusyService()
      const headers = await credentials('internal')
      const connection = await RawConnection.to(internalUrl)
      const data = { subject: 'Hello', body: 'You' }
      for (let count = 0; count < 3; count++) {
        const message = { recipientEmail: uniqueEmail(), appCode, type: 'generic', data }
        const body = JSON.stringify(message)
        connection.write(rawRequest('POST', '/api/internal/notifications', headers, body))
      }
      await eventually('they are being processed', async () => {
        return (await inFlight(internalUrl, 'sends')) === IN_FLIGHT + 3
      })
      const stopped = service.stop()
      await refusesConnections(service.url)
      smtp.react = () => undefined
      smtp.cut()
      assert.deepEqual(statusesIn(await connection.closed()), [200, 200, 200])
      await Promise.all(sending)
      assert.equal(await stopped, 0)
    })
  })
}
