import TinyQueue from 'tinyqueue'

/** One deployment under load. Times are in seconds, rates in a second. */
export interface Deployment {
  checks: number
  processes: number
  /** Share of checks that a cache answers */
  hitRate: number
  cached: number
  /** CPU time of a check that is not cached, in the process */
  uncached: number
  /** The same in the database */
  query: number
  /** Cores that answer queries, of the primary or of all replicas */
  databaseCores: number
  /** To the database and back */
  roundTrip: number
}

export interface Latency {
  p50: number
  p99: number
}

interface Arrival {
  at: number
  asked: number
  process: number
  step: 'request' | 'query' | 'response'
}

/** Random numbers that are the same in each run (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), state | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Simulates so many checks, one event after another: they arrive at random, each process works on
 * one after another, and the cores of the database share a queue. Work takes an exponentially
 * distributed time around what was measured.
 */
export function simulate(deployment: Deployment, checks: number): Latency {
  const random = randomNumbers(42)
  const about = (mean: number) => -Math.log(1 - random()) * mean
  const free = new Float64Array(deployment.processes)
  const cores = new TinyQueue(Array.from({ length: deployment.databaseCores }, () => 0))
  const events = new TinyQueue<Arrival>([], (one, other) => one.at - other.at)
  const latencies = new Float64Array(checks)
  let [now, asked, answered] = [0, 0, 0]
  const ask = () => {
    now += about(1 / deployment.checks)
    const process = Math.floor(random() * deployment.processes)
    events.push({ at: now, asked: now, process, step: 'request' })
    asked++
  }
  const work = ({ at, process }: Arrival, seconds: number) =>
    (free[process] = Math.max(at, free[process]) + seconds)
  const answer = (event: Arrival, at: number) => (latencies[answered++] = at - event.asked)
  ask()
  for (let event = events.pop(); event !== undefined; event = events.pop()) {
    if (event.step === 'request') {
      if (asked < checks) ask()
      const isCached = random() < deployment.hitRate
      const at = work(event, about(isCached ? deployment.cached : deployment.uncached / 2))
      if (isCached) answer(event, at)
      else events.push({ ...event, at: at + deployment.roundTrip / 2, step: 'query' })
    } else if (event.step === 'query') {
      const at = Math.max(event.at, cores.pop()!) + about(deployment.query)
      cores.push(at)
      events.push({ ...event, at: at + deployment.roundTrip / 2, step: 'response' })
    } else {
      answer(event, work(event, about(deployment.uncached / 2)))
    }
  }
  // The queues are empty at first.
  const sorted = latencies.subarray(Math.floor(checks / 10)).sort()
  return {
    p50: sorted[Math.floor(sorted.length / 2)],
    p99: sorted[Math.floor(sorted.length * 0.99)],
  }
}
