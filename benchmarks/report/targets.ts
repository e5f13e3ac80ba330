import { round } from './statistics.ts'

/** One promise about speed, and what a run measured. */
export interface Target {
  name: string
  /** Such as `≤ 250` */
  required: string
  measured: number
  met: boolean
}

export const atLeast = (name: string, bound: number, measured: number): Target => ({
  name,
  required: `≥ ${bound}`,
  measured: shown(measured),
  met: measured >= bound,
})

export const atMost = (name: string, bound: number, measured: number): Target => ({
  name,
  required: `≤ ${bound}`,
  measured: shown(measured),
  met: measured <= bound,
})

const shown = (value: number) => round(value, value < 100 ? 2 : 0)
