import vine from '@vinejs/vine'
import { ACTOR_KINDS } from '#core/audit/audit_actor'
import { AUDIT_ACTIONS } from '#core/audit/audit_actions'
import { pagingFields } from '#core/http/paging'
import { email, slug, timestamp } from '#core/validation/fields'
import { queryText } from '#core/validation/query_fields'

const filters = {
  ...pagingFields,
  actorKind: vine.enum(ACTOR_KINDS).optional(),
  actor: email().optional(),
  action: vine.enum(AUDIT_ACTIONS).optional(),
  targetKind: queryText(64).optional(),
  targetId: queryText(512).optional(),
  from: timestamp().optional(),
  to: timestamp().optional(),
}

export const listAuditValidator = vine.create({
  ...filters,
  application: slug().optional(),
  email: email().optional(),
})

export const userAuditValidator = vine.create({ ...filters, application: slug().optional() })
