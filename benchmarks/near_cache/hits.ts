import { type Concierge, createConcierge } from '@concierge/client'
import { setTimeout as pause } from 'node:timers/promises'
import { INTERNAL_KEY } from '../world/concierge.ts'

export interface Question {
  email: string
  app: string
  permission: string
}

/** CPU time of this process per check, in microseconds. */
export async function cpuPerCheck(checks: number, ask: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await ask()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / checks
}

/** A client that remembers all of these. */
export async function aWarmNearCache(url: string, questions: Question[]): Promise<Concierge> {
  const nearCache = { internalKey: INTERNAL_KEY }
  const concierge = createConcierge({ url, nearCache })
  while (!concierge.nearCache!.isLive) await pause(20)
  for (const question of questions) await concierge.may(question)
  return concierge
}

/** Asks `count` questions, one after another. Objects are new each time, as in an application. */
export async function askInTurn(concierge: Concierge, questions: Question[], count: number) {
  for (let index = 0; index < count; index++) {
    const { email, app, permission } = questions[index % questions.length]
    await concierge.may({ email, app, permission })
  }
}
