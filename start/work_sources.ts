import { BroadcastDelivery } from '#app/broadcasts/work/broadcast_delivery'
import { BroadcastExpansion } from '#app/broadcasts/work/broadcast_expansion'
import type { WorkSource } from '#app/delivery/outbox/work_source'

/** All that is worked on in the background, by the service itself and by `queue:work`. */
export const workSources: WorkSource[] = [new BroadcastExpansion(), new BroadcastDelivery()]
