import type { DeliveryPlan, PlanInput } from '#app/delivery/planning/delivery_plan'
import { PLAN_STEPS } from '#app/delivery/planning/plan_steps'

/**
 * Decides how a message is delivered, and says why (notifications.md#channel-choice). Sending and
 * explaining both use it.
 */
export function planDelivery(input: PlanInput): DeliveryPlan {
  const plan: DeliveryPlan = {
    channels: ['email', 'push'],
    later: null,
    inDigest: false,
    skipped: null,
    inInbox: !input.type.system,
    steps: [],
  }
  for (const takeStep of PLAN_STEPS) {
    takeStep(input, plan)
    if (plan.skipped !== null) break
  }
  return plan
}
