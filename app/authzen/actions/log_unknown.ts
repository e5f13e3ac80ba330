import { decisionLog } from '#app/checks/decision_log'
import type { AccessRequest } from '#app/authzen/values/access_request'

/** Logs the denial of a request about something unknown, which no rule decides. */
export function logUnknown(appCode: string, { subject, action, resource }: AccessRequest) {
  if (!decisionLog.isOn) return
  decisionLog.add({
    scope: {
      email: subject.id,
      app: appCode,
      resourceType: resource.type,
      resourceId: resource.id,
    },
    permission: action.name,
    level: undefined,
    decision: { level: null, source: null, decidedBy: null },
    cached: false,
    duration: 0,
  })
}
