import { test } from '@japa/runner'
import type { CDPSession, Page } from 'playwright-core'
import { newBrowser, openPanel, whenLoaded } from '#tests/helpers/open_panel'
import { fullScene, ordinaryScene } from '#tests/helpers/panel_scenes'

/** How much slower than this machine the one of a user is. */
const SLOWDOWN = 4
const ROUNDS = 9
const LOADS = 5
/** In ms, on the slower machine. */
const MOST_FOR_KEY = 50
const MOST_FOR_PAGE = 1_500

const KEYS = ['ArrowDown', 'ArrowRight', 'Space', 'n', 'PageDown', 'PageUp', 'End', 'Home'] as const

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]

/** CPU time of the page's own thread so far, in ms: other work on the machine does not count. */
async function cpuOf(session: CDPSession) {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1_000
}

const nextFrame = (page: Page) =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')

function report(what: string, ms: number[], most: number) {
  const value = median(ms)
  const range = `${Math.min(...ms).toFixed(0)} to ${Math.max(...ms).toFixed(0)}`
  const verdict = value <= most ? 'met' : 'MISSED'
  console.log(`| ${what} | ${value.toFixed(0)} | ${range} | ${most} | ${verdict} |`)
}

/** When the largest part of a page was shown, in ms. */
const shownAt = (page: Page) =>
  page.evaluate<number>(
    `new Promise((done) => new PerformanceObserver((list) =>
      done(list.getEntries().at(-1).startTime)
    ).observe({ type: 'largest-contentful-paint', buffered: true }))`
  )

/** Opens a page in a new browser, with nothing in its cache. */
async function visit(
  path: string,
  { rate }: { rate: number },
  measure: (page: Page, session: CDPSession) => Promise<number>
) {
  const page = await (await newBrowser()).newPage()
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await session.send('Emulation.setCPUThrottlingRate', { rate })
  await page.goto(`/panel${path}`)
  await whenLoaded(page)
  const value = await measure(page, session)
  await page.context().close()
  return value
}

/** Not a test: `npm run benchmark:panel` runs it. */
test.group('Speed', () => {
  test('of keys in a matrix of 200 permissions and 50 roles', async () => {
    const { appCode } = await fullScene()
    const page = await openPanel(`/apps/${appCode}/matrix`)
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    await page.getByRole('gridcell').nth(60).click()
    await nextFrame(page)
    // What the measurement itself costs.
    const idle = await cpuOf(session)
    await nextFrame(page)
    const overhead = (await cpuOf(session)) - idle
    const measured = new Map(KEYS.map((key) => [key, [] as number[]]))
    for (let round = 0; round < ROUNDS; round++) {
      for (const [key, ms] of measured) {
        const before = await cpuOf(session)
        await page.keyboard.press(key)
        await nextFrame(page)
        ms.push(Math.max((await cpuOf(session)) - before - overhead, 0) * SLOWDOWN)
      }
    }
    for (const [key, ms] of measured) report(key, ms, MOST_FOR_KEY)
  }).timeout(300_000)

  test('of pages, until their largest part is shown', async () => {
    const { appCode } = await ordinaryScene()
    for (const path of ['/', `/apps/${appCode}`, `/apps/${appCode}/matrix`]) {
      const shown: number[] = []
      const cpu: number[] = []
      for (let round = 0; round < LOADS; round++) {
        shown.push(await visit(path, { rate: SLOWDOWN }, shownAt))
        cpu.push((await visit(path, { rate: 1 }, (_, session) => cpuOf(session))) * SLOWDOWN)
      }
      report(`first visit of ${path}`, shown, MOST_FOR_PAGE)
      report(`first visit of ${path}, CPU`, cpu, MOST_FOR_PAGE)
    }
  }).timeout(300_000)
})
