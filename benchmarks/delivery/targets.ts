import { median, round } from '../checks/figures.ts'
import type { Target } from '../checks/targets.ts'
import type { Cost } from './measure.ts'
import type { Database } from './world.ts'

const DATABASES: Database[] = ['SQLite', 'PostgreSQL']

/** What sending and the inbox promise about speed, with what this run measured. */
export function targetsOf(costs: Map<string, Cost[]>): Target[] {
  const total = (name: string) =>
    median(costs.get(name)!.map(({ own, database }) => own + database))
  const own = (name: string) => costs.get(name)!.map((cost) => cost.own)
  const plain = own('plain')
  return DATABASES.flatMap((database) => {
    const bulk = own(`bulk, ${database}`)
    const rate = median(bulk.map((cost, turn) => plain[turn] / cost))
    const share = median(own(`planAndRender, ${database}`)) / median(bulk)
    const inbox = total(`inbox, ${database}, many`) / total(`inbox, ${database}, few`)
    return [
      target(`Bulk, ${database}: mails per CPU-second to plain nodemailer`, '≥', 0.75, rate),
      target(`Planning and rendering, ${database}: share of a mail`, '≤', 0.1, share),
      target(`Inbox page, ${database}: cost to that at 1,000 rows`, '≤', 1.2, inbox),
    ]
  })
}

function target(name: string, sign: '≥' | '≤', bound: number, value: number): Target {
  const met = sign === '≥' ? value >= bound : value <= bound
  return { name, required: `${sign} ${bound}`, measured: round(value, 3), met }
}
