import { median } from '../report/statistics.ts'
import { type Target, atLeast, atMost } from '../report/targets.ts'
import type { Cost } from './measure.ts'
import type { Database } from './world.ts'

const DATABASES: Database[] = ['SQLite', 'PostgreSQL']

/** What sending and the inbox promise about speed, with what this run measured. */
export function targetsOf(costs: Map<string, Cost[]>): Target[] {
  const total = (name: string) =>
    median(costs.get(name)!.map(({ own, database }) => own + database))
  const own = (name: string) => costs.get(name)!.map((cost) => cost.own)
  const plain = own('plain')
  /** Rounds are compared one by one, because other work affects each of them differently. */
  const toPlain = (name: string) => median(own(name).map((cost, turn) => plain[turn] / cost))
  const ofPostgres = median(costs.get('single, PostgreSQL')!.map(({ database }) => database))
  return [
    ...DATABASES.flatMap((database) => [
      atLeast(
        `Single send, ${database}: mails per CPU-second to plain nodemailer`,
        0.7,
        toPlain(`single, ${database}`)
      ),
      atLeast(
        `Bulk, ${database}: mails per CPU-second to plain nodemailer`,
        0.88,
        toPlain(`bulk, ${database}`)
      ),
      atMost(
        `Planning and rendering, ${database}: share of a mail`,
        0.1,
        median(own(`planAndRender, ${database}`)) / median(own(`bulk, ${database}`))
      ),
      atMost(
        `Inbox page, ${database}: cost to that at 1,000 rows`,
        1.2,
        total(`inbox, ${database}, many`) / total(`inbox, ${database}, few`)
      ),
    ]),
    atMost("Single send, PostgreSQL: PostgreSQL's own CPU µs", 1_000, ofPostgres),
  ]
}
