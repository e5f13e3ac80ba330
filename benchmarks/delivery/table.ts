export interface Figure {
  name: string
  /** Median CPU time in microseconds per operation, and its lowest and highest round. */
  cpu: number
  lowest: number
  highest: number
  databaseCpu: number
  perCpuSecond: number
}

/** The figures as a Markdown table, which is also readable in a terminal. */
export function costTable(figures: Figure[]): string {
  const rows = figures.map(
    ({ name, cpu, lowest, highest, databaseCpu, perCpuSecond }) =>
      `| ${name.padEnd(32)} | ${String(cpu).padStart(8)} | ${`${lowest} to ${highest}`.padStart(20)} | ${String(databaseCpu || '').padStart(11)} | ${String(perCpuSecond).padStart(9)} |`
  )
  return [
    '| Operation                        |   CPU µs |    lowest to highest | database µs | per CPU-s |',
    '| -------------------------------- | -------: | -------------------: | ----------: | --------: |',
    ...rows,
  ].join('\n')
}
