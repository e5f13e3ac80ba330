import { BroadcastRecipientSchema } from '#database/schema'

export default class BroadcastRecipient extends BroadcastRecipientSchema {}
