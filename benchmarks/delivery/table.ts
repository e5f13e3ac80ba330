import type { Table } from '../report/table.ts'

export interface Figure {
  name: string
  /** Median CPU time in microseconds per operation, and its lowest and highest round. */
  cpu: number
  lowest: number
  highest: number
  databaseCpu: number
  perCpuSecond: number
}

export const costTable = (figures: Figure[]): Table => ({
  head: ['Operation', 'CPU µs', 'lowest to highest', 'database CPU µs', 'per CPU-s'],
  rows: figures.map(({ name, cpu, lowest, highest, databaseCpu, perCpuSecond }) => [
    name,
    cpu,
    `${lowest} to ${highest}`,
    databaseCpu || null,
    perCpuSecond,
  ]),
})
