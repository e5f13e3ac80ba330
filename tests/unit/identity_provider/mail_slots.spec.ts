import { test } from '@japa/runner'
import { MailSlots } from '#app/identity_provider/mail_hook/mail_slots'
import identityProvider from '#config/identity_provider'

const { parallel, perBrand, perBrandDifficult, perDomain } = identityProvider.mails

const mails = (count: number, domainOf: (id: number) => string, brandId = 1) =>
  Array.from({ length: count }, (_, id) => ({ id, brandId, domain: domainOf(id) }))

test.group('Slots for mails of the identity provider', () => {
  test('are limited for a brand, and in all', ({ assert }) => {
    const slots = new MailSlots()
    const due = [1, 2].flatMap((brandId) => mails(50, (id) => `${id}.example`, brandId))
    const shared = slots.share(due)
    assert.lengthOf(shared, 2 * perBrand)
    for (const mail of shared) slots.take(mail)
    assert.sameMembers(slots.fullBrands, [1, 2])
    assert.equal(slots.free, parallel - 2 * perBrand)
    assert.isEmpty(slots.share(due))
  })

  test('are limited for a domain', ({ assert }) => {
    const slots = new MailSlots()
    const due = mails(50, () => 'one.example')
    const shared = slots.share(due)
    assert.lengthOf(shared, perDomain)
    for (const mail of shared) slots.take(mail)
    const other = { id: 99, brandId: 1, domain: 'other.example' }
    assert.deepEqual(slots.share([...due, other]), [other])
  })

  test('are left to others by domains whose rounds failed, however many these are', ({
    assert,
  }) => {
    const slots = new MailSlots()
    const failing = mails(perBrand, (id) => `${id}.example`)
    for (const release of failing.map((mail) => slots.take(mail))) release(false)
    const due = mails(perBrand * 4, (id) => `${id % perBrand}.example`)
    const other = { id: 99, brandId: 1, domain: 'other.example' }
    const shared = slots.share([...due, other])
    assert.deepEqual(shared[0], other)
    assert.lengthOf(shared, perBrandDifficult + 1)
    for (const mail of shared) slots.take(mail)
    assert.isEmpty(slots.share(due))
    assert.deepEqual(slots.share([...due, other]), [other])
  })

  test('are shared between domains whose rounds failed, however many mails one of them has', ({
    assert,
  }) => {
    const slots = new MailSlots()
    const failing = mails(3, (id) => `${id}.example`)
    for (const release of failing.map((mail) => slots.take(mail))) release(false)
    const due = [...mails(50, () => '0.example'), ...failing.slice(1)]
    assert.deepEqual(
      slots.share(due).map(({ domain }) => domain),
      ['0.example', '1.example', '2.example']
    )
  })

  test('go to a domain in turn with others once a mail to it was sent', ({ assert }) => {
    const slots = new MailSlots()
    const [mail] = mails(1, () => 'one.example')
    slots.take(mail)(true)
    const later = { id: 2, brandId: 1, domain: 'other.example' }
    assert.deepEqual(slots.share([mail, later]), [mail, later])
  })
})
