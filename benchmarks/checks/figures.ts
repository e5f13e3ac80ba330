import { median, round } from '../report/statistics.ts'
import type { Candidate } from './candidates.ts'
import type { Sample, Samples } from './measure.ts'

/** What one candidate came to: medians over the rounds. */
export interface Figure {
  id: string
  name: string
  /** Microseconds of the server process's CPU time; `lowest` and `highest` are of single rounds. */
  cpuPerRequest: number
  lowest: number
  highest: number
  requestsPerCpuSecond: number
  decisionsPerCpuSecond: number | null
  databaseCpuPerRequest: number | null
  queriesPerRequest: number | null
  /** Wall time, which depends more on the machine than on the candidate. */
  requestsPerSecond: number
}

export function figuresOf(
  candidates: Candidate[],
  samples: Samples,
  queries: Map<string, number>
): Figure[] {
  return candidates.map(({ id, name, decides, questions }) => {
    const own = samples.get(id)!
    const costs = own.map(({ cpu }) => cpu)
    const cpu = median(costs)
    const perRequest = decides ? questions[0].permissions.length : null
    return {
      id,
      name,
      cpuPerRequest: round(cpu, 1),
      lowest: round(Math.min(...costs), 1),
      highest: round(Math.max(...costs), 1),
      requestsPerCpuSecond: round(1_000_000 / cpu),
      decisionsPerCpuSecond: perRequest && round((perRequest * 1_000_000) / cpu),
      databaseCpuPerRequest: databaseCpu(own),
      queriesPerRequest: queries.get(id) ?? null,
      requestsPerSecond: round(median(own.map(({ requestsPerSecond }) => requestsPerSecond))),
    }
  })
}

/**
 * The cost of `id` divided by the cost of `of`: the median of the ratios of all rounds. Other work
 * on the machine disturbs a ratio within a round less than either figure.
 */
export function ratio(samples: Samples, id: string, of: string): number {
  const base = samples.get(of)!
  return median(samples.get(id)!.map(({ cpu }, index) => cpu / base[index].cpu))
}

function databaseCpu(samples: Sample[]) {
  const costs = samples.map(({ databaseCpu: cost }) => cost).filter((cost) => cost !== null)
  return costs.length === 0 ? null : round(median(costs), 1)
}
