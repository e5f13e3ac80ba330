import { median, round } from '../report/statistics.ts'
import { type Target, atLeast, atMost } from '../report/targets.ts'
import { type Figure, ratio } from './figures.ts'
import type { Samples } from './measure.ts'
import type { Database } from './worlds.ts'

const DATABASES: Database[] = ['SQLite', 'PostgreSQL']

/** What the check path promises, with what this run measured. */
export function targetsOf(figures: Figure[], samples: Samples): Target[] {
  const figure = (id: string) => figures.find((candidate) => candidate.id === id)!
  const withDatabase = (id: string) => {
    const { cpuPerRequest, databaseCpuPerRequest } = figure(id)
    return cpuPerRequest + (databaseCpuPerRequest ?? 0)
  }
  return [
    ...DATABASES.flatMap((database) => [
      atLeast(
        `Cached check, ${database}, to the echo of node:http (speed)`,
        0.65,
        1 / ratio(samples, `cached ${database}`, 'node')
      ),
      atLeast(
        `Cached check, ${database}, to the Cerbos server (speed)`,
        4,
        ratio(samples, 'cerbos', `cached ${database}`)
      ),
      atLeast(
        `Bulk of 100, cached, ${database}: decisions per CPU-second`,
        450_000,
        figure(`bulk cached ${database}`).decisionsPerCpuSecond!
      ),
    ]),
    atMost(
      'Cached check under a condition, SQLite (cost)',
      1.5,
      ratio(samples, 'cached conditional', 'cached SQLite')
    ),
    atMost(
      'Uncached check, PostgreSQL: queries per request',
      1,
      figure('uncached PostgreSQL').queriesPerRequest!
    ),
    atMost('Uncached check, SQLite: CPU µs', 250, withDatabase('uncached SQLite')),
    atMost('Uncached check, PostgreSQL: CPU µs, both', 240, withDatabase('uncached PostgreSQL')),
    ...DATABASES.map((database) =>
      atMost(
        `Bulk of 100, uncached, ${database}: CPU µs, both`,
        700,
        withDatabase(`bulk uncached ${database}`)
      )
    ),
    ...DATABASES.flatMap((database) =>
      ['cached', 'uncached'].map((kind) =>
        atMost(
          `Hundredfold users and assignments, ${kind}, ${database} (cost)`,
          1.15,
          ratio(samples, `${kind} ${database} large`, `${kind} ${database}`)
        )
      )
    ),
  ]
}

/** Median share of the processors that went to none of the measured processes. */
export function disturbanceOf(samples: Samples, processors: number): number {
  const all = [...samples.values()].flat().map(({ disturbance }) => disturbance / processors)
  return round(median(all), 2)
}
