/** Tells the benchmark, which started this process, where it listens; the process ends when the benchmark lets go. */
export function ready(port: number) {
  process.once('disconnect', () => process.exit())
  process.send?.({ kind: 'ready', port })
}
