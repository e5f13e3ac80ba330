import { ChangeBudget } from '#core/database/change_budget'
import { inChangeBudget } from '#core/database/large_changes'
import { rehearse } from '#core/database/rehearse'
import { byBytes } from '#core/values/byte_order'
import type { Changer } from '#core/http/caller_name'
import { currentTime } from '#core/values/clock'
import { Turns } from '#core/values/turns'
import { Comparer } from '#app/checks/previews/comparison'
import type { Definitions } from '#app/checks/previews/definitions'
import { type Flip, FlipCollector } from '#app/checks/previews/flip_collector'
import { FlipCounter, type FlipCounts } from '#app/checks/previews/flip_counter'
import { Judge } from '#app/checks/previews/judge'
import { compareUser } from '#app/checks/previews/permission_flips'
import {
  type PreviewPosition,
  openPreviewPosition,
  sealPreviewPosition,
} from '#app/checks/previews/preview_cursor'
import { type ApplyChanges, type World, readWorld } from '#app/checks/previews/read_world'
import { RoleLevels } from '#app/checks/previews/role_levels'

export const DEFAULT_FLIPS = 100
export const MAX_FLIPS = 1_000

/** Each keeps the rights of many users in memory. */
const previews = new ChangeBudget({
  capacity: 4,
  forSlow: 2,
  detail: 'Too many previews are in progress',
  blocksOnSqlite: false,
})

export interface FlipPage extends FlipCounts {
  flips: Flip[]
  /** The number of flips on all pages. */
  total: number
  nextCursor: string | null
}

interface PreviewOptions {
  page: { limit?: number; cursor?: string }
  /** What a cursor belongs to: it is valid only for the same question. */
  asked: unknown
  /** Whose previews run one after another. */
  changer: Changer
}

/**
 * Finds the decisions that changes would flip (previews.md#flips). Nothing is changed.
 *
 * @param apply makes the changes through the usual actions, whose transactions become parts of one
 *   that is undone. It returns the addresses of users whose own roles, overrides or administration
 *   it changes; users of changed roles and permissions are found without it. It may run more than
 *   once.
 * @throws ApplicationNotFound, PreviewTooLarge, ChangesTakeTooLong, Overloaded, ValidationError for
 *   a cursor of another preview, and what `apply` throws
 */
export async function previewFlips(
  appCode: string,
  apply: ApplyChanges,
  { page: { limit = DEFAULT_FLIPS, cursor }, asked, changer }: PreviewOptions
): Promise<FlipPage> {
  const searched = [appCode, asked]
  const position = cursor === undefined ? null : openPreviewPosition(cursor, searched)
  return previews.run(changer, async () => {
    const now = currentTime()
    // One more flip than the page has tells whether there is another page.
    const room = limit + 1
    const question = { appCode, from: position?.after ?? null, stretch: room, now }
    const world = await inChangeBudget(changer, () =>
      rehearse((rehearsal) => readWorld(apply, question, rehearsal))
    )
    const { collector, counts } = await findFlips(world, { appCode, position, room, now })
    const flips = collector.flips.slice(0, limit)
    const last = collector.flips.length > limit ? flips.at(-1)! : collector.stoppedAt
    const nextCursor = last && sealPreviewPosition({ after: last, counts }, searched)
    return { flips, ...counts, total: counts.gained + counts.lost, nextCursor }
  })
}

interface Search {
  appCode: string
  /** Null on the first page, which counts all flips. */
  position: PreviewPosition | null
  room: number
  now: number
}

async function findFlips(world: World, { appCode, position, room, now }: Search) {
  const turns = new Turns()
  const judge = new Judge(appCode, world.properties, now)
  const { resources, size } = world
  const all = resources.all?.resources ?? []
  const counter = new FlipCounter({ size, all }, judge, turns)
  const collector = new FlipCollector(
    { after: position?.after ?? null, room },
    { resources, judge, turns }
  )
  const definitions = { before: world.before, after: world.after }
  const [concerned, every] = comparersOf(world)
  for (const user of world.users) {
    if (turns.isOver) await turns.next()
    const comparer = user.isTouched ? every : concerned
    for (const compared of compareUser(user, { comparer, definitions, judge })) {
      if (position === null) await counter.add(compared)
      if (!collector.isDone) await collector.add(compared)
    }
    if (collector.isDone && position !== null) break
  }
  return { collector, counts: position?.counts ?? counter.counts }
}

/** For users whose own rows do not change, and for those whose rows do. */
function comparersOf({ before, after, concerned }: World): [Comparer, Comparer] {
  const codesOf = ({ permissions }: Definitions, ids: Iterable<number>) =>
    [...ids].flatMap((id) => permissions.get(id)?.code ?? [])
  const comparerOf = (codes: string[]) => {
    const sorted = [...new Set(codes)].sort(byBytes)
    return new Comparer(sorted, new RoleLevels(before, sorted), new RoleLevels(after, sorted))
  }
  return [
    comparerOf([...codesOf(before, concerned), ...codesOf(after, concerned)]),
    comparerOf([...before.byCode.keys(), ...after.byCode.keys()]),
  ]
}
