import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import { ProcessReporter } from '#app/operations/actions/process_reporter'
import ProcessReport from '#app/operations/models/process_report'
import { openPanel, whenShown } from '#tests/helpers/open_panel'
import { anAdministratorOf, anApplication, uniqueCode } from '#tests/helpers/people'
import { expectProblem } from '#tests/helpers/watch_pages'

test.group('Operations in the panel', (group) => {
  group.each.teardown(async () => void (await ProcessReport.query().delete()))

  test('say for each number what it means, and what to do', async () => {
    await new ProcessReporter('service').report()
    const page = await openPanel('/')
    await page.getByRole('link', { name: 'Operations' }).click()
    await whenShown(page, 'Operations')
    const part = page.getByRole('listitem').filter({ hasText: 'Pending migrations' })
    await part.getByText('run node ace migration:run').waitFor()
    await page.getByRole('table', { name: 'Requests per minute' }).waitFor({ state: 'attached' })
    await page.getByRole('cell', { name: `:${process.pid}` }).waitFor()
  })

  test('show lost processes and other versions', async () => {
    const now = DateTime.utc()
    const state = { memoryBytes: 1_000_000, cache: { hits: 3, misses: 1, size: 4 }, minutes: [] }
    const report = (fields: Partial<ProcessReport>) =>
      ProcessReport.create({
        processId: uniqueCode(),
        host: 'elsewhere',
        pid: 7,
        kind: 'queue',
        version: '0.1.0',
        startedAt: now.minus({ hours: 2 }),
        seenAt: now,
        endedAt: null,
        state,
        ...fields,
      })
    await new ProcessReporter('service').report()
    await report({})
    await report({ seenAt: now.minus({ minutes: 5 }) })
    const page = await openPanel('/operations')
    await page.getByText('1 thing needs attention.').waitFor()
    const lost = page.getByRole('row').filter({ hasText: 'Lost' })
    await lost.getByText('elsewhere:7').waitFor()
    const versions = page.getByRole('listitem').filter({ hasText: 'an update is under way' })
    await versions.getByText('Worth a look').waitFor({ state: 'attached' })
  })

  test('are for those who manage the platform', async ({ assert }) => {
    const as = await anAdministratorOf(await anApplication())
    const page = await openPanel('/sessions', { as })
    assert.equal(await page.getByRole('link', { name: 'Operations' }).count(), 0)
    expectProblem(page, /status of 403/)
    await page.goto('/panel/operations')
    await page.getByRole('heading', { name: 'You have no access to this page' }).waitFor()
  })
})
