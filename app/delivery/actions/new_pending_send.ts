import { randomUUID } from 'node:crypto'
import { DateTime } from 'luxon'
import { smtpAccountOf } from '#app/delivery/mail/sender'
import type { Channel } from '#app/delivery/models/delivery'
import type { OutgoingMessage } from '#app/delivery/values/outgoing_message'
import { encryptContent } from '#app/delivery/values/pending_content'
import { type PendingRequest, encryptRequest } from '#app/delivery/values/pending_request'
import sendingConfig from '#config/sending'

/** The fields of a new pending send. */
export interface NewPendingSend {
  channels: Channel[]
  applicationId: number
  account: string
  recipientId: number
  content: string
  prepared: boolean
  claim: string
  dueAt: DateTime
  giveUpAt: DateTime
  createdAt: DateTime
  retryHours: number | null
  waitUntil: DateTime | null
}

/** A durable send, claimed by the caller. */
export function newPendingSend(
  message: OutgoingMessage,
  channels: Channel[],
  hours: number
): NewPendingSend {
  const now = DateTime.utc()
  return {
    ...contentOf(message, channels),
    claim: randomUUID(),
    dueAt: now.plus({ milliseconds: sendingConfig.leaseMs }),
    giveUpAt: now.plus({ hours }),
    createdAt: now,
    retryHours: null,
    waitUntil: null,
  }
}

/** A digest, due now and claimed by nobody. Its retry period has begun. */
export function newDigestSend(message: OutgoingMessage) {
  const now = DateTime.utc()
  return {
    ...contentOf(message, ['email']),
    digest: true,
    dueAt: now,
    giveUpAt: now.plus({
      hours: Math.max(sendingConfig.retryHours, sendingConfig.digestRetryHours),
    }),
  }
}

/** A send that waits, claimed by nobody. Its retry period begins with its first round. */
export function newDeferredSend(
  message: OutgoingMessage,
  channels: Channel[],
  hours: number,
  until: DateTime
): NewPendingSend {
  return {
    ...contentOf(message, channels),
    ...unclaimedUntil(until, hours),
    waitUntil: latestWait(),
  }
}

/** Nothing waits for quiet hours to end beyond this, however they change in the meantime. */
export const latestWaitFrom = (moment: DateTime) =>
  moment.plus({ days: sendingConfig.maxQuietDays })

export const latestWait = () => latestWaitFrom(DateTime.utc())

/** A request that is rendered then. */
export function newPendingRequest(
  request: PendingRequest,
  hours: number,
  until: DateTime
): NewPendingSend {
  return {
    prepared: false,
    channels: [],
    applicationId: request.applicationId,
    account: `application ${request.applicationId}`,
    recipientId: request.userId,
    content: encryptRequest(request),
    ...unclaimedUntil(until, hours),
    waitUntil: null,
  }
}

export function contentOf(message: OutgoingMessage, channels: Channel[]) {
  return {
    channels,
    applicationId: message.application.id,
    account: accountName(message, channels),
    recipientId: message.recipient.id,
    content: encryptContent(message),
    prepared: true,
  }
}

const unclaimedUntil = (until: DateTime, retryHours: number) => ({
  claim: '',
  dueAt: until,
  giveUpAt: until,
  createdAt: DateTime.utc(),
  retryHours,
})

/** What shares a limit: mails share a server, pushes only the browsers of a user. */
function accountName({ brand, recipient }: OutgoingMessage, channels: Channel[]) {
  return channels.includes('email') ? smtpAccountOf(brand).owner : `push ${recipient.id}`
}
