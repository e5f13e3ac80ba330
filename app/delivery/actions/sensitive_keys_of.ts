import type { ResolvedRequest } from '#app/delivery/actions/resolve_requests'
import { sensitiveKeys } from '#app/notifications/values/sensitive_variables'

/** The keys of variables that are sensitive now, or were when the request was accepted. */
export function sensitiveKeysOf({
  request,
  type,
  template,
  sensitiveBefore = [],
}: ResolvedRequest) {
  return [...new Set([...sensitiveBefore, ...sensitiveKeys(type, template, request.data ?? {})])]
}
