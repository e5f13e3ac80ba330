import type { Change } from '#core/audit/change'
import { userTarget } from '#core/audit/user_target'
import type { SuppressionReason } from '#app/suppressions/values/suppression_reason'

interface SuppressionState {
  reason: SuppressionReason | null
  note: string | null
}

export const suppressionAdded = (email: string, { reason, note }: SuppressionState): Change => ({
  action: 'suppression.added',
  application: null,
  target: userTarget(email),
  before: null,
  after: { reason, note },
  email,
})

export const suppressionRemoved = (email: string, { reason, note }: SuppressionState): Change => ({
  action: 'suppression.removed',
  application: null,
  target: userTarget(email),
  before: { reason, note },
  after: null,
  email,
})
