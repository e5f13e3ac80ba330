import { writeResults } from '../report/results.ts'
import { atMost } from '../report/targets.ts'
import { changeTable, measureChanges } from './changes.ts'
import { plan, quick } from './comparison.ts'
import { combinationTable, measurePages, pageTable } from './pages.ts'
import { World } from './world.ts'

/** `npm run benchmark:audit`, see README.md. */
const MOST_ADDED = 1.15
const MOST_GROWTH = 1.2
/** Of a page with any combination of filters. */
const MOST_MS = 100

const world = await new World().start()
try {
  const changes = process.argv.includes('--pages') ? null : await measureChanges(world)
  const found = process.argv.includes('--writes') ? null : await measurePages(world)
  if (!quick && changes && found) {
    const { comparisons: pages, builds, slowest } = found
    const targets = [
      ...changes.map(({ name, ratio }) =>
        atMost(`Change of ${name}: to without the trail`, MOST_ADDED, ratio)
      ),
      ...pages.map(({ name, ratio }) =>
        atMost(`Page of ${name}: to that with few entries`, MOST_GROWTH, ratio)
      ),
      ...slowest.map(({ database, highest }) =>
        atMost(`Page with any combination of filters, ${database}, ms`, MOST_MS, highest)
      ),
    ]
    const tables = [changeTable(changes), pageTable(pages), combinationTable(slowest)]
    writeResults(import.meta.url, { targets, tables, details: { plan, builds } })
  }
} finally {
  await world.stop()
}
