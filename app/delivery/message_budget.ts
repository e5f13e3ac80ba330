import { Budget } from '#core/values/budget'
import { type InternalCaller, restrictedAppCode } from '#app/auth/values/internal_caller'
import { MAX_RENDERED_LENGTH } from '#app/notifications/rendering/render'
import type { BatchLimits } from '#app/delivery/actions/prepare_notifications'

const MEBI = 1_048_576

export const MAX_MESSAGE_SIZE = 2 * MAX_RENDERED_LENGTH

/** A hundred ordinary messages, or a few large ones. */
export const BATCH_LIMITS: BatchLimits = { size: 4 * MEBI, parallel: 4 }
export const MAX_BATCH_SIZE = BATCH_LIMITS.size + BATCH_LIMITS.parallel * MAX_MESSAGE_SIZE

/** Each application has its share. */
export function budgetHolder(caller: InternalCaller): string {
  const appCode = restrictedAppCode(caller)
  return appCode === null ? 'platform' : `application ${appCode}`
}

/** Limits rendered messages in memory, in characters (notifications.md#large-messages). */
export const messageBudget = new Budget(128 * MEBI, 32 * MEBI)
