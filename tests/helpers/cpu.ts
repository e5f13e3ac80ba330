/**
 * The CPU time of this thread for `work`, in milliseconds, without other threads and processes.
 */
export function cpuMs(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}
