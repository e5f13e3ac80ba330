import { test } from '@japa/runner'
import { DomainPace } from '#app/delivery/mail/domain_pace'
import mailConfig from '#config/mail'

const { longMailMs, slowDomainForMs, slowMailMs, slowestMailMs } = mailConfig

function aPace() {
  let now = 1
  const pace = new DomainPace({ now: () => now })
  const quick = (domain: string) => pace.record(domain, now, (now += slowMailMs))
  /** Beside a quick mail to another domain, unless there is none. */
  const long = (domain: string, other?: string) => {
    const since = now
    if (other) quick(other)
    pace.record(domain, since, (now = since + longMailMs + 1))
  }
  const paceOf = (domain: string) => [pace.isPrompt(domain), pace.isSlow(domain)]
  const wait = (ms: number) => (now += ms)
  return { quick, long, paceOf, wait }
}

const [PROMPT, SLOW, UNKNOWN] = [
  [true, false],
  [false, true],
  [false, false],
]

test.group('The pace of mails to a domain', () => {
  test('is known after one mail', ({ assert }) => {
    const { quick, long, paceOf } = aPace()
    assert.deepEqual(paceOf('new.example'), UNKNOWN)
    quick('quick.example')
    assert.deepEqual(paceOf('quick.example'), PROMPT)
    long('slow.example', 'quick.example')
    assert.deepEqual(paceOf('slow.example'), SLOW)
  })

  test('does not change while mails to all domains take long', ({ assert }) => {
    const { quick, long, paceOf } = aPace()
    quick('quick.example')
    long('quick.example')
    long('other.example')
    assert.deepEqual(paceOf('quick.example'), PROMPT)
    assert.deepEqual(paceOf('other.example'), UNKNOWN)
  })

  test('does not change by what the domain itself does meanwhile', ({ assert }) => {
    const { long, paceOf } = aPace()
    long('slow.example', 'slow.example')
    assert.deepEqual(paceOf('slow.example'), PROMPT)
  })

  test('stays prompt after one long mail among many, not after several', ({ assert }) => {
    const { quick, long, paceOf } = aPace()
    for (let nth = 0; nth < 20; nth++) quick('busy.example')
    long('busy.example', 'other.example')
    assert.deepEqual(paceOf('busy.example'), PROMPT)
    long('busy.example', 'other.example')
    long('busy.example', 'other.example')
    assert.deepEqual(paceOf('busy.example'), SLOW)
    for (let nth = 0; nth < 6; nth++) quick('busy.example')
    assert.deepEqual(paceOf('busy.example'), PROMPT)
  })

  test('is compared with what is usual for the server', ({ assert }) => {
    const pace = new DomainPace()
    const usual = slowMailMs * 1.2
    let now = 0
    const send = (domain: string, ms: number) => pace.record(domain, now, (now += ms))
    assert.equal(pace.slowMs, slowMailMs)
    send('first.example', usual)
    assert.isFalse(pace.isPrompt('first.example'))
    for (let nth = 0; nth < 20; nth++) send(`${nth % 5}.example`, usual)
    assert.isTrue(pace.isPrompt('4.example'))
    for (let nth = 0; nth < 40; nth++) send('late.example', 25_000)
    assert.isAtMost(pace.slowMs, slowestMailMs)
    for (let nth = 0; nth < 40; nth++) send('quick.example', 50)
    assert.equal(pace.slowMs, slowMailMs)
  })

  test('is unknown again an hour after it was slow, but stays prompt', ({ assert }) => {
    const { quick, long, paceOf, wait } = aPace()
    quick('quick.example')
    long('slow.example', 'quick.example')
    wait(slowDomainForMs - 1)
    assert.deepEqual(paceOf('slow.example'), SLOW)
    wait(2)
    assert.deepEqual(paceOf('slow.example'), UNKNOWN)
    assert.deepEqual(paceOf('quick.example'), PROMPT)
  })

  test('stays slow although a quick mail comes before each long one', ({ assert }) => {
    const { quick, long, paceOf } = aPace()
    for (let nth = 0; nth < 3; nth++) {
      quick('slow.example')
      long('slow.example', 'other.example')
      assert.deepEqual(paceOf('slow.example'), SLOW)
    }
  })
})
