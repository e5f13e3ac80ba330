import { test } from '@japa/runner'
import { TARGET_KEY } from '#tests/world/prepare'
import { eventSignature } from '#tests/helpers/provider_events'
import { HOOK_PATH, withSigningKey } from '#tests/helpers/provider_hook'
import { credentials, problemOf, sendBody } from '#tests/helpers/send'
import { signatureOf } from '#tests/helpers/signature'

const LIMIT = 262_144
const WEBHOOK = '/api/idp/webhook'

test.group('Request bodies from the identity provider', (group) => {
  withSigningKey(group)

  const senders: Record<string, (body: string) => Promise<[string, Record<string, string>]>> = {
    'a signed event': async (body) => [
      WEBHOOK,
      { 'zitadel-signature': eventSignature(body, { key: TARGET_KEY }) },
    ],
    'an event with the secret': async () => [WEBHOOK, await credentials('webhook')],
    'a system mail': async (body) => [HOOK_PATH, { 'zitadel-signature': signatureOf(body) }],
  }

  test('{$self} is limited to 256 KiB')
    .with(Object.keys(senders))
    .run(async ({ assert }, name) => {
      const send = async (bytes: number) => {
        const body = '{}'.padEnd(bytes)
        const [path, headers] = await senders[name](body)
        return sendBody('POST', path, body, headers)
      }
      const read = await send(LIMIT)
      assert.equal((await problemOf(assert, read)).code, 'VALIDATION_ERROR')
      const refused = await send(LIMIT + 1)
      assert.equal(refused.status, 413)
      const problem = await problemOf(assert, refused)
      assert.equal(problem.code, 'PAYLOAD_TOO_LARGE')
      assert.equal(problem.details.limit, LIMIT)
    })
})
