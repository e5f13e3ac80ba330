import { BroadcastDelivery } from '#app/broadcasts/background/broadcast_delivery'
import { BroadcastExpansion } from '#app/broadcasts/background/broadcast_expansion'
import { StoppedBroadcasts } from '#app/broadcasts/background/stopped_broadcasts'

export const broadcastWork = [
  new BroadcastExpansion(),
  new BroadcastDelivery(),
  new StoppedBroadcasts(),
]
