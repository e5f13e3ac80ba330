import { once } from 'node:events'
import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import PendingSend from '#app/delivery/models/pending_send'
import Notification from '#app/notifications/models/notification'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import User from '#app/profiles/models/user'
import sendingConfig from '#config/sending'
import { startAce } from '#tests/helpers/ace'
import { uniqueEmails } from '#tests/helpers/broadcasts'
import { postInternalNotification } from '#tests/helpers/deliveries'
import { eventually } from '#tests/helpers/eventually'
import { TEXT } from '#tests/helpers/pending_sends'
import { anApplication } from '#tests/helpers/people'
import { quietHoursNow } from '#tests/helpers/quiet_hours'
import { inHours } from '#tests/helpers/scheduled_sends'
import { CountingSmtp } from '#tests/world/counting_smtp'

/** `docs/explanation/delivery-guarantees.md` has the full size: 2000 and 8. */
const MESSAGES = Number(process.env.CRASH_RECIPIENTS ?? 120)
const KILLS = Number(process.env.CRASH_KILLS ?? 1)
const PER_REQUEST = 100

/** Half of them have a `sendAt`, the others wait for the end of quiet hours. */
async function scheduleMany(client: ApiClient, emails: string[]) {
  const { code: appCode } = await anApplication()
  const quiet = emails.filter((_, index) => index % 2 === 1)
  for (const email of quiet) await ensureUser({ email })
  await setQuietHours(quiet, JSON.stringify(quietHoursNow()))
  const sendAt = inHours(1)
  const items = emails.map((recipientEmail, index) => ({
    ...{ recipientEmail, appCode, type: 'generic', data: TEXT, retryHours: 1 },
    ...(index % 2 === 0 && { sendAt }),
  }))
  for (let start = 0; start < items.length; start += PER_REQUEST) {
    const notifications = items.slice(start, start + PER_REQUEST)
    const response = await postInternalNotification(client, '/bulk', { notifications })
    const statuses = response.body().data.map(({ status }: { status: string }) => status)
    if (statuses.some((status: string) => status !== 'scheduled')) throw new Error('not scheduled')
  }
  await setQuietHours(quiet, null)
}

async function setQuietHours(emails: string[], hours: string | null) {
  for (let start = 0; start < emails.length; start += 500) {
    const some = emails.slice(start, start + 500)
    await User.query().whereIn('email', some).update({ quiet_hours: hours })
  }
}

/** While no process runs: the time has come, or the claims of the one that was killed end. */
const makeAllDue = () => PendingSend.query().update({ due_at: toDatabaseTimestamp(DateTime.utc()) })

test('Processes can be killed while scheduled sends fall due: all arrive, once in the inbox', async ({
  assert,
  client,
  cleanup,
}) => {
  const server = await new CountingSmtp().start()
  cleanup(() => server.stop())
  const emails = uniqueEmails(MESSAGES)
  await PendingSend.query().delete()
  await scheduleMany(client, emails)
  const start = () => startAce(['queue:work'], { SMTP_PORT: String(server.port) })
  await makeAllDue()
  let worker = start()
  cleanup(() => void worker.child.kill('SIGKILL'))
  const moments = Array.from({ length: KILLS }, () => Math.random() * 0.9 * MESSAGES)
  for (const moment of moments.sort((one, other) => one - other)) {
    await eventually('the moment has come', () => server.times.length >= moment, 120_000)
    worker.child.kill('SIGKILL')
    await once(worker.child, 'exit')
    await makeAllDue()
    worker = start()
  }
  await eventually(
    'all have ended',
    async () => (await PendingSend.query().first()) === null,
    240_000
  )

  const lost = emails.filter((email) => !server.messageIds.has(email)).length
  const repeats = server.times.length - server.messageIds.size
  const differing = [...server.messageIds.values()].filter((ids) => new Set(ids).size > 1).length
  const entries = await Notification.query().whereIn('email', emails)
  const inInbox = entries.filter((entry) => entry.inInbox).length
  const most = KILLS * sendingConfig.perAccount
  process.stdout.write(
    `    ${MESSAGES} messages, ${KILLS} kills: ${lost} lost, ${repeats} mails repeated (at most ${most}), ` +
      `${differing} of them under another Message-ID, ${inInbox - MESSAGES} inbox items repeated\n`
  )
  assert.deepEqual({ lost, differing, inInbox }, { lost: 0, differing: 0, inInbox: MESSAGES })
  assert.isAtMost(repeats, most)
  assert.isTrue(entries.every(({ status }) => status === 'sent'))
}).timeout(400_000)
