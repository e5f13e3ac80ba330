import { once } from 'node:events'
import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import Digest from '#app/delivery/models/digest'
import PendingSend from '#app/delivery/models/pending_send'
import Notification from '#app/notifications/models/notification'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import User from '#app/profiles/models/user'
import sendingConfig from '#config/sending'
import { startAce } from '#tests/helpers/ace'
import { uniqueEmails } from '#tests/helpers/broadcasts'
import { postInternalNotification } from '#tests/helpers/deliveries'
import { aDigestedType } from '#tests/helpers/digests'
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

interface Recipients {
  /** Get a message with a `sendAt` */
  later: string[]
  /** Get a message when their quiet hours end */
  quiet: string[]
  /** Get one digest of two messages */
  digested: string[]
}

function recipients(): Recipients {
  const emails = uniqueEmails((MESSAGES * 3) / 4)
  const third = emails.length / 3
  return {
    later: emails.slice(0, third),
    quiet: emails.slice(third, 2 * third),
    digested: emails.slice(2 * third),
  }
}

async function scheduleMany(client: ApiClient, { later, quiet, digested }: Recipients) {
  const application = await anApplication()
  const { code: type } = await aDigestedType(application)
  for (const email of [...quiet, ...digested]) await ensureUser({ email })
  await setQuietHours(quiet, JSON.stringify(quietHoursNow()))
  const message = { appCode: application.code, type: 'generic', data: TEXT, retryHours: 1 }
  const sendAt = inHours(1)
  const items = [
    ...later.map((recipientEmail) => ({ ...message, recipientEmail, sendAt })),
    ...quiet.map((recipientEmail) => ({ ...message, recipientEmail })),
    ...[...digested, ...digested].map((recipientEmail) => ({ ...message, recipientEmail, type })),
  ]
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
async function makeAllDue() {
  const due = { due_at: toDatabaseTimestamp(DateTime.utc()) }
  await PendingSend.query().update(due)
  await Digest.query().update(due)
}

test('Processes can be killed while sends and digests fall due: all arrive, once in the inbox', async ({
  assert,
  client,
  cleanup,
}) => {
  const server = await new CountingSmtp().start()
  cleanup(() => server.stop())
  const all = recipients()
  const emails = Object.values(all).flat()
  await PendingSend.query().delete()
  await Digest.query().delete()
  await scheduleMany(client, all)
  const start = () => startAce(['queue:work'], { SMTP_PORT: String(server.port) })
  await makeAllDue()
  let worker = start()
  cleanup(() => void worker.child.kill('SIGKILL'))
  const moments = Array.from({ length: KILLS }, () => Math.random() * 0.9 * emails.length)
  for (const moment of moments.sort((one, other) => one - other)) {
    await eventually('the moment has come', () => server.times.length >= moment, 120_000)
    worker.child.kill('SIGKILL')
    await once(worker.child, 'exit')
    await makeAllDue()
    worker = start()
  }
  await eventually(
    'all have ended',
    async () =>
      (await PendingSend.query().first()) === null && (await Digest.query().first()) === null,
    240_000
  )

  const lost = emails.filter((email) => !server.messageIds.has(email)).length
  const repeats = server.times.length - server.messageIds.size
  const differing = [...server.messageIds.values()].filter((ids) => new Set(ids).size > 1).length
  const entries = await Notification.query().whereIn('email', emails)
  const inInbox = entries.filter((entry) => entry.inInbox).length
  const digests = entries.filter(({ digestSize }) => digestSize !== null).length
  const inDigests = entries.filter(({ digestId }) => digestId !== null).length
  const most = KILLS * sendingConfig.perApplicationAccount
  process.stdout.write(
    `    ${MESSAGES} messages, ${KILLS} kills: ${lost} lost, ${repeats} mails repeated (at most ${most}), ` +
      `${differing} of them under another Message-ID, ${inInbox - MESSAGES} inbox items repeated, ` +
      `${digests - all.digested.length} digests repeated\n`
  )
  assert.deepEqual({ lost, differing, inInbox }, { lost: 0, differing: 0, inInbox: MESSAGES })
  assert.deepEqual([digests, inDigests], [all.digested.length, 2 * all.digested.length])
  assert.isAtMost(repeats, most)
  assert.isTrue(entries.every(({ status }) => status === 'sent'))
}).timeout(400_000)
