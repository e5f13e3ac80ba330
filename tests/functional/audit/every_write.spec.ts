import { test } from '@japa/runner'
import AuditEntry from '#app/audit/models/audit_entry'
import { removeOtherSuperAdmins } from '#tests/access/callers'
import { type WriteRoute, writeRoutes } from '#tests/access/write_routes'
import { uniqueCode } from '#tests/helpers/people'
import { credentials, sendBody } from '#tests/helpers/send'

type Reasons = [pattern: RegExp, reason: string][]

/** Requests that change nothing an administrator is responsible for. */
const UNAUDITED: Reasons = [
  [/\/check(?:\/|$)|\/access\//, 'Reads only'],
  [/\/preview$|\/policy\/plan$|\/notifications\/explain/, 'Reads only'],
  [/\/profile\/me/, 'Users change their own settings, messages and devices'],
  [/\/(?:panel\/logout|api\/panel\/sessions)/, 'Users end their own sessions'],
  [/\/internal\/notifications(?:\/bulk|\/:id)?$/, 'Messages are in the log'],
  [
    /\/internal\/notifications\/bounces$/,
    'Bounces are in the log, and reported_bounces.spec looks at suppressions',
  ],
  [/\/notifications\/log\/.*\/(resend|cancel)$/, 'Messages are in the log'],
  [/\/locales\/:locale\/test$/, 'Messages are in the log'],
  [/\/idp\/notifications\/email$/, 'Messages are in the log'],
  [/\/internal\/auth\/application-events$/, 'Logins are in the login records'],
  [/\/registration-locale$/, 'Waits for a user who does not exist yet'],
]

/** They need an identity provider; its own tests look at their entries. */
const AT_PROVIDER = /\/idp\/(?:admin|sync|webhook)/

const isUnaudited = ({ pattern }: WriteRoute) =>
  UNAUDITED.some(([unaudited]) => unaudited.test(pattern))

test.group('Every request that changes something', (group) => {
  group.teardown(removeOtherSuperAdmins)

  test('leaves an audit entry', async ({ assert, client }) => {
    const routes = await writeRoutes(client)
    const audited = routes.filter(
      (route) => !isUnaudited(route) && !AT_PROVIDER.test(route.pattern)
    )
    assert.isAbove(audited.length, 50)
    const silent: string[] = []
    for (const { method, pattern, path, body, sender } of audited) {
      const requestId = uniqueCode('request')
      const text = body && JSON.stringify(body)
      const headers = {
        ...(await credentials(sender, text)),
        'if-match': '*',
        'x-request-id': requestId,
      }
      const response = await sendBody(method, path, text, headers)
      const entries = await AuditEntry.query().where({ requestId })
      const isSuccess = response.status < 300
      if (isSuccess && entries.length > 0) continue
      silent.push(`${method} ${pattern}: ${response.status} ${await response.text()}`)
    }
    assert.deepEqual(silent, [])
  })

  test('is a request of one of the known kinds', async ({ assert, client }) => {
    const routes = await writeRoutes(client)
    for (const [pattern, reason] of UNAUDITED) {
      assert.isTrue(
        routes.some((route) => pattern.test(route.pattern)),
        `${reason}: ${pattern}`
      )
    }
  })
})
