import { createHash } from 'node:crypto'
import { unwrap } from '@concierge/client'
import { API_DESCRIPTION } from '../api_description.ts'
import type { Session } from '../session.ts'
import { isUnencrypted } from '../settings/service_url.ts'
import { type Finding, failure, runCheck, ok, warning } from './finding.ts'

/**
 * The service tolerates 5 seconds when it verifies tokens (authentication.md#token-verification).
 */
const TOLERANCE_MS = 5_000

export async function checkService({ api, settings }: Session): Promise<Finding[]> {
  const startedAt = Date.now()
  const connection = await runCheck('service', 'Check --url and your network', async () => {
    await unwrap(api.GET('/api/health/live'))
    return ok(`${settings.url} responded in ${Date.now() - startedAt} ms`)
  })
  if (connection.result === 'fail') return [connection]
  return [
    connection,
    ...(await Promise.all([
      runCheck('connection', '', async () =>
        isUnencrypted(settings.url)
          ? warning('not encrypted', 'Use an https address')
          : ok('encrypted or local')
      ),
      runCheck('ready', 'Check that the database is running and migrated', async () => {
        await unwrap(api.GET('/api/health/ready'))
        return ok('the database is running and migrated')
      }),
      runCheck('description', 'Check --url', () => compareDescription(api)),
      runCheck('clock', 'Check --url', () => compareClocks(api)),
      runCheck(
        'identity provider',
        "The service cannot fetch the provider's discovery document",
        async () => {
          const { data } = await unwrap(api.GET('/api/idp/health'))
          return typeof data.idpUrl === 'string' ? ok(data.idpUrl) : notConcierge()
        }
      ),
    ])),
  ]
}

const notConcierge = () =>
  failure('The server is not Concierge: its response has no identity provider', 'Check --url')

async function compareDescription(api: Session['api']) {
  const served = (await unwrap(api.GET('/api/openapi.json'))) as { info?: { version?: string } }
  const { version, digest } = API_DESCRIPTION
  if (served.info?.version !== version) {
    const text = `the service has version ${served.info?.version}, this command line supports ${version}`
    return failure(text, 'Install the command line of the same version')
  }
  const found = createHash('sha256').update(JSON.stringify(served)).digest('hex')
  if (found === digest) return ok(`version ${version}, the same as this command line`)
  return warning(
    `version ${version}, but with a different API description`,
    'Some commands may fail; install the command line that came with the service'
  )
}

async function compareClocks(api: Session['api']) {
  const startedAt = Date.now()
  const { response } = await api.GET('/api/health/live')
  const serverTime = Date.parse(response.headers.get('date') ?? '')
  // The header has whole seconds and was written some time between request and response.
  const localTime = (startedAt + Date.now()) / 2
  const difference = Math.max(0, Math.abs(serverTime + 500 - localTime) - 500)
  if (Number.isNaN(difference)) return warning('the response has no date', 'Check for a proxy')
  const text = `${(difference / 1000).toFixed(1)} s apart`
  if (difference < TOLERANCE_MS) return ok(text)
  return warning(text, 'Synchronize the clocks: token verification depends on them')
}
