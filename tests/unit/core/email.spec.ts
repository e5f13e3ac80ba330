import { test } from '@japa/runner'
import fc from 'fast-check'
import { MAX_EMAIL_LENGTH, normalizeEmail } from '#core/values/email'

/** The canonical form (conventions.md#e-mail-addresses); null if it is not an address. */
const CASES: [input: string, canonical: string | null, why: string][] = [
  ['ada@acme.example', 'ada@acme.example', 'is canonical already'],
  ['Ada@ACME.Example', 'ada@acme.example', 'is lower-cased'],
  ['  ada@acme.example\r\n', 'ada@acme.example', 'is trimmed'],
  ['\u00a0ada@acme.example\u3000', 'ada@acme.example', 'is trimmed of Unicode white space'],
  ['a.d.a+news@acme.example', 'a.d.a+news@acme.example', 'keeps dots and tags'],
  ['ａｄａ＠ａｃｍｅ．example', 'ada@acme.example', 'is folded from full width'],
  ['ﬁ@acme.example', 'fi@acme.example', 'is folded from a ligature'],
  ['jose\u0301@acme.example', 'josé@acme.example', 'is composed'],
  ['ZOË@acme.example', 'zoë@acme.example', 'is lower-cased beyond ASCII'],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example', 'has its domain in punycode'],
  ['ada@BÜCHER.example', 'ada@xn--bcher-kva.example', 'has its folded domain in punycode'],
  ['ada@XN--BCHER-KVA.example', 'ada@xn--bcher-kva.example', 'keeps a domain in punycode'],
  ['ada@acme。example', 'ada@acme.example', 'has an ideographic full stop'],
  ["o'neil!#$%&*+/=?^_`{|}~-@acme.example", "o'neil!#$%&*+/=?^_`{|}~-@acme.example", 'is an atom'],
  [
    `${'a'.repeat(64)}@acme.example`,
    `${'a'.repeat(64)}@acme.example`,
    'has the longest local part',
  ],

  ['', null, 'is empty'],
  ['   ', null, 'is blank'],
  ['ada', null, 'has no domain'],
  ['@acme.example', null, 'has no local part'],
  ['ada@', null, 'has an empty domain'],
  ['ada@localhost', null, 'has a domain of one label'],
  ['ada@acme..example', null, 'has an empty label'],
  ['ada@.example', null, 'has an empty first label'],
  ['ada@acme.example.', null, 'ends in a dot'],
  ['ada@-acme.example', null, 'has a label that begins with a hyphen'],
  ['ada@acme-.example', null, 'has a label that ends in a hyphen'],
  ['ada@ac_me.example', null, 'has an underscore in the domain'],
  ['.ada@acme.example', null, 'begins with a dot'],
  ['ada.@acme.example', null, 'has a dot before the at sign'],
  ['a..da@acme.example', null, 'has two dots'],
  ['a da@acme.example', null, 'has a blank inside'],
  ['ada@acme .example', null, 'has a blank in the domain'],
  ['ada@eve@acme.example', null, 'has two at signs'],
  ['"a b"@acme.example', null, 'is quoted'],
  ['Ada <ada@acme.example>', null, 'is a mailbox with a name'],
  ['ada@acme.example,eve@acme.example', null, 'is a list'],
  [`${'a'.repeat(65)}@acme.example`, null, 'has too long a local part'],
  [`ada@${'a.'.repeat(125)}example`, null, 'is too long'],
  [`ada@${'a'.repeat(64)}.example`, null, 'has too long a label'],

  ['ada\u0000@acme.example', null, 'holds a NUL'],
  ['a\nda@acme.example', null, 'holds a line break'],
  ['a\u200bda@acme.example', null, 'holds a zero-width space'],
  ['a\u200dda@acme.example', null, 'holds a zero-width joiner'],
  ['a\u00adda@acme.example', null, 'holds a soft hyphen'],
  ['a\u202eda@acme.example', null, 'holds a direction override'],
  ['ada@ac\u200bme.example', null, 'holds a zero-width space in the domain'],
  ['\ufeffada@acme.example', null, 'holds a byte order mark'],
  ['a\u034fda@acme.example', null, 'holds a combining grapheme joiner'],
  ['a\u115fda@acme.example', null, 'holds a Hangul filler'],
  ['a\ufe0fda@acme.example', null, 'holds a variation selector'],
  ['a\ud800da@acme.example', null, 'holds a lone surrogate'],
  ['a\ue000da@acme.example', null, 'holds a private character'],

  // URL parsing would cut or decode these, and produce someone else's address.
  ['ada@acme.example/eve', null, 'has a path'],
  ['ada@acme.example?eve', null, 'has a query'],
  ['ada@acme.example#eve', null, 'has a fragment'],
  ['ada@acme.example\\eve', null, 'has a backslash'],
  ['ada@acme.example:25', null, 'has a port'],
  ['ada@ac%6de.example', null, 'has a percent escape in the domain'],
  ['ada@acme．example％2f', null, 'has a full-width percent sign'],
  ['ada@℀.example', null, 'has a domain that folds to a slash'],
  ['ada@[127.0.0.1]', null, 'has an address literal'],
  ['ada@127.0.0.1', null, 'has an IPv4 address'],
  ['ADA@10.23', null, 'has a short IPv4 address'],
  ['ada@acme.0x7f', null, 'has a hexadecimal last label'],
]

/** Text that often resembles an address. */
const nearAddress = fc
  .tuple(
    fc.oneof(fc.emailAddress(), fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' })),
    fc.oneof(fc.domain(), fc.string({ unit: 'grapheme' }), fc.string())
  )
  .map(([left, right]) => (left.includes('@') ? left : `${left}@${right}`))

test.group('Canonical e-mail addresses', () => {
  test('text that {why} {outcome}')
    .with(
      CASES.map(([input, canonical, why]) => ({
        input,
        canonical,
        why,
        outcome: canonical === null ? 'is no address' : 'leads to the right identity',
      }))
    )
    .run(({ assert }, { input, canonical }) => {
      assert.strictEqual(normalizeEmail(input), canonical)
    })

  test('normalizing a canonical address does not change it', () => {
    fc.assert(
      fc.property(nearAddress, (text) => {
        const email = normalizeEmail(text)
        return email === null || normalizeEmail(email) === email
      }),
      { numRuns: 2_000 }
    )
  })

  test('all ASCII spellings of an address have the same canonical form', () => {
    fc.assert(
      fc.property(fc.emailAddress(), fc.integer(), (address, seed) => {
        const mixed = [...address]
          .map((char, index) => ((seed >> (index % 31)) & 1 ? char.toUpperCase() : char))
          .join('')
        const fullWidth = address.replace(/[a-z0-9]/gi, (char) =>
          String.fromCharCode(char.charCodeAt(0) + 0xfee0)
        )
        const canonical = normalizeEmail(address)
        return [mixed, ` ${address}\n`, fullWidth].every(
          (writing) => normalizeEmail(writing) === canonical
        )
      })
    )
  })

  test('a canonical address is short, lower case, visible, and has one at sign', ({ assert }) => {
    fc.assert(
      fc.property(nearAddress, (text) => {
        const email = normalizeEmail(text)
        if (email === null) return
        assert.isAtMost(email.length, MAX_EMAIL_LENGTH)
        assert.equal(email, email.normalize('NFKC'))
        assert.equal(email, email.toLowerCase())
        assert.equal(email.split('@').length, 2)
        assert.notMatch(email, /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u)
        assert.match(email, /@[a-z0-9.-]+$/)
      }),
      { numRuns: 2_000 }
    )
  })

  test('addresses that differ in a dot, a tag or an accent stay different', ({ assert }) => {
    const people = [
      'ada@acme.example',
      'a.da@acme.example',
      'ada+x@acme.example',
      'adá@acme.example',
    ]
    assert.lengthOf(new Set(people.map(normalizeEmail)), people.length)
  })
})
