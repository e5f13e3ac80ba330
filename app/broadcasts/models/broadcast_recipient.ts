import { BroadcastRecipientSchema } from '#database/schema'

/** One person of a broadcast's audience, and what has become of them. */
export default class BroadcastRecipient extends BroadcastRecipientSchema {}
