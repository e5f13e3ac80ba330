import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Clock ticks per second in which the kernel counts. */
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
const MICROSECONDS_PER_TICK = 1_000_000 / TICKS

/**
 * CPU time of these processes so far, user and system, all threads, in microseconds. Read from
 * outside, so that it is the same for candidates in any language.
 */
export function cpuOf(pids: number[]): number {
  return pids.reduce((sum, pid) => sum + ticksOf(pid), 0) * MICROSECONDS_PER_TICK
}

function ticksOf(pid: number) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name before the bracket may hold anything; user and system time are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}

/** CPU time the whole machine has spent so far on anything at all, in microseconds. */
export function cpuOfMachine(): number {
  const [, user, nice, system, , , irq, softirq, steal] = readFileSync('/proc/stat', 'utf8')
    .split('\n', 1)[0]
    .split(/\s+/)
    .map(Number)
  return (user + nice + system + irq + softirq + steal) * MICROSECONDS_PER_TICK
}
