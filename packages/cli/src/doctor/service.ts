import { createHash } from 'node:crypto'
import { unwrap } from '@concierge/client'
import { API_DESCRIPTION } from '../api_description.ts'
import type { Session } from '../session.ts'
import { isReadableOnTheWay } from '../settings/service_url.ts'
import { type Finding, failure, look, ok, warning } from './finding.ts'

/**
 * The service tolerates 5 seconds when it verifies tokens (authentication.md#token-verification).
 */
const TOLERATED_MS = 5_000

export async function lookAtService({ api, settings }: Session): Promise<Finding[]> {
  const began = Date.now()
  const reached = await look(
    'service',
    'Is --url right, and may you reach it from here?',
    async () => {
      await unwrap(api.GET('/api/health/live'))
      return ok(`${settings.url} answered in ${Date.now() - began} ms`)
    }
  )
  if (reached.result === 'fail') return [reached]
  return [
    reached,
    ...(await Promise.all([
      look('connection', '', async () =>
        isReadableOnTheWay(settings.url)
          ? warning('what you send can be read on the way', 'Use an https address')
          : ok('nobody can read along')
      ),
      look('ready', 'Is its database there and migrated?', async () => {
        await unwrap(api.GET('/api/health/ready'))
        return ok('its database is there and migrated')
      }),
      look('description', 'Is this Concierge?', () => compareDescription(api)),
      look('clock', 'Is this Concierge?', () => compareClocks(api)),
      look('identity provider', "The service cannot fetch its provider's discovery", async () => {
        const { data } = await unwrap(api.GET('/api/idp/health'))
        return ok(data.idpUrl)
      }),
    ])),
  ]
}

async function compareDescription(api: Session['api']) {
  const served = (await unwrap(api.GET('/api/openapi.json'))) as { info?: { version?: string } }
  const { version, digest } = API_DESCRIPTION
  if (served.info?.version !== version) {
    const text = `the service has version ${served.info?.version}, this command line knows ${version}`
    return failure(text, 'Install the command line that fits the service')
  }
  const found = createHash('sha256').update(JSON.stringify(served)).digest('hex')
  if (found === digest) return ok(`version ${version}, the one this command line was made from`)
  return warning(
    `version ${version}, but not the same as this command line was made from`,
    'Most works; install the command line that came with the service'
  )
}

async function compareClocks(api: Session['api']) {
  const began = Date.now()
  const { response } = await api.GET('/api/health/live')
  const there = Date.parse(response.headers.get('date') ?? '')
  // The header has whole seconds and was written some time between request and response.
  const here = (began + Date.now()) / 2
  const difference = Math.max(0, Math.abs(there + 500 - here) - 500)
  if (Number.isNaN(difference)) return warning('the service tells no time', 'Is a proxy between?')
  const text = `${(difference / 1000).toFixed(1)} s apart`
  if (difference < TOLERATED_MS) return ok(text)
  return warning(text, 'Set the clocks: tokens are good or not by them')
}
