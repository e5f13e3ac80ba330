import { RetentionSource } from '#core/retention/retention_source'
import { broadcastSweeps } from '#app/broadcasts/retention'
import { BroadcastDelivery } from '#app/broadcasts/work/broadcast_delivery'
import { BroadcastExpansion } from '#app/broadcasts/work/broadcast_expansion'
import type { WorkSource } from '#app/delivery/outbox/work_source'
import { PendingSendSource } from '#app/delivery/outbox/pending_send_source'
import { PushLimitSource } from '#app/delivery/outbox/push_limit_source'
import { ProviderMailSource } from '#app/identity_provider/mail_hook/provider_mail_source'
import { ReconciliationSource } from '#app/identity_provider/reconciliation/reconciliation_source'
import { deliverySweeps } from '#app/delivery/retention'
import { notificationSweeps } from '#app/notifications/retention'
import { profileSweeps } from '#app/profiles/retention'

export const sweeps = [
  ...profileSweeps,
  ...notificationSweeps,
  ...deliverySweeps,
  ...broadcastSweeps,
]

/** Background work of the service and of `queue:work`. */
export const workSources: WorkSource[] = [
  new ProviderMailSource(),
  new ReconciliationSource(),
  new BroadcastExpansion(),
  new BroadcastDelivery(),
  new PendingSendSource(),
  new PushLimitSource(),
  new RetentionSource(sweeps),
]
