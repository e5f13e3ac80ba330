import NotificationTemplate from '#app/notifications/models/notification_template'
import type Notification from '#app/notifications/models/notification'
import { mayBeSecret } from '#app/notifications/values/secret_variables'
import { maskVariables, sensitiveKeys } from '#app/notifications/values/sensitive_variables'

// What the e-mail hook records in place of a payload.
const HOOK_FACTS = new Set(['templateSource', 'fallbackReason'])

/** The payload as administrators see it (delivery.md#sensitive-variables). */
export async function readMaskedPayload(entry: Notification): Promise<Record<string, unknown>> {
  const recorded = entry.sensitiveVariables ?? oldSecretsOf(entry)
  const template = await findTemplate(entry)
  const declared = sensitiveKeys(null, template, entry.payload)
  return maskVariables(entry.payload, [...recorded, ...declared])
}

/** Entries from before the keys were recorded: only those of system types can have secrets. */
function oldSecretsOf({ inInbox, payload }: Notification): string[] {
  if (inInbox) return []
  return Object.keys(payload).filter((name) => mayBeSecret(name) && !HOOK_FACTS.has(name))
}

function findTemplate({ appCode, type, templateKey }: Notification) {
  if (templateKey === null) return null
  return NotificationTemplate.query()
    .where('key', templateKey)
    .whereHas('notificationType', (types) =>
      types
        .where('code', type)
        .whereHas('application', (applications) => applications.where('code', appCode))
    )
    .first()
}
