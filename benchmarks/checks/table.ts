import type { Table } from '../report/table.ts'
import type { Figure } from './figures.ts'

export const figureTable = (figures: Figure[]): Table => ({
  head: [
    'Candidate',
    'CPU µs per request',
    'lowest to highest',
    'requests per CPU-s',
    'decisions per CPU-s',
    'database CPU µs',
    'queries',
    'requests/s (wall)',
  ],
  rows: figures.map((figure) => [
    figure.name,
    figure.cpuPerRequest,
    `${figure.lowest} to ${figure.highest}`,
    figure.requestsPerCpuSecond,
    figure.decisionsPerCpuSecond,
    figure.databaseCpuPerRequest,
    figure.queriesPerRequest,
    figure.requestsPerSecond,
  ]),
})
