import { Budget } from '#core/values/budget'
import { MAX_RENDERED_LENGTH } from '#app/notifications/rendering/render'
import type { Portion } from '#app/delivery/actions/prepare_notifications'

const MEBI = 1_048_576

/** What one message takes at most, in characters: its HTML and its text. */
export const LARGEST = 2 * MAX_RENDERED_LENGTH

/** What one request renders before it sends: a hundred ordinary messages, or a few large ones. */
export const PORTION: Portion = { size: 4 * MEBI, parallel: 4 }
export const PORTION_ROOM = PORTION.size + PORTION.parallel * LARGEST

/**
 * Room for rendered messages that are not sent yet, in characters. An application gets a quarter of
 * it, so that it cannot fill the memory with large messages or keep others from sending.
 */
export const messageRoom = new Budget(256 * MEBI, 64 * MEBI)
