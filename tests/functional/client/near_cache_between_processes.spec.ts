import { test } from '@japa/runner'
import { REVOCATIONS } from '#tests/functional/checks/revocations'
import { eventually } from '#tests/helpers/eventually'
import type { CheckBody } from '#tests/helpers/management'
import { aNearCache } from '#tests/helpers/near_caches'
import { type Remote, remote } from '#tests/helpers/remote'
import { serviceUrl } from '#tests/helpers/send'
import { type RunningService, startService } from '#tests/world/service'

const databaseUrl = process.env.DATABASE_URL
const where = databaseUrl ? 'of another process on PostgreSQL' : 'of a worker on SQLite'

const questionOf = ({ resourceType, resourceId, level, ...question }: CheckBody) => ({
  ...question,
  ...(resourceType !== undefined && { resource: { type: resourceType, id: resourceId! } }),
})

test.group(`A near cache that follows the feed ${where}`, (group) => {
  let service: RunningService
  let writer: Remote

  group.setup(async () => {
    // On SQLite, workers take connections in turn, so the writes reach both.
    service = databaseUrl
      ? await startService({ DATABASE_URL: databaseUrl })
      : await startService({ WEB_CONCURRENCY: '2' }, 'bin/main.ts')
    writer = remote(databaseUrl ? serviceUrl() : service.url)
    return async () => {
      await service.stop()
    }
  })

  test('{$self}: it denies within a second')
    .with(Object.keys(REVOCATIONS))
    .run(async ({ cleanup }, title) => {
      const { concierge, statistics } = await aNearCache(cleanup, { url: service.url })
      const given = await REVOCATIONS[title](writer)
      const question = questionOf(given.question)
      await eventually('it remembers that it is allowed', async () => {
        const { hits } = statistics
        return (await concierge.may(question)) && statistics.hits > hits
      })
      await given.revoke(writer)
      await eventually('it denies', async () => !(await concierge.may(question)), 1_000)
    })
})
