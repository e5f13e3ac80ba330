import { type RequireFresh, unconditional } from '#core/http/etag'
import { updateOf } from '#core/audit/audited_row'
import { recordChange } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import { TypeProtected } from '#app/notifications/exceptions'
import NotificationType from '#app/notifications/models/notification_type'
import { requireDigestTemplate } from '#app/notifications/actions/require_digest_template'
import { auditedType } from '#app/notifications/transformers/audited_type'
import { type TypeDigest, isSameDigest } from '#app/notifications/values/digest_frequency'

export interface TypeSwitches {
  emailEnabled?: boolean
  pushEnabled?: boolean
  userCanDisable?: boolean
  defaultEmail?: boolean
  defaultPush?: boolean
  selfServiceEnabled?: boolean
  urgent?: boolean
}

export interface TypeChanges extends TypeSwitches {
  name?: string
  description?: string | null
  emailFromName?: string | null
  digest?: TypeDigest | null
}

const SWITCHES = [
  'emailEnabled',
  'pushEnabled',
  'userCanDisable',
  'defaultEmail',
  'defaultPush',
  'selfServiceEnabled',
  'urgent',
] as const satisfies (keyof TypeSwitches)[]

export interface TypeWriting {
  /** False if the template of the digests may follow in the same transaction */
  checksTemplate?: boolean
}

/**
 * @throws ApplicationNotFound, NotificationTypeNotFound, Stale, TypeProtected, UnknownTemplate for
 *   that of its digests
 */
export async function updateType(
  appCode: string,
  code: string,
  changes: TypeChanges,
  requireFresh: RequireFresh<NotificationType> = unconditional,
  { checksTemplate = true }: TypeWriting = {}
) {
  return transaction(async (trx) => {
    const type = await NotificationType.lock(appCode, code, trx)
    await requireFresh(() => type)
    requireChangeable(type, changes)
    const before = auditedType(type, appCode)
    await type.merge(changes).save()
    if (changes.digest && checksTemplate) await requireDigestTemplate(type, trx)
    await recordChange(trx, updateOf(before, auditedType(type, appCode)))
    return type
  })
}

/** @throws TypeProtected */
function requireChangeable(type: NotificationType, changes: TypeChanges) {
  const changesSwitch = SWITCHES.some(
    (name) => changes[name] !== undefined && changes[name] !== type[name]
  )
  const { digest } = changes
  const changesDigest = digest !== undefined && !isSameDigest(digest, type.digest)
  if (type.system && (changesSwitch || changesDigest)) throw new TypeProtected()
}
