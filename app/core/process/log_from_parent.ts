import { hostname } from 'node:os'

const LEVELS = { info: 30, warn: 40, error: 50 }

/**
 * The parent does not load the framework's logger: JSON lines in production, plain text otherwise.
 */
export function logFromParent(
  level: keyof typeof LEVELS,
  message: string,
  facts: Record<string, unknown>
) {
  if (process.env.NODE_ENV !== 'production') {
    process.stderr.write(`${message} ${JSON.stringify(facts)}\n`)
    return
  }
  const origin = { pid: process.pid, hostname: hostname(), name: 'concierge' }
  const line = { level: LEVELS[level], time: Date.now(), ...origin, ...facts, msg: message }
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
