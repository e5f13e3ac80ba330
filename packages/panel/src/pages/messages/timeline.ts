import type { MessageDelivery, MessageDetails } from '@/queries/messages'

/** Something that happened to a message, or will. */
export interface TimelineEvent {
  /** Null if it is unknown. */
  at: string | null
  kind:
    | 'recorded'
    | 'scheduledFor'
    | 'wasScheduledFor'
    | 'accepted'
    | 'deferred'
    | 'rejected'
    | 'bounced'
    | 'failedBefore'
    | 'nextAttempt'
    | 'paused'
    | 'skipped'
  channel: 'email' | 'push' | null
  /** Of the answer, such as 250. */
  code: number | null
  /** What a server said, or why it ended. */
  text: string | null
}

const event = (
  kind: TimelineEvent['kind'],
  at: string | null,
  rest: Partial<TimelineEvent> = {}
): TimelineEvent => ({ at, kind, channel: null, code: null, text: null, ...rest })

/** From the send to the last attempt, and what follows. What has no time comes last. */
export function timelineOf(message: MessageDetails): TimelineEvent[] {
  const { createdAt, scheduledFor, status, deliveries } = message
  const isWaiting = status === 'scheduled'
  const events = [event('recorded', createdAt), ...deliveries.flatMap(eventsOf)]
  if (scheduledFor) {
    events.push(event(isWaiting ? 'scheduledFor' : 'wasScheduledFor', scheduledFor))
  }
  if (status === 'skipped') events.push(event('skipped', null))
  else if (status === 'failed' && deliveries.length === 0) events.push(event('failedBefore', null))
  return events
    .map((one, index) => ({ one, index }))
    .sort((a, b) => timeOf(a.one) - timeOf(b.one) || a.index - b.index)
    .map(({ one }) => one)
}

const timeOf = ({ at }: TimelineEvent) => (at === null ? Infinity : Date.parse(at))

function eventsOf({ channel, status, attempts, error, nextAttemptAt }: MessageDelivery) {
  const made = attempts.map(({ at, outcome, code, text }) =>
    event(outcome, at, { channel, code, text })
  )
  const isUntried = attempts.length === 0 && status === 'failed'
  if (isUntried) made.push(event('failedBefore', null, { channel, text: error }))
  if (status === 'pending') {
    made.push(event(nextAttemptAt ? 'nextAttempt' : 'paused', nextAttemptAt, { channel }))
  }
  return made
}
