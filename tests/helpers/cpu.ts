/**
 * The CPU time that this thread takes for `work`, in milliseconds: what other threads and processes
 * do is not in it.
 */
export function cpuMs(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}
