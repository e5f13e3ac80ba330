import fc from 'fast-check'
import { test } from '@japa/runner'
import { Pool } from 'undici'
import { changedSince, latestNote, startNoting } from '#tests/helpers/noted_changes'
import { type FuzzRequest, requestsOf } from '#tests/contract/fuzz/requests'
import { type Target, targets } from '#tests/contract/targets'
import { serviceUrl } from '#tests/helpers/send'
import { requireContract } from '#tests/helpers/watch_responses'
import { TestHttpServer, sendJson } from '#tests/world/http_server'

/** The minimum on each database; `npm test` sends twice as many. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 10_000)
/** Fixed for reproducibility. `FUZZ_SEED=random` chooses another one and prints it. */
const SEED = seedFrom(process.env.FUZZ_SEED)

/** Codes for failures of other services. */
const FAULTS_OF_OTHERS = ['ENTITY_ENDPOINT_UNREACHABLE', 'IDENTITY_PROVIDER_REFUSED']
/**
 * Operations that cannot always succeed here: they need a browser sign-in, a signature, a service
 * account, a broadcast in a certain state, a ticket, or a session that `DELETE /api/panel/sessions`
 * left.
 */
const NEEDS_MORE =
  /\/(?:idp|panel)\/callback|\/idp\/(?:notifications\/email|admin\/|sync$)|POST .*\/broadcast\/|PUT .*\/policy$|panel\/sessions\/:id|\/inbox\/stream$/

const asksOthers = ({ operation }: Target) =>
  FAULTS_OF_OTHERS.some((code) => operation['x-errors'].includes(code))

const name = ({ method, pattern }: Target) => `${method} ${pattern}`

test.group('Requests generated from the API description', (group) => {
  const entities = new TestHttpServer((_, response) => sendJson(response, []))
  let pool: Pool
  let sent = 0

  group.setup(async () => {
    await entities.start()
    pool = new Pool(serviceUrl(), { connections: 1 })
    const stopNoting = await startNoting()
    return async () => {
      await stopNoting()
      await pool.close()
      await entities.stop()
    }
  })

  async function send(target: Target, request: FuzzRequest) {
    sent++
    const { method, path, body } = request
    const headers = { ...(request.credentials ? target.credentials : {}), ...request.headers }
    const response = await pool.request({ method: method as 'GET', path, headers, body })
    const isStream = String(response.headers['content-type']).startsWith('text/event-stream')
    if (isStream) response.body.on('error', () => {}).destroy()
    return { status: response.statusCode, text: isStream ? '' : await response.body.text() }
  }

  /** Repeats the request before reporting that it changed something. */
  async function requireNoChange(target: Target, request: FuzzRequest, before: number) {
    let note = before
    for (let attempt = 0; attempt < 3; attempt++) {
      const tables = await changedSince(note)
      if (tables.length === 0) return
      if (attempt === 2) throw new Error(`It was refused, and changed ${tables.join(', ')}`)
      note = await latestNote()
      await send(target, request)
    }
  }

  async function tryOut(target: Target, request: FuzzRequest): Promise<boolean> {
    const before = await latestNote()
    const { status, text } = await send(target, request)
    requireContract()
    if (status >= 500 && !(status === 502 && asksOthers(target)))
      throw new Error(`It is ${status}: ${text}`)
    if (status >= 400 && status < 500) await requireNoChange(target, request, before)
    return status < 400
  }

  test('get documented responses, never a server error, and change nothing if refused', async ({
    assert,
    client,
  }) => {
    process.stdout.write(`  seed ${SEED} (FUZZ_SEED=${SEED} repeats this run)\n`)
    const all = await targets(client, entities.url)
    const numRuns = Math.ceil((REQUESTS * 1.02) / all.length)
    const without: string[] = []
    for (const target of all) {
      let accepted = 0
      const property = fc.asyncProperty(requestsOf(target), async (request) => {
        if (await tryOut(target, request)) accepted++
      })
      const result = await fc.check(property, { seed: SEED, numRuns })
      if (result.failed) assert.fail(describeFailure(target, result))
      if (accepted === 0 && !NEEDS_MORE.test(name(target))) without.push(name(target))
    }
    assert.deepEqual(without, [], 'operations of which no request was accepted')
    assert.isAtLeast(sent, REQUESTS)
  }).timeout(600_000)
})

function describeFailure(target: Target, result: fc.RunDetails<[FuzzRequest]>) {
  const { counterexample, errorInstance } = result
  return `${name(target)} (seed ${SEED}): ${String(errorInstance)}\n${JSON.stringify(counterexample)}`
}

function seedFrom(given: string | undefined): number {
  if (given === 'random') return Date.now() % 2 ** 31
  return Number(given ?? 20_261_121)
}
