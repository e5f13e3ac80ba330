import { registerWork } from '#core/background/work_sources'
import { changeSweeps } from '#core/changes/retention'
import { RetentionSource } from '#core/retention/retention_source'
import { auditWork } from '#app/audit/background'
import { auditSweeps } from '#app/audit/retention'
import { broadcastWork } from '#app/broadcasts/background'
import { broadcastSweeps } from '#app/broadcasts/retention'
import { checkSweeps } from '#app/checks/retention'
import { deliveryWork } from '#app/delivery/background'
import { deliverySweeps } from '#app/delivery/retention'
import { identityProviderWork } from '#app/identity_provider/background'
import { identityProviderSweeps } from '#app/identity_provider/retention'
import { inboxSweeps } from '#app/inbox/retention'
import { notificationWork } from '#app/notifications/background'
import { notificationSweeps } from '#app/notifications/retention'
import { webhookWork } from '#app/webhooks/background'
import { webhookSweeps } from '#app/webhooks/retention'
import { sessionSweeps } from '#app/auth/retention'
import { permissionSweeps } from '#app/permissions/retention'
import { profileSweeps } from '#app/profiles/retention'
import { suppressionSweeps } from '#app/suppressions/retention'

export const sweeps = [
  ...changeSweeps,
  ...permissionSweeps,
  ...profileSweeps,
  ...checkSweeps,
  ...sessionSweeps,
  ...notificationSweeps,
  ...suppressionSweeps,
  ...deliverySweeps,
  ...inboxSweeps,
  ...broadcastSweeps,
  ...auditSweeps,
  ...webhookSweeps,
  ...identityProviderSweeps,
]

registerWork(
  ...identityProviderWork,
  ...broadcastWork,
  ...deliveryWork,
  ...notificationWork,
  ...auditWork,
  ...webhookWork,
  new RetentionSource(sweeps)
)
