import { readSensitiveKeys } from '#app/notifications/actions/read_sensitive_keys'
import type Notification from '#app/notifications/models/notification'
import { maskVariables } from '#app/notifications/values/sensitive_variables'

/** The payload as administrators see it (delivery.md#sensitive-variables). */
export async function readMaskedPayload(entry: Notification): Promise<Record<string, unknown>> {
  const [keys] = await readSensitiveKeys([entry])
  return maskVariables(entry.payload, keys)
}
