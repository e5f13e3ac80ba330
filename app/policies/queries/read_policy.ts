import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { LucidModel } from '@adonisjs/lucid/types/model'
import type Application from '#app/applications/models/application'
import Entity from '#app/applications/models/entity'
import NotificationTemplate from '#app/notifications/models/notification_template'
import NotificationType from '#app/notifications/models/notification_type'
import TemplateVersion from '#app/notifications/models/template_version'
import Permission from '#app/permissions/models/permission'
import Role from '#app/permissions/models/role'
import type { AccessLevel } from '#app/permissions/values/access_level'
import { PolicyTooLarge } from '#app/policies/exceptions'
import { readAssignments } from '#app/policies/queries/read_assignments'
import { completePolicy } from '#app/policies/values/complete_policy'
import type { PolicyDocument } from '#app/policies/values/policy_document'

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
  const from = { application, lock, trx }
  return completePolicy({
    application: application.code,
    permissions: await readPermissions(from),
    roles: await readRoles(from),
    entities: await readEntities(from),
    notificationTypes: await readTypes(from),
    assignments: assignments ? await readAssignments(application, trx) : undefined,
  })
}

interface Source {
  application: Application
  lock: boolean
  trx: TransactionClientContract
}

/** Of one kind, all that an application has. */
function rowsOf<Model extends LucidModel>(model: Model, { application, lock, trx }: Source) {
  const rows = model.query({ client: trx }).where('applicationId', application.id)
  return lock ? rows.forUpdate() : rows
}

async function readPermissions(from: Source) {
  const permissions = await rowsOf(Permission, from)
  const codes = new Map(permissions.map(({ id, code }) => [id, code]))
  return permissions.map((permission) => ({
    code: permission.code,
    name: permission.name,
    description: permission.description,
    type: permission.type,
    groupName: permission.groupName,
    parent: codes.get(permission.parentPermissionId!) ?? null,
    global: permission.global,
  }))
}

interface GrantRow {
  role_id: number
  code: string
  access_level: AccessLevel
  condition: string | null
}

async function readRoles(from: Source) {
  const roles = await rowsOf(Role, from)
  // An application can have 50,000 of them, for which models would take seconds.
  const grants: GrantRow[] = await from.trx
    .from('role_permissions as grants')
    .join('roles', 'roles.id', 'grants.role_id')
    .join('permissions', 'permissions.id', 'grants.permission_id')
    .where('roles.application_id', from.application.id)
    .select('grants.role_id', 'permissions.code', 'grants.access_level', 'grants.condition')
  const byRole = Map.groupBy(grants, ({ role_id }) => role_id)
  return roles.map(({ id, code, name, description }) => ({
    code,
    name,
    description,
    permissions: (byRole.get(id) ?? []).map(({ code: permission, access_level, condition }) => {
      return { permission, accessLevel: access_level, condition }
    }),
  }))
}

async function readEntities(from: Source) {
  const entities = await rowsOf(Entity, from)
  return entities.map(({ code, name, description, idLabel, listEndpoint }) => {
    return { code, name, description, idLabel, listEndpoint }
  })
}

/** Without system types, which belong to the service. */
async function readTypes(from: Source) {
  const types = await rowsOf(NotificationType, from).where('system', false)
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

const typeFields = (type: NotificationType) => ({
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
