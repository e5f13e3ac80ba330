import type { RecipientDetails } from '#app/delivery/actions/read_recipients'
import type { ResolvedRequest } from '#app/delivery/actions/resolve_requests'
import { channels } from '#app/delivery/channels'
import type { DeliveryPlan } from '#app/delivery/planning/delivery_plan'
import { planDelivery } from '#app/delivery/planning/plan_delivery'

/** The plan for a request whose type exists. */
export function planFor(
  { type, isSeparate }: ResolvedRequest,
  details: RecipientDetails
): DeliveryPlan {
  const { user, notificationsEnabled, preference, subscriptions } = details
  const { suppressed, digest, quietUntil } = details
  return planDelivery({
    type: type!,
    active: user.active,
    notificationsEnabled,
    preference,
    reachable: {
      email: channels.email.isConfigured,
      push: channels.push.isConfigured && subscriptions.length > 0,
    },
    suppressed,
    digest: isSeparate ? null : digest,
    quietUntil,
  })
}
