import { Problem } from '#core/exceptions/problem'
import { toProblem } from '#core/exceptions/to_problem'
import type { InternalCaller } from '#app/auth/values/internal_caller'
import { currentCaller } from '#core/http/current_caller'
import { BulkTurns } from '#core/values/bulk_turns'
import { Deadline } from '#core/values/deadline'
import { sendNotifications } from '#app/delivery/actions/send_notifications'
import type { NotificationRequest, SendResult } from '#app/delivery/values/notification_request'
import mailConfig from '#config/mail'

/** How many items are validated in one turn of the event loop: about 5 ms if all are refused. */
const ITEMS_PER_TURN = 100

const validations = new BulkTurns(ITEMS_PER_TURN)

/** The result of an item that was rejected (notifications.md#bulk-sends). */
export interface RefusedItem {
  id: null
  status: 'failed'
  statusReason: string
  code: string
  details: Record<string, unknown>
}

export async function sendMany(
  items: unknown[],
  read: (item: unknown) => Promise<NotificationRequest>,
  caller: InternalCaller
): Promise<(SendResult | RefusedItem)[]> {
  await validations.wait({ group: currentCaller() }, items.length)
  const requests = await Promise.all(items.map((item) => read(item).catch(problemOf)))
  const results = await sendNotifications(requests, caller, new Deadline(mailConfig.bulkBudgetMs))
  return results.map((result) => (result instanceof Problem ? refused(result) : result))
}

/** Then nothing was sent or recorded (delivery.md#released-keys). */
export const allRefused = (results: (SendResult | RefusedItem)[]) =>
  results.every(({ id }) => id === null)

/** Rethrows server errors, which fail the whole request. */
function problemOf(error: unknown): Problem {
  const problem = toProblem(error)
  if (problem.kind.status >= 500) throw error
  return problem
}

function refused({ kind, message, details }: Problem): RefusedItem {
  const statusReason = `${kind.code}: ${message}`
  return { id: null, status: 'failed', statusReason, code: kind.code, details }
}
