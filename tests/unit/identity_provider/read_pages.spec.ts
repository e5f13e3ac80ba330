import { test } from '@japa/runner'
import { UpstreamUnreachable } from '#core/exceptions/problems'
import { readPages } from '#app/identity_provider/zitadel/read_pages'

type Search = Parameters<typeof readPages<number>>[0]

const range = (start: number, end: number) =>
  Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index)

/** @throws what the reading throws */
async function readAll(search: Search) {
  const all: number[] = []
  for await (const page of readPages(search, String)) all.push(...page)
  return all
}

async function faultOf(search: Search) {
  const error = await readAll(search).catch((reason: unknown) => reason)
  return error instanceof UpstreamUnreachable ? error.details?.reason : error
}

test.group('Pages of a list', () => {
  test('are read to the end, also if the provider makes them smaller than requested', async ({
    assert,
  }) => {
    const search = async (offset: number) => ({
      items: range(offset, Math.min(offset + 30, 95)),
      total: 95,
    })
    assert.deepEqual(await readAll(search), range(0, 95))
  })

  test('end with an error if the provider ignores the offset', async ({ assert }) => {
    assert.equal(await faultOf(async () => ({ items: range(0, 100), total: 500 })), 'no_progress')
  })

  test('end with an error if there are far more than the total', async ({ assert }) => {
    const endless = async (offset: number) => ({ items: range(offset, offset + 100), total: 30 })
    assert.equal(await faultOf(endless), 'more_than_total')
  })
})
