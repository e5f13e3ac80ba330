import { type Table, markdownTable } from '../report/table.ts'
import { type Comparison, comparisonTable, databases, inRounds, plan, say } from './comparison.ts'
import { type Service, type World, costOfEach } from './world.ts'
import { prepareWrites } from './writes.ts'

/** Writing requests with the audit trail, compared with those of a service that records nothing. */
export async function measureChanges(world: World) {
  const comparisons: Comparison[] = []
  for (const database of databases) {
    const without = await world.service(database, { WITHOUT_AUDIT: 'true' })
    const withAudit = await world.service(database)
    const [base, other] = [await prepareWrites(without), await prepareWrites(withAudit)]
    const names = Object.keys(base) as (keyof typeof base)[]
    const found = await inRounds(names, async (name) => {
      const key = name as keyof typeof base
      const subjects = [
        { service: without, request: base[key] },
        { service: withAudit, request: other[key] },
      ]
      const [first, second] = await costOfEach(subjects, plan.writes, { settles: true })
      return { base: first, other: second }
    })
    await requireRecorded(withAudit, without)
    comparisons.push(...found.map((each) => ({ ...each, name: `${each.name}, ${database}` })))
    say(`\n${markdownTable(changeTable(comparisons))}\n`)
  }
  return comparisons
}

/** @throws Error unless one has entries with their places in the chain, and the other none */
async function requireRecorded(withAudit: Service, without: Service) {
  const path = '/admin/audit?application=shop&limit=1'
  const [entry] = (await withAudit.send('GET', path)) as { sequence: number | null }[]
  const none = (await without.send('GET', path)) as unknown[]
  if (entry.sequence === null || none.length > 0) throw new Error('Not what is to be compared')
}

export const changeTable = (rows: Comparison[]): Table =>
  comparisonTable('Change of', ['without', 'with'], rows)
