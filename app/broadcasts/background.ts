import { BroadcastDelivery } from '#app/broadcasts/background/broadcast_delivery'
import { BroadcastExpansion } from '#app/broadcasts/background/broadcast_expansion'

export const broadcastWork = [new BroadcastExpansion(), new BroadcastDelivery()]
