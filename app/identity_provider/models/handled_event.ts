import { HandledEventSchema } from '#database/schema'

/** A webhook event that was handled, identified by a digest of its id. */
export default class HandledEvent extends HandledEventSchema {}
