import {
  type PreparedNotification,
  prepareNotification,
} from '#app/delivery/actions/prepare_notification'
import { type RecipientDetails, readRecipients } from '#app/delivery/actions/read_recipients'
import type { ResolvedRequest } from '#app/delivery/actions/resolve_requests'

const DEFAULT_PARALLEL = 20

export interface BatchLimits {
  /** No further message is rendered once this many characters have been */
  size: number
  parallel: number
}

const UNLIMITED: BatchLimits = { size: Number.POSITIVE_INFINITY, parallel: DEFAULT_PARALLEL }

export async function prepareNotifications(
  requests: ResolvedRequest[]
): Promise<PreparedNotification[]> {
  return prepareNotificationBatch(requests, await readRecipientsByRequest(requests), UNLIMITED)
}

export type RecipientsByRequest = Map<ResolvedRequest, RecipientDetails>

export async function readRecipientsByRequest(
  requests: ResolvedRequest[]
): Promise<RecipientsByRequest> {
  const known = requests.filter(({ type }) => type !== null)
  return new Map(zip(known, await readRecipients(known)))
}

/** Prepares requests in order, at least one, until the limits are reached. */
export async function prepareNotificationBatch(
  requests: ResolvedRequest[],
  recipients: RecipientsByRequest,
  { size, parallel }: BatchLimits
): Promise<PreparedNotification[]> {
  const prepared: PreparedNotification[] = []
  let next = 0
  let total = 0
  const runner = async () => {
    while (next < requests.length && total < size) {
      const index = next++
      prepared[index] = await prepareNotification(
        requests[index],
        recipients.get(requests[index]) ?? null
      )
      total += prepared[index].size
    }
  }
  await Promise.all(Array.from({ length: Math.min(parallel, requests.length) }, runner))
  return prepared
}

function zip<A, B>(some: A[], others: B[]): [A, B][] {
  return some.map((item, index) => [item, others[index]])
}
