import { readRecipients } from '#app/delivery/actions/read_recipients'
import { type ResolvedRequest, resolveRequests } from '#app/delivery/actions/resolve_requests'
import { Problem } from '#core/exceptions/problem'
import { composeMail } from '#app/delivery/mail/compose_mail'
import type { NotificationRequest } from '#app/delivery/values/notification_request'
import { planFor } from '#app/delivery/actions/plan_for'
import { composeMessage } from '#app/notifications/actions/compose_message'
import { unsubscribeUrlFor } from '#app/notifications/values/unsubscribe_token'

/** Parts of a send on their own, with the service's own code. Runs inside the service. */

export type PlainMail = ReturnType<typeof composeMail>

/** The very mails that these requests become, for another to send. */
export async function composeAll(requests: NotificationRequest[]): Promise<PlainMail[]> {
  const items = await read(requests)
  return Promise.all(
    items.map(async (item, index) => {
      const mail = composeMail({
        reference: `notification.${index}.0123456789abcdef`,
        type: item.type!,
        brand: item.facts.brand,
        recipient: item.facts.user,
        ...(await planAndRender(item))!,
      })
      return { ...mail, dkim: undefined }
    })
  )
}

/** CPU time of this process per mail, in microseconds. */
export async function costOfPreparing(requests: NotificationRequest[], repeats: number) {
  const items = await read(requests)
  const mails = items.length * repeats
  const planning = await cpuOf(async () => {
    for (let repeat = 0; repeat < repeats; repeat++) for (const item of items) plan(item)
  })
  const both = await cpuOf(async () => {
    for (let repeat = 0; repeat < repeats; repeat++) {
      for (const item of items) await planAndRender(item)
    }
  })
  const lookUps = await cpuOf(async () => {
    for (let repeat = 0; repeat < repeats; repeat++) await read(requests)
  })
  return { plan: planning / mails, planAndRender: both / mails, lookUps: lookUps / mails }
}

async function cpuOf(work: () => Promise<void>) {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

async function read(requests: NotificationRequest[]) {
  const found = await resolveRequests(requests, { kind: 'platform' })
  const served = found.filter((item): item is ResolvedRequest => !(item instanceof Problem))
  if (served.length < requests.length) throw new Error('A request was refused')
  const facts = await readRecipients(served)
  return served.map((item, index) => ({ ...item, facts: facts[index] }))
}

type Item = Awaited<ReturnType<typeof read>>[number]

const plan = (item: Item) => planFor(item, item.facts)

function planAndRender(item: Item) {
  const { application, type, template, request, facts } = item
  const { channels } = plan(item)
  if (!channels.includes('email')) throw new Error('Nothing would be mailed')
  return composeMessage({
    application,
    template,
    data: request.data ?? {},
    locale: request.locale!,
    recipient: {
      email: facts.user.email,
      name: facts.user.effectiveDisplayName,
      brand: facts.brand,
    },
    unsubscribeUrl: unsubscribeUrlFor(facts.user, type!),
  })
}
