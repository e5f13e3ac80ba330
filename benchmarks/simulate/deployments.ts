import type { Figure } from '../checks/figures.ts'
import { type Cache, type Popularity, hitRate } from './hit_rate.ts'
import { type Latency, simulate } from './queues.ts'

/** What the simulation assumes; everything else was measured. See README.md. */
export const ASSUMED = {
  coresPerMachine: 16,
  /** For the operating system and the load balancer */
  coresForOthers: 1,
  /** To the database and back, in seconds */
  roundTrip: 0.000_5,
  /** More machines or replicas are added above this share. */
  mostUsed: 0.7,
  /** A million users, each of whom asks ten things */
  popularity: { questions: 10_000_000, exponent: 0.9 } satisfies Popularity,
  changes: 100,
  /** A commit with a synchronous standby, in seconds. Changes commit one after another. */
  commit: 0.002,
  /** CPU time of each process per change, in seconds */
  notification: 0.000_1,
  checksPerRun: 1_000_000,
}

/** As configured in the service */
const DECISIONS: Cache = { entries: 5_000, seconds: 30 }

/** In seconds of CPU time. */
export interface Costs {
  cached: number
  uncached: number
  query: number
}

export function costsOf(figures: Figure[]): Costs {
  const figure = (id: string) => figures.find((one) => one.id === id)!
  const [cached, uncached] = [figure('cached PostgreSQL'), figure('uncached PostgreSQL large')]
  return {
    cached: cached.cpuPerRequest / 1e6,
    uncached: uncached.cpuPerRequest / 1e6,
    query: uncached.databaseCpuPerRequest! / 1e6,
  }
}

/** Which process the load balancer sends a check to. */
export type Routing = 'any process' | 'by user'

export interface Plan {
  checks: number
  routing: Routing
  hitRate: number
  machines: number
  /** None if the primary is enough */
  replicas: number
  /** Shares of what each part can do */
  used: { processes: number; databases: number; commits: number }
  latency: Latency
}

/** The smallest deployment of machines and replicas that is not overloaded. */
export function planFor(checks: number, routing: Routing, costs: Costs): Plan {
  for (let machines = 1; ; machines++) {
    const processes = machines * (ASSUMED.coresPerMachine - ASSUMED.coresForOthers)
    const hits = hitsOf(checks, routing, processes)
    const perCheck = hits * costs.cached + (1 - hits) * costs.uncached
    const notified = ASSUMED.changes * ASSUMED.notification
    const used = (checks / processes) * perCheck + notified
    if (used > ASSUMED.mostUsed) continue
    const queries = checks * (1 - hits) * costs.query
    const databases = Math.ceil(queries / (ASSUMED.coresPerMachine * ASSUMED.mostUsed))
    const databaseCores = databases * ASSUMED.coresPerMachine
    const { roundTrip, checksPerRun } = ASSUMED
    const deployment = { checks, processes, hitRate: hits, ...costs, databaseCores, roundTrip }
    return {
      checks,
      routing,
      hitRate: hits,
      machines,
      replicas: databases > 1 ? databases : 0,
      used: {
        processes: used,
        databases: queries / databaseCores,
        commits: ASSUMED.changes * ASSUMED.commit,
      },
      latency: simulate(deployment, checksPerRun),
    }
  }
}

/** If the checks of a user go to one process, each process has a share of the questions. */
function hitsOf(checks: number, routing: Routing, processes: number): number {
  const { questions, exponent } = ASSUMED.popularity
  const own = routing === 'by user' ? questions / processes : questions
  return hitRate({ questions: own, exponent }, checks / processes, DECISIONS)
}
