import { type Figure, median, ratio, round } from './figures.ts'
import type { Samples } from './measure.ts'
import type { Database } from './worlds.ts'

/** One promise about speed and what became of it. */
export interface Target {
  name: string
  required: string
  measured: number
  met: boolean
}

const DATABASES: Database[] = ['SQLite', 'PostgreSQL']

/** What the check path promises, with what this run measured. */
export function targetsOf(figures: Figure[], samples: Samples): Target[] {
  const figure = (id: string) => figures.find((candidate) => candidate.id === id)!
  return [
    ...DATABASES.flatMap((database) => [
      atLeast(
        `Cached check, ${database}, to the bare route of the same stack (speed)`,
        0.9,
        1 / ratio(samples, `cached ${database}`, 'bare')
      ),
      atLeast(
        `Cached check, ${database}, to the Cerbos server (speed)`,
        4,
        ratio(samples, 'cerbos', `cached ${database}`)
      ),
      atLeast(
        `Bulk of 100, cached, ${database}: decisions per CPU-second`,
        150_000,
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
    atLeast(
      'Uncached check, PostgreSQL: checks per CPU-second',
      3_500,
      figure('uncached PostgreSQL').requestsPerCpuSecond
    ),
    ...DATABASES.flatMap((database) =>
      ['cached', 'uncached'].map((kind) =>
        atMost(
          `Hundredfold users and assignments, ${kind}, ${database} (cost)`,
          1.2,
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

function atLeast(name: string, bound: number, measured: number): Target {
  return { name, required: `≥ ${bound}`, measured: shown(measured), met: measured >= bound }
}

function atMost(name: string, bound: number, measured: number): Target {
  return { name, required: `≤ ${bound}`, measured: shown(measured), met: measured <= bound }
}

const shown = (value: number) => round(value, value < 100 ? 2 : 0)
