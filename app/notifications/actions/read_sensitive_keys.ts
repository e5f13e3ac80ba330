import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type Notification from '#app/notifications/models/notification'
import NotificationTemplate from '#app/notifications/models/notification_template'
import { mayBeSecret } from '#app/notifications/values/secret_variables'
import { sensitiveKeys } from '#app/notifications/values/sensitive_variables'

// What the e-mail hook records in place of a payload.
const HOOK_FACTS = new Set(['templateSource', 'fallbackReason'])

/** What the keys of an entry are read from. */
export type KeyedEntry = Pick<
  Notification,
  'appCode' | 'type' | 'templateKey' | 'payload' | 'sensitiveVariables' | 'inInbox'
>

/**
 * The keys of the values that only the recipient sees, for each of the entries: those that were
 * sensitive when it was sent, and those that its template declares now.
 */
export async function readSensitiveKeys(
  entries: KeyedEntry[],
  client?: TransactionClientContract
): Promise<string[][]> {
  const templates = new Map<string, NotificationTemplate | null>()
  const keys: string[][] = []
  for (const entry of entries) {
    const name = JSON.stringify([entry.appCode, entry.type, entry.templateKey])
    const template = templates.has(name) ? templates.get(name)! : await findTemplate(entry, client)
    templates.set(name, template)
    const recorded = entry.sensitiveVariables ?? oldSecretsOf(entry)
    const declared = sensitiveKeys(null, template, entry.payload)
    keys.push([...new Set([...recorded, ...declared])])
  }
  return keys
}

/** Entries from before the keys were recorded: only those of system types can have secrets. */
function oldSecretsOf({ inInbox, payload }: KeyedEntry): string[] {
  if (inInbox) return []
  return Object.keys(payload).filter((name) => mayBeSecret(name) && !HOOK_FACTS.has(name))
}

async function findTemplate(
  { appCode, type, templateKey }: KeyedEntry,
  client?: TransactionClientContract
) {
  if (templateKey === null) return null
  return NotificationTemplate.query({ client })
    .where('key', templateKey)
    .whereHas('notificationType', (types) =>
      types
        .where('code', type)
        .whereHas('application', (applications) => applications.where('code', appCode))
    )
    .first()
}
