import 'reflect-metadata'
import { serve } from '#core/process/serve'
import { ready } from '../../world/servers/ready.ts'
import { requestsFrom } from '../../delivery/requests.ts'

/** This service without requests, able to run the parts of a broadcast one by one. */

export interface Order {
  kind: 'compose' | 'fill' | 'expand' | 'claim' | 'send'
  /** How many mails, where it is about mails. */
  count?: number
  /** How many people, where it is about people. */
  people?: number
}

await serve()

// These need the application that has started by now.
const { makeScene } = await import('../../delivery/scene.ts')
const { composeAll } = await import('../../delivery/rendering.ts')
const { claimAll, expandAll, fillUsers, sendAll } = await import('../parts.ts')

if (process.env.SCENE_IS_MADE === undefined) await makeScene()
const parts = {
  compose: async ({ count = 0 }: Order) => ({ mails: await composeAll(requestsFrom(0, count)) }),
  fill: ({ people = 0 }: Order) => fillUsers(people),
  expand: () => expandAll(),
  claim: () => claimAll(),
  send: ({ people = 0 }: Order) => sendAll(people),
}
process.on('message', async (order: Order) => {
  process.send!({ kind: 'done', result: await parts[order.kind](order) })
})
ready(0)
