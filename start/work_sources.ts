import { BroadcastDelivery } from '#app/broadcasts/work/broadcast_delivery'
import { BroadcastExpansion } from '#app/broadcasts/work/broadcast_expansion'
import type { WorkSource } from '#app/delivery/outbox/work_source'
import { PushLimitSource } from '#app/delivery/outbox/push_limit_source'
import { ProviderMailSource } from '#app/identity_provider/outbox/provider_mail_source'
import { ReconciliationSource } from '#app/identity_provider/outbox/reconciliation_source'

/** All that is worked on in the background, by the service itself and by `queue:work`. */
export const workSources: WorkSource[] = [
  new ProviderMailSource(),
  new ReconciliationSource(),
  new BroadcastExpansion(),
  new BroadcastDelivery(),
  new PushLimitSource(),
]
