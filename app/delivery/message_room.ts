import { Budget } from '#core/values/budget'
import { MAX_RENDERED_LENGTH } from '#app/notifications/rendering/render'
import type { Portion } from '#app/delivery/actions/prepare_notifications'

const MEBI = 1_048_576

export const LARGEST = 2 * MAX_RENDERED_LENGTH

/** A hundred ordinary messages, or a few large ones. */
export const PORTION: Portion = { size: 4 * MEBI, parallel: 4 }
export const PORTION_ROOM = PORTION.size + PORTION.parallel * LARGEST

/** Limits rendered messages in memory, in characters (notifications.md#large-messages). */
export const messageRoom = new Budget(256 * MEBI, 64 * MEBI)
