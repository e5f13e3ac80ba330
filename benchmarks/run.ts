import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Figure } from './checks/figures.ts'
import { BENCHMARKS } from './report/benchmarks.ts'
import { renderPage } from './report/page.ts'
import { type Theme, checksPlot, growthPlot } from './report/plots.ts'
import { readResults } from './report/results.ts'

/**
 * `npm run benchmark`: runs all benchmarks, and writes `docs/reference/benchmarks.md`. `--page`
 * only writes the page, from the results that are there. Other arguments go to each benchmark.
 */
const args = process.argv.slice(2)
const isPageOnly = args.includes('--page')
const failed = isPageOnly ? [] : BENCHMARKS.filter(({ folder, title }) => !hasRun(folder, title))
if (!args.includes('--quick')) writePage()
if (failed.length > 0) {
  process.stderr.write(`Failed: ${failed.map(({ title }) => title).join(', ')}\n`)
  process.exitCode = 1
}

function hasRun(folder: string, title: string): boolean {
  process.stdout.write(`\n=== ${title}\n`)
  const file = fileURLToPath(new URL(`${folder}/run.ts`, import.meta.url))
  const node = [...process.execArgv, file, ...args]
  return spawnSync(process.execPath, node, { stdio: 'inherit' }).status === 0
}

function writePage() {
  const docs = new URL('../docs/', import.meta.url)
  writeFileSync(new URL('reference/benchmarks.md', docs), renderPage())
  const { figures } = readResults('checks').details as { figures: Figure[] }
  const images = new URL('images/benchmarks/', docs)
  mkdirSync(images, { recursive: true })
  for (const theme of ['light', 'dark'] satisfies Theme[]) {
    writeFileSync(new URL(`checks-${theme}.svg`, images), checksPlot(figures, theme))
    writeFileSync(new URL(`growth-${theme}.svg`, images), growthPlot(figures, theme))
  }
}
