import { CooperativeQueue } from '#core/values/cooperative_queue'

/**
 * Renders, writes and signs messages, however many there are, in small parts between requests.
 * A signed mail takes about a millisecond, and twenty connections are ready for one at a time.
 * Applications, which are groups by their ids, take turns.
 */
export const renderingTurns = new CooperativeQueue(1)
