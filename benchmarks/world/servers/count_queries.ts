import { recordStatements } from '#tests/helpers/count_statements'

/**
 * Counts the queries that reach the database driver between two messages of the benchmark. It
 * watches the driver only in between, so that it does not slow down the measurements.
 */
export function countQueriesOnRequest() {
  let finish: (() => void) | undefined
  process.on('message', async ({ kind }: { kind: string }) => {
    if (kind === 'finish_counting') finish?.()
    if (kind !== 'count_queries') return
    const statements = await recordStatements(
      () =>
        new Promise<void>((resolve) => {
          finish = resolve
          process.send!({ kind: 'counting' })
        })
    )
    process.send!({ kind: 'queries', count: statements.length })
  })
}
