import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Change } from '#core/audit/change'
import { recordChanges } from '#core/audit/record_change'
import { userTarget } from '#core/audit/user_target'
import { plainRows } from '#core/database/plain_rows'
import { Turns } from '#core/values/turns'
import Application from '#app/applications/models/application'
import ApplicationAdmin from '#app/permissions/models/application_admin'
import ResourceOverride from '#app/permissions/models/resource_override'
import SuperAdmin from '#app/permissions/models/super_admin'
import UserRole from '#app/permissions/models/user_role'
import {
  type OverriddenResource,
  overridesOnResources,
} from '#app/permissions/queries/overrides_on_resources'
import {
  overridesState,
  userRolesState,
  windowFields,
} from '#app/permissions/transformers/audit_states'
import type { TableOfRights } from '#app/permissions/values/tables_of_rights'

/** On each, a user can have thousands of overrides. */
const TARGETS = 10

type Recorder = (ids: number[], trx: TransactionClientContract) => Promise<void>

/** Records the rows that are deleted because their time windows ended long ago. */
export const recordEndedRights: Record<TableOfRights, Recorder> = {
  user_roles: async (ids, trx) => {
    const rows = await UserRole.query({ client: trx }).whereIn('id', ids).preload('role')
    const applications = await applicationsOf(
      rows.map(({ role }) => role),
      trx
    )
    const groups = Map.groupBy(rows, ({ email, role }) => `${role.applicationId}:${email}`)
    const changes = [...groups.values()].map((group): Change => ({
      action: 'user.roles_replaced',
      application: applications.get(group[0].role.applicationId)!,
      before: userRolesState(group),
      after: {},
      ...about(group[0]),
    }))
    await recordChanges(trx, changes)
  },

  resource_overrides: async (ids, trx) => {
    const turns = new Turns()
    const ended = await plainRows(ResourceOverride.query({ client: trx }).whereIn('id', ids))
    const targets = distinctTargets(ended)
    const isEnded = new Set(ids)
    for (let start = 0; start < targets.length; start += TARGETS) {
      await recordOverrides(targets.slice(start, start + TARGETS), isEnded, trx)
      if (turns.isOver) await turns.next()
    }
  },

  application_admins: async (ids, trx) => {
    const rows = await ApplicationAdmin.query({ client: trx }).whereIn('id', ids)
    const applications = await applicationsOf(rows, trx)
    const changes = rows.map((row): Change => ({
      action: 'application_admin.removed',
      application: applications.get(row.applicationId)!,
      before: windowFields(row),
      after: null,
      ...about(row),
    }))
    await recordChanges(trx, changes)
  },

  super_admins: async (ids, trx) => {
    const rows = await SuperAdmin.query({ client: trx }).whereIn('id', ids)
    const changes = rows.map((row): Change => ({
      action: 'super_admin.removed',
      application: null,
      before: windowFields(row),
      after: null,
      ...about(row),
    }))
    await recordChanges(trx, changes)
  },
}

async function recordOverrides(
  targets: OverriddenResource[],
  isEnded: ReadonlySet<number>,
  trx: TransactionClientContract
) {
  const all = await overridesOnResources(targets, trx)
  const applications = await applicationsOf(
    all.map(({ permission }) => permission),
    trx
  )
  const groups = Map.groupBy(all, ({ permission, ...target }) =>
    JSON.stringify([permission.applicationId, keyOf(target)])
  )
  const changes = [...groups.values()].map((group): Change => ({
    action: 'user.overrides_replaced',
    application: applications.get(group[0].permission.applicationId)!,
    before: overridesState(group[0], group),
    after: overridesState(
      group[0],
      group.filter(({ id }) => !isEnded.has(id))
    ),
    ...about(group[0]),
  }))
  await recordChanges(trx, changes)
}

const keyOf = ({ email, resourceType, resourceId }: OverriddenResource) =>
  JSON.stringify([email, resourceType, resourceId])

const distinctTargets = (overrides: OverriddenResource[]) => [
  ...new Map(overrides.map((override) => [keyOf(override), override])).values(),
]

const about = ({ email }: { email: string }) => ({ target: userTarget(email), email })

const distinct = <Row, Name extends keyof Row>(rows: Row[], name: Name) => [
  ...new Set(rows.map((row) => row[name])),
]

async function applicationsOf(
  rows: { applicationId: number }[],
  trx: TransactionClientContract
): Promise<Map<number, Application>> {
  const found = await Application.query({ client: trx }).whereIn(
    'id',
    distinct(rows, 'applicationId')
  )
  return new Map(found.map((application) => [application.id, application]))
}
