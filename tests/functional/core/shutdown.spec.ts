import { test } from '@japa/runner'
import { eventually } from '#tests/helpers/eventually'
import { uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { credentials } from '#tests/helpers/send'
import { startService } from '#tests/world/service'
import { SmtpWorld } from '#tests/world/smtp_server'

const IN_FLIGHT = 20
const END_WITHIN_MS = 10_000

for (const [workers, entry] of [
  ['1', 'bin/server.ts'],
  ['2', 'bin/main.ts'],
]) {
  test.group(`SIGTERM, ${workers === '1' ? 'one process' : 'two workers'}`, (group) => {
    let smtp: SmtpWorld

    group.each.setup(async () => {
      smtp = await new SmtpWorld().start()
      return () => smtp.stop()
    })

    async function aBusyService() {
      const settings = { WEB_CONCURRENCY: workers, SMTP_PORT: String(smtp.port) }
      const service = await startService(settings, entry)
      const post = async (path: string, body: object, headers: object) => {
        const response = await fetch(`${service.url}${path}`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
        const answer = (await response.json()) as { data?: { status?: string } }
        return { status: response.status, outcome: answer.data?.status }
      }
      const appCode = uniqueCode('shop')
      const shop = { code: appCode, name: 'Shop' }
      await post('/api/applications', shop, await credentials('token'))

      smtp.react = (stage) => (stage === 'RCPT' ? 'stall' : undefined)
      const internal = await credentials('internal')
      const data = { subject: 'Hello', body: 'You' }
      const sending = Array.from({ length: IN_FLIGHT }, () => {
        const message = { recipientEmail: uniqueEmail(), appCode, type: 'generic', data }
        return post('/api/internal/notifications', message, internal).catch(() => null)
      })
      await eventually('all are being answered and mails are under way', async () => {
        const metrics = await (await fetch(`${service.url}/metrics`)).text()
        return smtp.open > 0 && metrics.includes(`in_flight{class="sends"} ${IN_FLIGHT}\n`)
      })
      return { service, sending }
    }

    test('while mails are under way: all are delivered and answered, then it ends with 0', async ({
      assert,
    }) => {
      const { service, sending } = await aBusyService()
      const started = performance.now()
      const stopped = service.stop()
      await eventually('no new connection is taken', () =>
        fetch(`${service.url}/api/health/live`).then(
          () => false,
          () => true
        )
      )
      smtp.react = () => undefined
      smtp.cut()
      const answers = await Promise.all(sending)
      for (const answer of answers) assert.deepEqual(answer, { status: 200, outcome: 'sent' })
      assert.lengthOf(smtp.mails, IN_FLIGHT)
      assert.equal(await stopped, 0)
      assert.isBelow(performance.now() - started, END_WITHIN_MS)
    })

    test('while the mail server hangs: it ends all the same', async ({ assert }) => {
      const { service } = await aBusyService()
      const started = performance.now()
      await service.stop()
      assert.isBelow(performance.now() - started, END_WITHIN_MS + 1_500)
      assert.isNull(service.process.signalCode, 'nobody had to kill it')
    })
  })
}
