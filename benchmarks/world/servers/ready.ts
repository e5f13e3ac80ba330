/** Tells the benchmark the port. The process ends when the benchmark disconnects. */
export function ready(port: number) {
  process.once('disconnect', () => process.exit())
  process.send?.({ kind: 'ready', port })
}
