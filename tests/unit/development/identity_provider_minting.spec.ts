import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { DEVELOPMENT_ACCOUNTS, mintToken } from '#development/identity_provider/main'
import {
  folder,
  options,
  idp,
  beginProvider,
  restart,
  mint,
  verify,
  userinfo,
} from '#tests/unit/development/provider_under_test'
import { signIn } from '#tests/unit/development/sign_in'

const [ada, grace] = DEVELOPMENT_ACCOUNTS

test.group('Development identity provider, minted tokens', (group) => {
  group.setup(beginProvider)

  test('have the claims of a token from a login', async ({ assert }) => {
    const minted = await mint(grace.email)
    const { access_token: given } = await signIn(idp.issuer, grace.email)
    const varying = { iat: 0, nbf: 0, exp: 0, jti: '' }
    assert.deepEqual({ ...decodeJwt(minted), ...varying }, { ...decodeJwt(given), ...varying })
    assert.deepEqual(decodeProtectedHeader(minted), decodeProtectedHeader(given))
    await verify(minted)
    assert.equal((await userinfo(minted)).status, 200)
  })

  test('survive a restart and need no running provider', async ({ assert }) => {
    const before = await mint('someone@acme.example', '1h')
    let between = ''
    await restart(async () => {
      between = await mint('someone@acme.example')
    })
    for (const token of [before, between]) {
      await verify(token)
      assert.equal((await userinfo(token)).status, 200)
    }
  })

  test('require a valid e-mail address', async ({ assert }) => {
    await assert.rejects(() => mint('nobody'), /not an e-mail address/)
  })

  test('share one key when many processes create the first one', async ({ assert }) => {
    const keysFile = join(folder, 'raced', 'key.json')
    const mintings = Array.from({ length: 4 }, () =>
      mintToken({ ...options, keysFile, issuer: idp.issuer, email: ada.email })
    )
    const kids = (await Promise.all(mintings)).map((token) => decodeProtectedHeader(token).kid)
    assert.lengthOf(new Set(kids), 1)
  })

  test('keep their key readable by the owner of the file only', async ({ assert }) => {
    const { mode } = await stat(options.keysFile)
    assert.equal(mode & 0o777, 0o600)
    assert.property(JSON.parse(await readFile(options.keysFile, 'utf8')), 'd')
  }).skip(process.platform === 'win32', 'Windows has no file modes')
})
