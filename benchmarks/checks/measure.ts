import type { ChildProcess } from 'node:child_process'
import type { Candidate } from './candidates.ts'
import type { Definition, Run, RunResult } from '../world/load.ts'
import { backendsOf } from '../world/postgres_cpu.ts'
import { cpuOf, cpuOfMachine } from '../world/process_cpu.ts'
import { nextMessage } from '../world/processes.ts'

export const CONNECTIONS = 10

export interface Plan {
  rounds: number
  /** Before every measurement: fills the cache, opens database connections. */
  warmUpSeconds: number
  /** Before the first one, when the compiler has yet to see the code. */
  firstWarmUpSeconds: number
  seconds: number
}

/** One measurement; CPU times in microseconds per request. */
export interface Sample {
  requests: number
  cpu: number
  databaseCpu: number | null
  requestsPerSecond: number
  /** The processor time used by neither the server, its database nor the load, in processors. */
  disturbance: number
}

/** By candidate, one sample per round. */
export type Samples = Map<string, Sample[]>

/**
 * Measures all candidates in rounds, in alternating order, so that other work on the machine
 * affects all of them.
 */
export async function measureAll(
  candidates: Candidate[],
  load: ChildProcess,
  plan: Plan,
  tell: (text: string) => void
): Promise<Samples> {
  const samples: Samples = new Map()
  for (const candidate of candidates) {
    samples.set(candidate.id, [])
    load.send(definition(candidate))
  }
  for (let round = 0; round < plan.rounds; round++) {
    tell(`Round ${round + 1} of ${plan.rounds}`)
    const warmUp = round === 0 ? plan.firstWarmUpSeconds : plan.warmUpSeconds
    for (const candidate of round % 2 === 0 ? candidates : candidates.toReversed()) {
      await warm(load, candidate, warmUp)
      samples.get(candidate.id)!.push(await measure(load, candidate, plan.seconds))
    }
  }
  return samples
}

/** Continues until every check that the cache should hold has been sent. */
async function warm(load: ChildProcess, candidate: Candidate, seconds: number) {
  const needed = candidate.kind === 'cached' ? candidate.questions.length + CONNECTIONS : 0
  let answered = 0
  do answered += (await run(load, candidate, seconds)).answered
  while (answered < needed)
}

async function measure(load: ChildProcess, candidate: Candidate, seconds: number): Promise<Sample> {
  const url = candidate.concierge?.databaseUrl
  const backends = url === undefined ? undefined : await backendsOf(url)
  const read = () => ({
    server: cpuOf([candidate.server.pid]),
    database: cpuOf(backends ?? []),
    load: cpuOf([load.pid!]),
    machine: cpuOfMachine(),
    time: performance.now(),
  })
  const before = read()
  const { answered } = await run(load, candidate, seconds)
  const after = read()
  const server = after.server - before.server
  const database = after.database - before.database
  const others = after.machine - before.machine - server - database - (after.load - before.load)
  return {
    requests: answered,
    cpu: server / answered,
    databaseCpu: backends === undefined ? null : database / answered,
    requestsPerSecond: answered / seconds,
    disturbance: Math.max(0, others / ((after.time - before.time) * 1_000)),
  }
}

async function run(load: ChildProcess, { id, name }: Candidate, seconds: number) {
  const message: Run = { kind: 'run', id, connections: CONNECTIONS, seconds }
  load.send(message)
  const result = await nextMessage<RunResult>(load, 'result')
  if (result.failed > 0) throw new Error(`${name}: ${result.failed} requests failed`)
  return result
}

function definition({ id, server, api, questions, workload }: Candidate): Definition {
  const bodies = questions.map((question) => JSON.stringify(api.encode(question, workload)))
  return { kind: 'define', id, url: server.url, path: api.path, bodies }
}
