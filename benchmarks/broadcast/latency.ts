import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'
import { round } from '../report/statistics.ts'
import { APPLICATION } from '../delivery/requests.ts'

/** How long checks took, from the request to the complete response, in milliseconds. */
export interface Latency {
  asked: number
  p50: number
  p99: number
}

const PER_SECOND = 100
const QUESTION = { email: 'person-1@acme.example', app: APPLICATION, permission: 'orders' }

/** Sends a hundred checks a second until `work` settles, without waiting for responses. */
export async function latencyWhile(url: string, work: Promise<unknown>): Promise<Latency> {
  const pool = new Pool(url, { connections: 20 })
  const asked: Promise<number>[] = []
  let isOver = false
  const end = () => (isOver = true)
  work.then(end, end)
  const start = performance.now()
  while (!isOver) {
    asked.push(ask(pool))
    const next = start + (asked.length * 1_000) / PER_SECOND
    await pause(Math.max(0, next - performance.now()))
  }
  await work
  const sorted = (await Promise.all(asked)).sort((one, other) => one - other)
  await pool.close()
  const at = (share: number) => round(sorted[Math.floor(sorted.length * share)], 2)
  return { asked: sorted.length, p50: at(0.5), p99: at(0.99) }
}

async function ask(pool: Pool): Promise<number> {
  const start = performance.now()
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: '/api/check',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(QUESTION),
  })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`A check got a ${statusCode}: ${text}`)
  return performance.now() - start
}
