import { test } from '@japa/runner'
import { transaction } from '#core/database/transaction'
import { storeSigningKey } from '#app/identity_provider/signatures/store_signing_key'
import { problemCodeOf } from '#tests/contract/problem_code_of'
import { provocationsOf } from '#tests/contract/provocations'
import { type Target, targets } from '#tests/contract/targets'
import { HOOK_KEY } from '#tests/helpers/signature'

/**
 * Problems that one request to this service cannot cause. They need an account at the identity
 * provider (`functional/identity_provider`), a broken connection, or other settings
 * (`standalone/exhausted.spec.ts`).
 */
const TAKES_MORE = [
  /^\w+ \/api\/idp\/admin\/.* (?:VALIDATION_ERROR|\w+_NOT_FOUND)$/,
  /^GET \/panel\/callback (?:UNAUTHENTICATED|EMAIL_NOT_VERIFIED|IDENTITY_CONFLICT|USER_INACTIVE)$/,
  /^POST \/api\/unsubscribe\/:token MALFORMED_JSON$/,
  /^\w+ \/(?:metrics|api\/check\S*) UNAUTHENTICATED$/,
  // Of rows that the body names: `functional/checks/preview.spec.ts`.
  /^POST \/api\/applications\/:appCode\/access\/preview (?:ADMINISTRATOR|PERMISSION|ROLE)_NOT_FOUND$/,
  // Of what the document names, and of rows that are deleted meanwhile: `functional/policies`.
  /^\w+ \/api\/applications\/:appCode\/policy(?:\/plan)? (?!APPLICATION)\w+_NOT_FOUND$/,
  // Of a revision that the body names, and of a draft of one text: `functional/notifications`.
  /^POST \S*\/locales\/:locale\/restore TEMPLATE_REVISION_NOT_FOUND$/,
  /^POST \S*\/locales\/:locale\/preview TEMPLATE_VERSION_NOT_FOUND$/,
  // Of the caller, whom each request adds: someone has to delete the user meanwhile.
  /^POST \/api\/admin\/brands\/:id\/test USER_NOT_FOUND$/,
  // Of a broadcast that was made with the same key and has been deleted.
  /^POST \/api\/admin\/notifications\/broadcast\/:appCode BROADCAST_NOT_FOUND$/,
  /^GET \/(?:docs\S*|api\/openapi\.json) FORBIDDEN$/,
]

test.group('Every operation', () => {
  test('returns its documented problems, as far as one request can cause them', async ({
    assert,
    client,
  }) => {
    await transaction((trx) => storeSigningKey(HOOK_KEY, trx))
    const missed: string[] = []
    for (const target of await targets(client, 'http://127.0.0.1:1')) {
      missed.push(...(await missedBy(target)))
    }
    const unexplained = missed.filter((one) => !TAKES_MORE.some((pattern) => pattern.test(one)))
    assert.deepEqual(unexplained, [])
    const needless = TAKES_MORE.filter((pattern) => !missed.some((one) => pattern.test(one)))
    assert.deepEqual(needless, [])
  }).timeout(300_000)
})

async function missedBy(target: Target): Promise<string[]> {
  const missed: string[] = []
  for (const code of target.operation['x-errors']) {
    const twists = await provocationsOf(target, code)
    if (twists.length === 0) continue
    if (!(await leadsTo(code, target, twists))) missed.push(nameOf(target, code))
  }
  return missed
}

async function leadsTo(
  code: string,
  target: Target,
  twists: Parameters<typeof problemCodeOf>[1][]
) {
  for (const twist of twists) if ((await problemCodeOf(target, twist)) === code) return true
  return false
}

const nameOf = ({ method, pattern }: Target, code: string) => `${method} ${pattern} ${code}`
