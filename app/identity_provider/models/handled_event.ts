import { HandledEventSchema } from '#database/schema'

/** An event of the webhook that was handled, known by a digest of its id. */
export default class HandledEvent extends HandledEventSchema {}
