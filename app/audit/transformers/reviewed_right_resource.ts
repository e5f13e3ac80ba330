import { stringify } from 'csv-stringify/sync'
import { parseDatabaseTimestamp } from '#core/database/columns'
import { isoTimestamp } from '#core/values/iso_timestamp'
import { windowResource } from '#app/permissions/values/time_window'
import type { ReviewedRight } from '#app/audit/actions/review_access'
import { RIGHT_SOURCES } from '#app/audit/queries/access_rights'

/** See audit.md#access-reviews. */
export function reviewedRightResource({ right, origin }: ReviewedRight) {
  const { validFrom, validUntil, state } = windowResource({
    validFrom: parseDatabaseTimestamp(right.valid_from),
    validUntil: parseDatabaseTimestamp(right.valid_until),
  })
  return {
    email: right.email,
    displayName: right.display_name,
    active: right.active === null ? null : Boolean(right.active),
    source: RIGHT_SOURCES[right.source],
    role: right.role,
    permission: right.permission,
    granted: Boolean(right.granted),
    accessLevel: right.access_level,
    resourceType: right.resource_type,
    resourceId: right.resource_id,
    condition: right.condition,
    state,
    since: isoTimestamp(parseDatabaseTimestamp(right.created_at)!),
    lastLoginAt: isoTimestamp(parseDatabaseTimestamp(right.last_login_at)),
    givenBy: origin && {
      kind: origin.actor_kind,
      email: origin.actor_email,
      name: origin.actor_name,
    },
    reason: origin && origin.reason,
    validFrom,
    validUntil,
  }
}

const COLUMNS = [
  'email',
  'displayName',
  'active',
  'source',
  'role',
  'permission',
  'granted',
  'accessLevel',
  'resourceType',
  'resourceId',
  'condition',
  'state',
  'since',
  'givenBy',
  'reason',
  'validFrom',
  'validUntil',
  'lastLoginAt',
]

/** Spreadsheets do not read any text as a formula. */
export function reviewCsv(rights: ReviewedRight[], { header }: { header: boolean }): string {
  return stringify(rights.map(rowOf), {
    header,
    columns: COLUMNS,
    cast: { boolean: String },
    escape_formulas: true,
  })
}

/** An asterisk means all permissions: no code contains one. */
function rowOf(reviewed: ReviewedRight) {
  const { givenBy, permission, ...rest } = reviewedRightResource(reviewed)
  const by = givenBy && (givenBy.email ?? givenBy.name ?? givenBy.kind)
  return { ...rest, permission: permission ?? '*', givenBy: by ?? 'unknown' }
}
