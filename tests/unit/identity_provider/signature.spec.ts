import { createHmac } from 'node:crypto'
import { test } from '@japa/runner'
import fc from 'fast-check'
import { verifySignature } from '#app/identity_provider/signatures/verify_signature'

/** See zitadel.md#signature-test-vectors: vectors A, B and C. */
const KEY = 'whsec-test-0123456789abcdef'
const T = 1_767_225_600
const A = Buffer.from(
  String.raw`{"contextInfo":{"eventType":"user.human.password.code.added","provider":{"id":"311","description":"mailer"},"recipientEmailAddress":"ada@acme.example"},"templateData":{"subject":"Reset password","text":"A \u0026 B"},"args":{"orgID":"2001","code":"K7Q2ZD"}}`
)
const B = Buffer.from('{"args":{"displayName":"Zoë Müller"}}')
const MAC_A = 'a49d6e8b3d1e7bed33223a801e58cbccbc072415360679ac1988cfa8001627e0'
const MAC_A_OTHER = '7728f41aa5abc2ee856ac2df74b03cb5ea78df3664389f80e30afae8ce568826'
const MAC_B = '9ba576d2e2f0280ed07e9d929dfcea403351471a8db4ec78a73e9c535868c14a'
const HEADER_A = `t=${T},v1=${MAC_A}`

const at = (seconds: number) => new Date((T + seconds) * 1000)
const verify = (changes: Partial<Parameters<typeof verifySignature>[0]> = {}) =>
  verifySignature({ header: HEADER_A, body: A, keys: [KEY], now: at(0), ...changes })
const sign = (t: string, body: Buffer, key = KEY) =>
  createHmac('sha256', key).update(`${t}.`).update(body).digest('hex')

test.group('Signature: test vectors', () => {
  test('vector A is the body of 256 bytes, B the one of 39', ({ assert }) => {
    assert.deepEqual([A.length, B.length], [256, 39])
  })

  test('every vector is valid', ({ assert }) => {
    assert.equal(verify(), 'valid')
    assert.equal(verify({ header: `t=${T},v1=${MAC_B}`, body: B }), 'valid')
    const both = `t=${T},v1=${MAC_A},v1=${MAC_A_OTHER}`
    assert.equal(verify({ header: both }), 'valid')
    assert.equal(verify({ header: both, keys: ['other-key'] }), 'valid')
  })

  test('a signature is valid for 300 seconds in both directions', ({ assert }) => {
    for (const seconds of [10, 300, -10, -300]) assert.equal(verify({ now: at(seconds) }), 'valid')
    for (const seconds of [301, -301, 86_400, -86_400]) {
      assert.equal(verify({ now: at(seconds) }), 'expired')
    }
  })

  test('ages are rounded down to whole seconds', ({ assert }) => {
    assert.equal(verify({ now: at(300.999) }), 'valid')
    assert.equal(verify({ now: at(-300.001) }), 'expired')
  })

  test('changing any byte invalidates the signature', ({ assert }) => {
    assert.equal(verify({ body: Buffer.concat([A, Buffer.from(' ')]) }), 'invalid')
    const again = Buffer.from(JSON.stringify(JSON.parse(A.toString())))
    assert.equal(verify({ body: again }), 'invalid')
    assert.equal(verify({ body: Buffer.alloc(0) }), 'invalid')
  })

  test('any accepted key verifies a signature', ({ assert }) => {
    assert.equal(verify({ keys: ['old', KEY] }), 'valid')
    assert.equal(verify({ keys: ['old'] }), 'invalid')
    assert.equal(verify({ keys: [] }), 'invalid')
    // The key is text, not hex or base64 to be decoded.
    assert.equal(verify({ keys: [Buffer.from(KEY).toString('hex')] }), 'invalid')
  })

  test('a missing or unusable header is invalid', ({ assert }) => {
    for (const header of [undefined, '', 't=abc,v1=00']) {
      assert.equal(verify({ header }), 'invalid')
    }
  })
})

test.group('Signature: the header', () => {
  test('unknown elements are ignored in any position', ({ assert }) => {
    assert.equal(verify({ header: `v0=abc,${HEADER_A},v2=def` }), 'valid')
    assert.equal(verify({ header: `v1=${MAC_A},t=${T}` }), 'valid')
  })

  test('a malformed `v1` is skipped', ({ assert }) => {
    for (const odd of ['zz', '', '00', MAC_A.slice(1), `${MAC_A}00`, `${MAC_A.slice(2)}zz`]) {
      assert.equal(verify({ header: `t=${T},v1=${odd},v1=${MAC_A}` }), 'valid', odd)
      assert.equal(verify({ header: `t=${T},v1=${odd}` }), 'invalid', odd)
    }
  })

  test('an element other than name=value makes the header malformed', ({ assert }) => {
    for (const odd of ['', 'x', 'x=y=z', `v1=${MAC_A}=`]) {
      assert.equal(verify({ header: `${HEADER_A},${odd}` }), 'invalid', odd)
    }
    assert.equal(verify({ header: `,${HEADER_A}` }), 'invalid')
    assert.equal(verify({ header: `${HEADER_A},` }), 'invalid')
  })

  test('a missing, repeated or invalid time is malformed', ({ assert }) => {
    for (const t of ['', 'abc', '1e9', '-1', '+1', '0x10', '1.5', ' 1', '9'.repeat(20), 'NaN']) {
      assert.equal(verify({ header: `t=${t},v1=${sign(t, A)}` }), 'invalid', t)
    }
    assert.equal(verify({ header: `v1=${MAC_A}` }), 'invalid')
    assert.equal(verify({ header: `t=${T},${HEADER_A}` }), 'invalid')
  })

  test('the time is part of the signed content', ({ assert }) => {
    assert.equal(verify({ header: `t=${T + 200},v1=${MAC_A}`, now: at(200) }), 'invalid')
  })

  test('only the holder of a key learns that a signature expired', ({ assert }) => {
    const forged = sign(String(T), A, 'guess')
    assert.equal(verify({ header: `t=${T},v1=${forged}`, now: at(301) }), 'invalid')
  })

  test('an empty key verifies nothing', ({ assert }) => {
    const header = `t=${T},v1=${sign(String(T), A, '')}`
    assert.equal(verify({ header, keys: ['', KEY] }), 'invalid')
  })

  test('every header gets a verdict', ({ assert }) => {
    const piece = fc.constantFrom('t', 'v1', '=', ',', ' ', String(T), MAC_A, 'é', '\0', 'v1=')
    const header = fc.oneof(
      fc.string(),
      fc.array(piece).map((parts) => parts.join(''))
    )
    fc.assert(
      fc.property(header, (text) => {
        const verdict = verify({ header: text })
        if (verdict === 'valid') assert.include(text, MAC_A)
        else assert.equal(verdict, 'invalid')
      })
    )
  })

  test('every signed body is valid and every changed one is not', ({ assert }) => {
    const body = fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes))
    fc.assert(
      fc.property(body, fc.nat(), (bytes, position) => {
        const header = `t=${T},v1=${sign(String(T), bytes)}`
        assert.equal(verify({ header, body: bytes }), 'valid')
        const changed = Buffer.from(bytes)
        changed[position % bytes.length] ^= 1
        assert.equal(verify({ header, body: changed }), 'invalid')
      })
    )
  })
})
