import { setTimeout as pause } from 'node:timers/promises'
import { test } from '@japa/runner'
import { aTemplate, aType, aVersion } from '#tests/helpers/templates'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import { sameDatabase } from '#tests/helpers/same_database'
import { credentials } from '#tests/helpers/send'
import { startProductionService } from '#tests/world/production_service'
import { TestSmtpServer } from '#tests/world/smtp_server'

const REQUESTS = 3
const ITEMS = 100
/** Enough for the service itself, but not for all messages at once. */
const HEAP_MIB = 400

test.group('Large messages', (group) => {
  group.each.timeout(180_000)

  test('are not all in memory together, and do not delay others', async ({ assert, cleanup }) => {
    const smtp = await new TestSmtpServer().start()
    smtp.react = (stage) => (stage === 'RCPT' ? 550 : undefined)
    cleanup(() => smtp.stop())
    const service = await startProductionService({
      ...sameDatabase(),
      SMTP_PORT: String(smtp.port),
      SMTP_TLS: 'none',
      NODE_OPTIONS: `${process.env.NODE_OPTIONS} --max-old-space-size=${HEAP_MIB}`,
    })
    cleanup(async () => void (await service.stop()))
    const application = await anApplication()
    const type = await aType(application)
    const template = await aTemplate(application, type)
    // A few kilobytes of request become half a megabyte per recipient.
    await aVersion(template, 'en', { bodyTemplate: '{{a}}'.repeat(6_500) })
    const headers = { ...(await credentials('internal')), 'content-type': 'application/json' }

    const sendMany = async () => {
      const notifications = Array.from({ length: ITEMS }, () => ({
        recipientEmail: uniqueEmail(),
        appCode: application.code,
        type: type.code,
        template: template.key,
        data: { a: '<'.repeat(17) },
      }))
      const response = await fetch(`${service.url}/api/internal/notifications/bulk`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ notifications }),
      })
      assert.equal(response.status, 200)
      const { data } = (await response.json()) as { data: { code?: string }[] }
      return data
    }
    let healthy = 0
    const sendAll = async () => {
      let isOver = false
      const sending = Promise.all(Array.from({ length: REQUESTS }, sendMany))
      sending.finally(() => (isOver = true)).catch(() => {})
      while (!isOver) {
        assert.equal((await fetch(`${service.url}/api/health/live`)).status, 200)
        healthy++
        await pause(50)
      }
      const results = (await sending).flat()
      assert.lengthOf(results, REQUESTS * ITEMS)
      // Messages that ran out of time are reported as such and not logged.
      assert.isEmpty(results.filter(({ code }) => code !== undefined && code !== 'OVERLOADED'))
      return results.filter(({ code }) => code === undefined).length
    }
    // On a busy machine, few of them are in time.
    let processed = 0
    while (processed <= ITEMS) processed += await sendAll()
    assert.isAbove(healthy, 20)
    assert.isNull(service.process.exitCode)
  })
})
