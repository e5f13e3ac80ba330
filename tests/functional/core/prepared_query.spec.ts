import { test } from '@japa/runner'
import { PreparedQuery } from '#core/database/prepared_query'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import { uniqueEmail } from '#tests/helpers/people'

const byEmail = new PreparedQuery<{ email: string; same: string }>(
  'test_user_by_email',
  'select email, cast($2 as text) as same from users where email = $1 and $1 <> $2'
)

test.group('Prepared query', () => {
  test('returns rows for numbered values, which may be used twice', async ({ assert }) => {
    const { email } = await ensureUser({ email: uniqueEmail() })
    assert.deepEqual(await byEmail.all([email, "it's"]), [{ email, same: "it's" }])
    assert.deepEqual(await byEmail.all([email, email]), [])
    assert.deepEqual(await byEmail.all([uniqueEmail(), 'x']), [])
  })

  test('treats values as text, never as SQL', async ({ assert }) => {
    const { email } = await ensureUser({ email: uniqueEmail() })
    assert.deepEqual(await byEmail.all([`${email}' or '1'='1`, 'x']), [])
  })

  test('keeps ten or more values apart', async ({ assert }) => {
    const values = Array.from({ length: 12 }, (_, index) => `v${index + 1}`)
    const columns = values.map((_, index) => `cast($${index + 1} as text) as c${index + 1}`)
    const query = new PreparedQuery('test_twelve_values', `select ${columns.join(', ')}`)
    const [row] = await query.all(values)
    assert.deepEqual(
      { ...(row as object) },
      Object.fromEntries(values.map((value, index) => [`c${index + 1}`, value]))
    )
  })

  test('can run many times at once', async ({ assert }) => {
    const emails = await Promise.all(
      Array.from({ length: 5 }, async () => (await ensureUser({ email: uniqueEmail() })).email)
    )
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => byEmail.all([emails[index % 5], 'x']))
    )
    answers.forEach((rows, index) => assert.equal(rows[0].email, emails[index % 5]))
  })

  test('releases its connection when it fails', async ({ assert }) => {
    const broken = new PreparedQuery('test_broken', 'select * from no_such_table where a = $1')
    // More often than the pool has connections.
    for (let attempt = 0; attempt < 25; attempt++) {
      await assert.rejects(() => broken.all(['x']), /no_such_table/)
    }
    assert.deepEqual(await byEmail.all([uniqueEmail(), 'x']), [])
  })
})
