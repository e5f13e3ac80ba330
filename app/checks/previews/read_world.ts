import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Rehearsal } from '#core/database/rehearse'
import { byBytes } from '#core/values/byte_order'
import { Turns } from '#core/values/turns'
import Application from '#app/applications/models/application'
import { readDefinitions } from '#app/checks/queries/read_definitions'
import { readNamedBy, readPropertiesOf } from '#app/checks/queries/read_resources'
import { conditionNeeds } from '#app/checks/previews/condition_needs'
import { type Definitions, compareDefinitions } from '#app/checks/previews/definitions'
import type { FlipPosition, KnownResources } from '#app/checks/previews/flip_collector'
import { ResourceSpace } from '#app/checks/previews/resource_space'
import { type ComparedUser, keyOf } from '#app/checks/previews/rights'
import { RightsReader } from '#app/checks/previews/rights_reader'

/** Everything that decides what changes flip. */
export interface World {
  before: Definitions
  after: Definitions
  /** Permissions, by id, that matter to users who have no rows that change. */
  concerned: number[]
  /** By address, from that of the cursor on. */
  users: ComparedUser[]
  resources: KnownResources
  /** How many resources there are. */
  size: number
  /** Properties of resources by `keyOf`, as JSON; only those that conditions can read. */
  properties: Map<string, string>
}

interface Question {
  appCode: string
  /** Where the page before ended. */
  from: FlipPosition | null
  /** How many resources of a stretch to read. */
  stretch: number
  /** In milliseconds. */
  now: number
}

/** Makes changes, and returns the addresses whose own rows they change. */
export type ApplyChanges = (trx: TransactionClientContract) => Promise<Iterable<string>>

/**
 * Tries changes out and reads what matters to them, before and after.
 *
 * @throws ApplicationNotFound, PreviewTooLarge, and what `apply` throws
 */
export async function readWorld(
  apply: ApplyChanges,
  { appCode, from, stretch, now }: Question,
  { trx, tryOut }: Rehearsal
): Promise<World> {
  const { id: applicationId } = await Application.withCode(appCode, trx)
  const reader = new RightsReader(applicationId, now, trx)
  // SQLite statements are synchronous, so other requests would get no turn between them.
  const turns = new Turns()
  const tried = await tryOut(async () => {
    const emails = [...new Set(await apply(trx))]
    if (turns.isOver) await turns.next()
    const definitions = await readDefinitions(applicationId, trx)
    if (turns.isOver) await turns.next()
    const rights = await reader.readAll(emails, definitions)
    return { emails, definitions, rights, named: await readNamedBy(emails, applicationId, trx) }
  })
  if (turns.isOver) await turns.next()
  const before = await readDefinitions(applicationId, trx)
  if (turns.isOver) await turns.next()
  const after = tried.definitions
  const differences = compareDefinitions(before, after)
  const formerly = await reader.readAll(tried.emails, before)
  const affected = await reader.find(differences, new Set(tried.emails))
  const roleIds = [...new Set([...before.grants.keys(), ...after.grants.keys()])]
  const others = await reader.read(affected, roleIds, differences.concerned)
  if (turns.isOver) await turns.next()
  const users: ComparedUser[] = [
    ...formerly.map((rights, index) => {
      return { before: rights, after: tried.rights[index], isTouched: true }
    }),
    // Their rights differ only in what roles and permissions mean.
    ...others.map((rights) => ({ before: rights, after: rights, isTouched: false })),
  ]
    .filter((user) => from === null || byBytes(user.before.email, from.email) >= 0)
    .sort((a, b) => byBytes(a.before.email, b.before.email))
  const space = await ResourceSpace.of(applicationId, tried.named, trx)
  if (turns.isOver) await turns.next()
  const needs = conditionNeeds({ before, after, differences, users })
  const all = needs.everyResource ? await space.withProperties() : null
  const properties = all
    ? new Map(all.resources.map((each) => [keyOf(each), each.properties ?? '{}']))
    : await readPropertiesOf(applicationId, needs.resources, trx)
  return {
    before,
    after,
    users,
    properties,
    size: space.size,
    concerned: differences.concerned,
    resources: {
      all,
      first: await space.after(null, stretch),
      next: await space.after(from?.resource ?? null, stretch),
    },
  }
}
