import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { LucidModel } from '@adonisjs/lucid/types/model'
import { type PlainRow, columnsOf, plainRows } from '#core/database/plain_rows'
import { Turns } from '#core/values/turns'
import type Application from '#app/applications/models/application'
import Entity from '#app/applications/models/entity'
import NotificationTemplate from '#app/notifications/models/notification_template'
import NotificationType from '#app/notifications/models/notification_type'
import TemplateVersion from '#app/notifications/models/template_version'
import Permission from '#app/permissions/models/permission'
import Role from '#app/permissions/models/role'
import type { AccessLevel } from '#app/permissions/values/access_level'
import { PolicyTooLarge } from '#app/policies/exceptions'
import { readAssignments, requireFewAssignments } from '#app/policies/queries/read_assignments'
import { completePolicy } from '#app/policies/values/complete_policy'
import type { PolicyDocument } from '#app/policies/values/policy_document'

const PERMISSION = [
  'id',
  'code',
  'name',
  'description',
  'type',
  'groupName',
  'parentPermissionId',
  'global',
] as const
const ROLE = ['id', 'code', 'name', 'description'] as const

/** Of the subjects and bodies of all versions together. */
const MAX_TEXT_BYTES = 8_388_608

interface Wanted {
  assignments?: boolean
  /** Until the transaction ends, nobody else changes or deletes what was read. */
  lock?: boolean
}

/**
 * Reads what is stored, in the form of a document.
 * @throws PolicyTooLarge
 */
export async function readPolicy(
  application: Application,
  { assignments = false, lock = false }: Wanted,
  trx: TransactionClientContract
): Promise<PolicyDocument> {
  const turns = new Turns()
  const from = { application, lock, turns, trx }
  if (assignments) await requireFewAssignments(application, trx)
  const permissions = await readPermissions(from)
  const roles = await readRoles(from)
  const entities = await readEntities(from)
  const notificationTypes = await readTypes(from)
  const codes = { permissions: codesById(permissions), roles: codesById(roles) }
  const policy = {
    application: application.code,
    permissions: permissions.map((permission) => policyPermission(permission, codes.permissions)),
    roles,
    entities,
    notificationTypes,
    assignments: assignments ? await readAssignments(application, codes, from) : undefined,
  }
  if (turns.isOver) await turns.next()
  const complete = completePolicy(policy)
  if (turns.isOver) await turns.next()
  return complete
}

const codesById = (rows: readonly { id: number; code: string }[]) =>
  new Map(rows.map(({ id, code }) => [id, code]))

interface Source {
  application: Application
  lock: boolean
  /** SQLite statements are synchronous, so other requests would get no turn between them. */
  turns: Turns
  trx: TransactionClientContract
}

/** Of one kind, all that an application has. */
function rowsOf<Model extends LucidModel>(model: Model, { application, lock, trx }: Source) {
  const rows = model.query({ client: trx }).where('applicationId', application.id)
  return lock ? rows.forUpdate() : rows
}

async function readPermissions(from: Source) {
  const permissions = await plainRows(
    rowsOf(Permission, from).select(...columnsOf(Permission, PERMISSION))
  )
  if (from.turns.isOver) await from.turns.next()
  return permissions
}

const policyPermission = (
  permission: Pick<PlainRow<Permission>, (typeof PERMISSION)[number]>,
  codes: ReadonlyMap<number, string>
) => ({
  code: permission.code,
  name: permission.name,
  description: permission.description,
  type: permission.type,
  groupName: permission.groupName,
  parent: codes.get(permission.parentPermissionId!) ?? null,
  global: permission.global,
})

interface GrantRow {
  role_id: number
  code: string
  access_level: AccessLevel
  condition: string | null
}

async function readRoles(from: Source) {
  const roles = await plainRows(rowsOf(Role, from).select(...columnsOf(Role, ROLE)))
  // An application can have 50,000 of them, for which models would take seconds.
  const grants: GrantRow[] = await from.trx
    .from('role_permissions as grants')
    .join('roles', 'roles.id', 'grants.role_id')
    .join('permissions', 'permissions.id', 'grants.permission_id')
    .where('roles.application_id', from.application.id)
    .select('grants.role_id', 'permissions.code', 'grants.access_level', 'grants.condition')
  if (from.turns.isOver) await from.turns.next()
  const byRole = Map.groupBy(grants, ({ role_id }) => role_id)
  const found = roles.map(({ id, code, name, description }) => ({
    id,
    code,
    name,
    description,
    permissions: (byRole.get(id) ?? []).map(({ code: permission, access_level, condition }) => {
      return { permission, accessLevel: access_level, condition }
    }),
  }))
  if (from.turns.isOver) await from.turns.next()
  return found
}

async function readEntities(from: Source) {
  const entities = await plainRows(rowsOf(Entity, from))
  return entities.map(({ code, name, description, idLabel, listEndpoint }) => {
    return { code, name, description, idLabel, listEndpoint }
  })
}

/** Without system types, which belong to the service. */
async function readTypes(from: Source) {
  const types = await plainRows(rowsOf(NotificationType, from).where('system', false))
  const ids = types.map(({ id }) => id)
  const templates = await NotificationTemplate.query({ client: from.trx })
    .whereIn('notificationTypeId', ids)
    .if(from.lock, (rows) => void rows.forUpdate())
  const byTemplate = Map.groupBy(
    await readVersions(templates, from),
    ({ notificationTemplateId }) => notificationTemplateId
  )
  const byType = Map.groupBy(templates, ({ notificationTypeId }) => notificationTypeId)
  return types.map((type) => ({
    ...typeFields(type),
    templates: (byType.get(type.id) ?? []).map(({ id, key, name, description, variables }) => ({
      key,
      name,
      description,
      variables,
      versions: byTemplate.get(id) ?? [],
    })),
  }))
}

const typeFields = (type: PlainRow<NotificationType>) => ({
  code: type.code,
  name: type.name,
  description: type.description,
  emailEnabled: type.emailEnabled,
  pushEnabled: type.pushEnabled,
  userCanDisable: type.userCanDisable,
  defaultEmail: type.defaultEmail,
  defaultPush: type.defaultPush,
  selfServiceEnabled: type.selfServiceEnabled,
  urgent: type.urgent,
  digest: type.digest,
  emailFromName: type.emailFromName,
})

/** @throws PolicyTooLarge before the texts are read */
async function readVersions(templates: NotificationTemplate[], { lock, trx }: Source) {
  const ids = templates.map(({ id }) => id)
  const versions = () =>
    TemplateVersion.query({ client: trx }).whereIn('notificationTemplateId', ids)
  const size = trx.raw('sum(octet_length(subject_template) + octet_length(body_template)) as bytes')
  const [{ $extras }] = await versions().select(size)
  if (Number($extras.bytes) > MAX_TEXT_BYTES) {
    throw new PolicyTooLarge({ details: { limit: MAX_TEXT_BYTES, of: 'bytes of texts' } })
  }
  return versions()
    .select('id', 'notificationTemplateId', 'locale', 'subjectTemplate', 'bodyTemplate')
    .if(lock, (rows) => void rows.forUpdate())
}
